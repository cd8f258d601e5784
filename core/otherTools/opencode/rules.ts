import { isObject, type Json, type JsonObject, listOf, pointerOf, segmentsOf } from '../../json.js';
import { didYouMean, nearestNames } from '../../names.js';
import { listed, quoted } from '../../words.js';
import type { ImportSource } from '../importSource.js';
import type { ReadToolFile, ToolFacts, ToolReport, ToolRule } from '../toolFiles.js';
import { stemOf, textField } from '../values.js';

const repository = 'https://github.com/anomalyco/opencode/blob/dev/packages';

interface Part {
  readonly value: JsonObject;
  readonly pointer: string;
}

/** The agents of a config by their key, or the one of a file in Markdown. */
function agentsOf({ format, value }: ImportSource): readonly Part[] {
  if (!isObject(value)) return [];
  if (format === 'markdown') return [{ value, pointer: '' }];
  return isObject(value.agent)
    ? Object.entries(value.agent).flatMap(([name, agent]) => (isObject(agent) ? [{ value: agent, pointer: pointerOf('agent', name) }] : []))
    : [];
}

/** What holds a field `permission`: the config, and each agent. */
function holdersOf(source: ImportSource): readonly Part[] {
  const agents = agentsOf(source);
  return source.format !== 'markdown' && isObject(source.value) ? [{ value: source.value, pointer: '' }, ...agents] : agents;
}

const effects = ['ask', 'allow', 'deny'];

const isCount = (value: Json) => typeof value === 'number' && Number.isInteger(value) && value > 0;

/** What the fields of an agent have to be; of all others, nothing is said. */
const fields: Readonly<Record<string, readonly [what: string, isRight: (value: Json) => boolean]>> = {
  mode: ['"primary", "subagent" or "all"', (value) => typeof value === 'string' && ['primary', 'subagent', 'all'].includes(value)],
  disable: ['true or false', (value) => typeof value === 'boolean'],
  hidden: ['true or false', (value) => typeof value === 'boolean'],
  description: ['a text', (value) => typeof value === 'string'],
  model: ['a text', (value) => typeof value === 'string'],
  prompt: ['a text', (value) => typeof value === 'string'],
  temperature: ['a number', (value) => typeof value === 'number'],
  top_p: ['a number', (value) => typeof value === 'number'],
  steps: ['a whole number above 0', isCount],
  maxSteps: ['a whole number above 0', isCount],
  tools: [
    'an object with true or false for each tool',
    (value) => isObject(value) && Object.values(value).every((on) => typeof on === 'boolean'),
  ],
};

