import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
import { didYouMean, nearestNames } from '../../names.js';
import { listed, quoted } from '../../words.js';
import type { ImportSource } from '../importSource.js';
import type { ToolFacts, ToolReport, ToolRule } from '../toolFiles.js';
import { textField } from '../values.js';
import { agentsOf, definedBy, holdersOf } from './holders.js';

const repository = 'https://github.com/anomalyco/opencode/blob/dev/packages';

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

/** Why no session can start with an agent; undefined where nothing says so. */
function reasonOf({ mode, hidden, disable, disabled }: JsonObject): string | undefined {
  if (disable === true || disabled === true) return 'switched off';
  return mode === 'subagent' ? 'a subagent' : hidden === true ? 'hidden' : undefined;
}

export const rules: readonly ToolRule[] = [valueInvalid, fileMissing, modelForm, defaultAgent];
