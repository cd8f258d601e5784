import type { ConfigFile } from '../config/configFile.js';
import { isForeignMcpKind, isMcpKind, isShell, type McpKind, mcpFiles } from '../config/mcpFiles.js';
import { rulesIn, tasksIn, teamsIn } from '../config/orchestrationParts.js';
import { promptTexts } from '../generated/fields.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf, valueAt } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import type { McpReading } from '../otherTools/types.js';
import { brokenPathWords, findBrokenPaths } from '../prompt/brokenPaths.js';
import { findSinglePaths, findTemplatePaths, type TemplatePath } from '../prompt/template.js';
import { type BrokenPlaceholder, brokenWords, findBrokenPlaceholders, isRefused } from '../snapshot/brokenPlaceholders.js';
import { mayBePlain } from '../snapshot/effective.js';
import { findPlaceholders, isExpanded } from '../snapshot/placeholders.js';
import { quoted } from '../words.js';
import { pathInFragment } from './facts/agentFragments.js';
import { isPlainIn } from './facts/agentTexts.js';
import { layersOf } from './facts/layers.js';
import { visitStrings } from './facts/visitStrings.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * A `${` that is nested, not closed or names no variable, in every string that is expanded; a `{{` of a template that is not a path; a path in
 * single braces; and a path where nothing fills it in. Such text is left unchanged. A nested `${` is refused everywhere, and a broken one in
 * a setting, such as `base_url`.
 */
export const placeholderInvalid: Rule = {
  code: 'placeholder-invalid',
  severity: 'warning',
  gravest: 'error',
  kinds: ['agent', 'llm', 'persona', 'prompt', 'system', 'orchestration', 'mcp', 'rootMcp', 'vscodeMcp'],
  on: 'value',
  check(file, context, report) {
    // A brace may be written as an escape.
    const { text } = file;
    const { kind } = file.identity;
    if (isMcpKind(kind)) checkServerVariables(kind, file.value, report);
    const isEscaped = text.includes('\\u');
    if (!isMcpKind(kind) && (isEscaped || text.includes('${'))) checkVariables(file, report);
    // In other tools' files, double braces belong to the tool.
    if (isForeignMcpKind(kind) || (!isEscaped && !pathStart.test(text))) return;
    checkTemplates(file, context, report);
    checkPureTexts(file, context, report);
  },
};