/** A value that opencode refuses, with the whole file. */
const valueInvalid: ToolRule = {
  code: 'opencode/value-invalid',
  tool: 'opencode',
  severity: 'error',
  source: { address: `${repository}/core/src/v1/config/agent.ts`, date: '2026-11-26' },
  check({ source }, _inventory, report) {
    if (source.fault !== undefined) return;
    for (const { value, pointer } of agentsOf(source))
      for (const [name, [what, isRight]] of Object.entries(fields)) {
        const written = Object.hasOwn(value, name) ? value[name] : undefined;
        // A placeholder is filled in before the file is read.
        if (
          written === undefined ||
          written === null ||
          (typeof written === 'string' && /\{(?:env|file):/.test(written)) ||
          isRight(written)
        )
          continue;
        report({
          pointer: pointer + pointerOf(name),
          message: `opencode refuses this file: ${quoted(name)} has to be ${what}, not ${quoted(written)}.`,
        });
      }
    for (const { value, pointer } of holdersOf(source)) checkEffects(value.permission, `${pointer}/permission`, report);
  },
};

function checkEffects(permission: Json | undefined, pointer: string, report: ToolReport): void {
  if (isObject(permission)) for (const [name, value] of Object.entries(permission)) checkEffects(value, pointer + pointerOf(name), report);
  else if (
    typeof permission === 'boolean' ||
    (typeof permission === 'string' && !effects.includes(permission) && !permission.startsWith('{'))
  )
    report({ pointer, message: `opencode refuses this file: a permission is ${listed(effects, 'or')}, not ${quoted(permission)}.` });
}

interface Pattern {
  readonly text: string;
  readonly effect: string;
  readonly pointer: string;
}

/** Lists of patterns of which the last that matches counts: those of one tool, and the ordered rules of version 2. */
function patternLists(source: ImportSource): readonly (readonly Pattern[])[] {
  return holdersOf(source).flatMap(({ value, pointer }) => [
    ...(isObject(value.permission)
      ? Object.entries(value.permission).map(([tool, patterns]) =>
          isObject(patterns)
            ? Object.entries(patterns).flatMap(([text, effect]) =>
                typeof effect === 'string' ? [{ text, effect, pointer: pointer + pointerOf('permission', tool, text) }] : [],
              )
            : [],
        )
      : []),
    ...rulesByAction(value.permissions, `${pointer}/permissions`),
  ]);
}

function rulesByAction(rules: Json | undefined, pointer: string): readonly (readonly Pattern[])[] {
  const lists = new Map<string, Pattern[]>();
  for (const [index, rule] of listOf(rules).entries()) {
    if (!isObject(rule)) continue;
    const { action, resource, effect } = rule;
    if (typeof action !== 'string' || typeof resource !== 'string' || typeof effect !== 'string') continue;
    const list = lists.get(action) ?? [];
    lists.set(action, list);
    list.push({ text: resource, effect, pointer: pointer + pointerOf(index) });
  }
  return [...lists.values()];
}

/** Whether everything that the narrow pattern matches is matched by the wide one; false where that cannot be told. */
function covers(wide: string, narrow: string): boolean {
  if (/^\*+$/.test(wide)) return true;
  const [, prefix] = /^([^*?]+)\*$/.exec(wide) ?? [];
  if (prefix === undefined) return false;
  // `git *` matches `git` too.
  return narrow.startsWith(prefix) || (prefix.endsWith(' ') && narrow === prefix.trimEnd());
}

function lastCovering(patterns: readonly Pattern[], narrow: Pattern): Pattern | undefined {
  return patterns.slice(patterns.indexOf(narrow) + 1).findLast(({ text }) => covers(text, narrow.text));
}

/** The last pattern that matches counts, so a wide one behind a narrow one hides it. */
const permissionShadowed: ToolRule = {
  code: 'opencode/permission-shadowed',
  tool: 'opencode',
  severity: 'warning',
  source: { address: 'https://opencode.ai/docs/permissions', date: '2026-11-26' },
  check(file: ReadToolFile, _inventory, report) {
    for (const patterns of patternLists(file.source))
      for (const [index, wide] of patterns.entries()) {
        // The last of several wide ones is the one that counts.
        const hidden = patterns
          .slice(0, index)
          .filter((narrow) => lastCovering(patterns, narrow) === wide && narrow.effect !== wide.effect);
        const [first] = hidden;
        if (first === undefined) continue;
        const names = listed(
          hidden.map(({ text }) => text),
          'and',
          3,
        );
        report({
          pointer: wide.pointer,
          target: 'key',
          message: `${names} ${hidden.length === 1 ? 'has' : 'have'} no effect: ${quoted(wide.text)} comes later and matches all of it, and the last one that matches counts, so it is ${quoted(wide.effect)}. Put ${quoted(wide.text)} in front.`,
          related: [{ file, pointer: first.pointer, message: 'The pattern without effect is here.' }],
        });
      }
  },
};

/** A command where the name of a tool belongs. */
const permissionTool: ToolRule = {
  code: 'opencode/permission-tool',
  tool: 'opencode',
  severity: 'error',
  source: { address: `${repository}/opencode/src/permission/index.ts`, date: '2026-11-26' },
  check({ source }, _inventory, report) {
    for (const { value, pointer } of holdersOf(source))
      for (const [name, effect] of Object.entries(isObject(value.permission) ? value.permission : {})) {
        if (!/\S\s+\S/.test(name)) continue;
        report({
          pointer: pointer + pointerOf('permission', name),
          target: 'key',
          message: `${quoted(name)} is compared with the names of tools, and none has a space: this rule has no effect. Write "bash": { ${quoted(name)}: ${quoted(effect)} } if it is a command.`,
        });
      }
  },
};

const fileReference = /\{file:([^{}]+)\}/g;

/** Texts of a config with the files that they are filled in from, as project paths. */
function filesNamed(
  source: ImportSource,
  path: string,
): readonly { readonly pointer: string; readonly name: string; readonly path: string }[] {
  if (source.format !== 'json') return [];
  const folder = path.split('/').slice(0, -1);
  const visit = (value: Json, pointer: string): ReturnType<typeof filesNamed> => {
    if (typeof value === 'string')
      return [...value.matchAll(fileReference)].flatMap(([, name = '']) => {
        const resolved = resolve(folder, name);
        return resolved === undefined ? [] : [{ pointer, name, path: resolved }];
      });
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) => visit(inner as Json, pointer + pointerOf(key)));
  };
  return visit(source.value, '');
}

/** Undefined for what is outside of the project. */
function resolve(folder: readonly string[], name: string): string | undefined {
  if (/^(?:[~/\\]|[A-Za-z]:)|[\\$]/.test(name)) return undefined;
  const path = [...folder];
  for (const segment of name.split('/')) {
    if (segment === '..' && path.pop() === undefined) return undefined;
    if (!['', '.', '..'].includes(segment)) path.push(segment);
  }
  return path.length === 0 ? undefined : path.join('/');
}

/** The files that a config is filled in from. */
export function filesOf(source: ImportSource): Pick<ToolFacts, 'files' | 'links'> {
  const links = filesNamed(source, source.path);
  return { files: links.map(({ path }) => path), links };
}

/** `{file:...}` of a file that does not exist. */
const fileMissing: ToolRule = {
  code: 'opencode/file-missing',
  tool: 'opencode',
  severity: 'error',
  source: { address: `${repository}/opencode/src/config/variable.ts`, date: '2026-11-26' },
  check({ source, path: config }, inventory, report) {
    for (const { pointer, name, path } of filesNamed(source, config)) {
      if (inventory.exists(path) !== false) continue;
      report({
        pointer,
        message: `opencode refuses this file: ${quoted(`{file:${name}}`)} is ${path}, which does not exist. Correct the path, or add the file.`,
      });
    }
  },
};

/** A model without its provider. */
const modelForm: ToolRule = {
  code: 'opencode/model-form',
  tool: 'opencode',
  severity: 'warning',
  source: { address: 'https://opencode.ai/docs/models', date: '2026-11-26' },
  check({ source }, _inventory, report) {
    for (const { value, pointer } of holdersOf(source))
      for (const key of ['model', 'small_model']) {
        const model = value[key];
        if (typeof model !== 'string' || !/^[\w.:-]+$/.test(model)) continue;
        report({
          pointer: pointer + pointerOf(key),
          message: `opencode takes ${quoted(model)} for a provider without a model. Write "PROVIDER/${model}".`,
        });
      }
  },
};

/** Agents that opencode brings, and that no session can start with. */
const builtIn: Readonly<Record<string, string | undefined>> = {
  build: undefined,
  plan: undefined,
  general: 'a subagent',
  explore: 'a subagent',
  compaction: 'hidden',
  title: 'hidden',
  summary: 'hidden',
};

const defaultAgent: ToolRule = {
  code: 'opencode/default-agent',
  tool: 'opencode',
  severity: 'error',
  source: { address: 'https://opencode.ai/v2/docs/agents', date: '2026-11-27' },
  check(file, { files }, report) {
    const { value, format } = file.source;
    const name = format === 'markdown' ? undefined : textField(value, 'default_agent');
    if (name === undefined || name.includes('{')) return;
    const around = files.filter(({ tool, folder }) => tool === 'opencode' && folder === file.folder);
    const named = around.flatMap(({ source }) => (source === undefined ? [] : definedBy(source)));
    const agents = named.filter((agent) => agent.name === name).map(({ value }) => value);
    const isDefined = agents.length > 0;
    // Of two definitions it is not known which one counts.
    const isOpen = agents.some(({ mode }) => mode === 'primary' || mode === 'all');
    const reason = isOpen
      ? undefined
      : (agents.map(reasonOf).find((text) => text !== undefined) ??
        (isDefined || !Object.hasOwn(builtIn, name) ? undefined : builtIn[name]));
    const near =
      isDefined || Object.hasOwn(builtIn, name) ? [] : nearestNames(name, [...named.map((agent) => agent.name), 'build', 'plan'], 1);
    if (reason !== undefined)
      report({
        pointer: '/default_agent',
        message: `opencode does not start with ${quoted(name)}, which is ${reason}: it takes another agent, or stops. Name a primary agent.`,
      });
    else if (near.length > 0)
      report({
        pointer: '/default_agent',
        severity: 'warning',
        message: `No agent here is called ${quoted(name)}, and without one opencode takes another agent, or stops.${didYouMean(near)}`,
      });
  },
};

/** The agents of a file by name. */
function definedBy(source: ImportSource): readonly { readonly name: string; readonly value: JsonObject }[] {
  return agentsOf(source).map(({ value, pointer }) => ({ name: segmentsOf(pointer).at(-1) ?? stemOf(source), value }));
}

/** Why no session can start with an agent; undefined where nothing says so. */
function reasonOf({ mode, hidden, disable, disabled }: JsonObject): string | undefined {
  if (disable === true || disabled === true) return 'switched off';
  return mode === 'subagent' ? 'a subagent' : hidden === true ? 'hidden' : undefined;
}

export const rules: readonly ToolRule[] = [valueInvalid, permissionShadowed, permissionTool, fileMissing, modelForm, defaultAgent];