/** The beginning of a path in JSON text, where a tab may be written `\t`. After the brace of an object comes a quote or a closing brace. */
const pathStart = /\{(?:\{|(?:[ \t]|\\t)*(?:input|context|tasks|steps)\.)/;

function checkVariables(file: ConfigFile, report: Report): void {
  visitStrings(file.value, (text, half, segments) => {
    if (half === 'key' || !text.includes('${') || text.startsWith('secret://')) return;
    const path = segments();
    const fragmentPath = pathInFragment(file, path);
    if (!isExpanded(fragmentPath)) return;
    for (const broken of findBrokenPlaceholders(text)) {
      const { kind, start, end } = broken;
      const refused = isRefused(broken, fragmentPath);
      report({
        pointer: pointerOf(...path),
        within: { start, end },
        severity: refused ? 'error' : kind === 'code' ? 'info' : 'warning',
        message: brokenWords(text, broken, refused),
        data: { kind, start, end },
      });
    }
  });
}

/** The texts in which paths are filled in. */
function checkTemplates(file: ConfigFile, context: RuleContext, report: Report): void {
  const { identity, value } = file;
  if (!isObject(value)) return;
  if (identity.kind === 'prompt') checkTemplate(value.template, '/template', report);
  if (identity.kind === 'agent' || identity.kind === 'persona') checkTemplate(value.user_text, '/user_text', report);
  if (systemTextIs(file, [], context) === 'template') checkTemplate(value.system_text, '/system_text', report);
  if (identity.kind !== 'orchestration') {
    checkPlan(value.execution_plan, '/execution_plan', report);
    return;
  }
  for (const team of teamsIn(value)) {
    for (const { value: task, pointer } of tasksIn(team)) {
      checkTemplate(task.input, `${pointer}/input`, report);
      if (isObject(task.config)) checkPlan(task.config.execution_plan, `${pointer}/config/execution_plan`, report);
    }
    for (const { value: rule, pointer } of rulesIn(team)) checkTemplate(rule.context_updates, `${pointer}/context_updates`, report);
  }
}

function checkPlan(plan: Json | undefined, at: string, report: Report): void {
  if (!isObject(plan)) return;
  for (const [index, step] of listOf(plan.steps).entries()) {
    if (!isObject(step)) continue;
    checkTemplate(step.input, `${at}/steps/${index}/input`, report);
    checkTemplate(step.llm, `${at}/steps/${index}/llm`, report);
  }
  checkTemplate(plan.output, `${at}/output`, report);
}

function checkTemplate(value: Json | undefined, pointer: string, report: Report): void {
  visitStrings(value, (text, half, segments) => {
    if (half === 'key' || !text.includes('{')) return;
    checkSinglePaths(text, pointer + pointerOf(...segments()), report);
    for (const broken of findBrokenPaths(text)) {
      const { kind, start, end } = broken;
      report({
        pointer: pointer + pointerOf(...segments()),
        within: { start, end },
        message: brokenPathWords(text, broken),
        data: { kind, start, end },
      });
    }
  });
}

function checkSinglePaths(text: string, pointer: string, report: Report): void {
  for (const { start, end, path } of findSinglePaths(text)) {
    report({
      pointer,
      within: { start, end },
      message: `{${path}} is not replaced: a path needs double braces. Write {{${path}}}.`,
      data: { kind: 'single', start, end },
    });
  }
}

/** Reports paths that are never filled in: in texts that are sent unchanged, and in connections. */
function checkPureTexts(file: ConfigFile, context: RuleContext, report: Report): void {
  const { kind } = file.identity;
  if (kind === 'prompt') return;
  visitStrings(file.value, (text, half, segments) => {
    if (half === 'key' || !text.includes('{')) return;
    const path = segments();
    const [field] = pathInFragment(file, path);
    const isConnection = kind === 'mcp' || field === 'base_url' || field === 'options';
    if (!isConnection && !pureTexts.has(field ?? '')) return;
    const meaning = field === 'system_text' ? systemTextIs(file, path.slice(0, -1), context) : 'text';
    // Single braces are filled in neither way.
    if (meaning === 'unknown') checkSinglePaths(text, pointerOf(...path), report);
    if (meaning !== 'text') return;
    const variable =
      kind === 'mcp' ? 'Write ${env:NAME} or ${input:id} for a value from outside.' : 'Write ${NAME} for a value from the environment.';
    const advice = isConnection
      ? `a connection is the same in every run. ${variable}`
      : 'this is pure text. Put it into a prompt template, or name the key of the input in words.';
    const reportPath = (written: string, { start, end }: Pick<TemplatePath, 'start' | 'end'>) =>
      report({
        pointer: pointerOf(...path),
        within: { start, end },
        message: `${written} is not filled in here: ${advice}`,
        data: { kind: 'plain', start, end },
      });
    for (const { path: written, segments: parts, ...range } of findTemplatePaths(text)) {
      // In prose, only paths from our roots are reported: other tools use braces too, and a prompt may be about them.
      if (isConnection || roots.has(parts[0] ?? '')) reportPath(`{{${written}}}`, range);
    }
    for (const { path: written, ...range } of findSinglePaths(text)) reportPath(`{${written}}`, range);
  });
}

const pureTexts: ReadonlySet<string> = new Set(promptTexts.filter((name) => name !== 'template' && name !== 'user_text'));

/** What the `system_text` beside these fields is: in plain agents a template. Of a part of an agent this may be decided elsewhere. */
function systemTextIs(file: ConfigFile, path: readonly string[], context: RuleContext): 'template' | 'text' | 'unknown' {
  if (file.identity.kind === 'agent') {
    const stack = layersOf(file, context);
    if (stack === undefined) return 'unknown';
    return isPlainIn(stack) ? 'template' : 'text';
  }
  const fields = valueAt(file.value, pointerOf(...path));
  return isObject(fields) && !mayBePlain(fields) ? 'text' : 'unknown';
}
const roots: ReadonlySet<string> = new Set(['input', 'context', 'tasks', 'steps']);

/** The fault of a placeholder, or of text that looks like one. */
interface Fault {
  readonly kind: BrokenPlaceholder['kind'] | 'foreign';
  readonly start: number;
  readonly end: number;
  readonly message: string;
  readonly isError?: boolean;
  readonly more?: JsonObject;
}

/** The place of a text in a server definition; where a shell reads it, `$` has its meaning in the shell. */
interface Place {
  readonly inputs: readonly string[];
  readonly isForShell: boolean;
  readonly file: McpReading;
}

/**
 * Reports placeholders that the reader of a list of MCP servers does not fill in. Each file has its own: `${NAME}` is a variable in `.mcp.json` and
 * not in VS Code's file, `${env:NAME}` the reverse, and `$NAME` is a variable in neither.
 */
function checkServerVariables(kind: McpKind, value: Json | undefined, report: Report): void {
  if (!isObject(value)) return;
  const file = mcpFiles[kind];
  const inputs = listOf(value.inputs).flatMap((input) => (isObject(input) && typeof input.id === 'string' ? [input.id] : []));
  for (const root of ['servers', 'mcpServers']) {
    visitStrings(value[root], (text, half, segments) => {
      if (half === 'key' || !text.includes('$')) return;
      const path = segments();
      const [id = '', field = ''] = path;
      if (!fields.has(field)) return;
      const isForShell = field === 'args' && isShell(valueAt(value, pointerOf(root, id, 'command')));
      const place = { inputs, isForShell, file };
      const bare = field === 'args' || field === 'command' ? [] : bareVariables(text, place);
      for (const { kind: fault, start, end, message, isError, more } of [...byVariables[file.variables](text, place), ...bare])
        report({
          pointer: pointerOf(root, ...path),
          within: { start, end },
          severity: isError ? 'error' : 'warning',
          message,
          data: { kind: fault, start, end, ...more },
        });
    });
  }
}

/** Fields in which placeholders are filled in. */
const fields: ReadonlySet<string> = new Set(['command', 'args', 'env', 'url', 'headers', 'cwd', 'envFile']);

const byVariables: Readonly<Record<McpReading['variables'], (text: string, place: Place) => readonly Fault[]>> = {
  both: mcpFaults,
  plain: plainFaults,
  prefixed: prefixedFaults,
};

/** `$NAME` as the whole value, or after a scheme: `Bearer $TOKEN`. Shells and some other tools read it. */
function bareVariables(text: string, { file }: Place): readonly Fault[] {
  const [, before = '', name] = /^((?:[A-Za-z]+ )?)\$([A-Za-z_]\w*)$/.exec(text) ?? [];
  return name === undefined ? [] : [foreignFault(text, before.length, text.length, file.variable(name), file)];
}

function foreignFault(text: string, start: number, end: number, replacement: string | undefined, { reader, forms }: McpReading): Fault {
  const advice = replacement === undefined ? `It reads ${forms}.` : `Write ${replacement === '' ? 'nothing' : replacement} instead.`;
  return {
    kind: 'foreign',
    start,
    end,
    message: `${reader} does not read ${text.slice(start, end)} as a variable, so it is left unchanged. ${advice}`,
    ...(replacement !== undefined && { more: { replacement } }),
  };
}

/** In config/mcp.json: besides variables there are inputs and a folder, and any other word before a colon is refused. */
function mcpFaults(text: string, { inputs, isForShell, file }: Place): readonly Fault[] {
  return findBrokenPlaceholders(text).flatMap((broken): readonly Fault[] => {
    const written = text.slice(broken.start, broken.end);
    const [, source, name = ''] = (broken.kind !== 'unclosed' && /^\$\{([A-Za-z]+):([^{}]*)\}$/.exec(written)) || [];
    if (source === undefined) return isForShell ? [] : [{ ...broken, message: brokenWords(text, broken, false) }];
    if (source !== 'env' && source !== 'input')
      return [{ ...broken, message: `${written} is not known here, so the server cannot start: there are ${file.forms}.`, isError: true }];
    if (name === '') return [{ ...broken, message: `${written} names nothing, so the server cannot start.`, isError: true }];
    return source === 'input' && !inputs.includes(name) ? [inputFault(broken, name, inputs)] : [];
  });
}

function inputFault(broken: BrokenPlaceholder, name: string, inputs: readonly string[]): Fault {
  const nearest = nearestNames(name, inputs);
  const advice = nearest.length > 0 ? didYouMean(nearest) : ' Add it to "inputs".';
  return {
    ...broken,
    message: `No input has the id ${quoted(name)}, so the server cannot start.${advice}`,
    isError: true,
    more: { nearest, input: name },
  };
}

/** In .mcp.json: only variables in braces. */
function plainFaults(text: string, { isForShell, file }: Place): readonly Fault[] {
  const editorVariables = findPlaceholders(text).filter(({ name, fallback }) => fallback === undefined && predefined.has(name));
  const folders = editorVariables.map(({ name, start, end }) =>
    foreignFault(text, start, end, name.startsWith('workspace') ? '.' : undefined, file),
  );
  const broken = findBrokenPlaceholders(text).flatMap((placeholder): readonly Fault[] => {
    const { start, end } = placeholder;
    const [, source, name = ''] = /^\$\{([A-Za-z]+):([A-Za-z_][\w.-]*)\}$/.exec(text.slice(start, end)) ?? [];
    if (source === 'env') return [foreignFault(text, start, end, file.variable(name), file)];
    if (source === 'input') return [foreignFault(text, start, end, file.variable(variableOf(name)), file)];
    if (source !== undefined) return [foreignFault(text, start, end, undefined, file)];
    return isForShell ? [] : [{ ...placeholder, message: brokenWords(text, placeholder, false) }];
  });
  return [...folders, ...broken];
}

/** In VS Code's file: a variable of the environment needs its prefix, and inputs are prompted for. */
function prefixedFaults(text: string, { inputs, isForShell, file }: Place): readonly Fault[] {
  const faults: Fault[] = [];
  for (const { 0: written, 1: source, 2: name = '', index: start } of text.matchAll(/\$\{(?:(\w+):)?([^{}]*)\}/g)) {
    const end = start + written.length;
    const [, variable] = /^([A-Za-z_]\w*)(?::-.*)?$/s.exec(source === undefined ? name : `${source}:${name}`) ?? [];
    if (source === 'input' && !inputs.includes(name)) faults.push(inputFault({ kind: 'name', start, end }, name, inputs));
    else if (variable !== undefined && !isForShell && !predefined.has(variable))
      faults.push(foreignFault(text, start, end, file.variable(variable), file));
  }
  return faults;
}

/** `github-token` as the name of a variable. */
function variableOf(input: string): string {
  return input.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '_');
}

/** Variables of VS Code without a prefix: https://code.visualstudio.com/docs/reference/variables-reference */
const predefined: ReadonlySet<string> = new Set([
  'userHome',
  'workspaceFolder',
  'workspaceFolderBasename',
  'workspaceRoot',
  'workspaceRootFolderName',
  'file',
  'fileWorkspaceFolder',
  'fileWorkspaceFolderBasename',
  'relativeFile',
  'relativeFileDirname',
  'fileBasename',
  'fileBasenameNoExtension',
  'fileExtname',
  'fileDirname',
  'fileDirnameBasename',
  'cwd',
  'lineNumber',
  'columnNumber',
  'selectedText',
  'execPath',
  'defaultBuildTask',
  'pathSeparator',
]);
