import type { ConfigFile } from '../config/configFile.js';
import { isForeignMcpKind, isMcpKind } from '../config/mcpFiles.js';
import { tasksIn, teamsIn } from '../config/orchestrationParts.js';
import { promptTexts } from '../generated/fields.js';
import { isObject, type Json, listOf, pointerOf } from '../json.js';
import { brokenPathWords, findBrokenPaths } from '../prompt/brokenPaths.js';
import { findSinglePaths } from '../prompt/singlePaths.js';
import { findTemplatePaths, type TemplatePath } from '../prompt/template.js';
import { brokenWords, findBrokenPlaceholders, isRefused } from '../snapshot/brokenPlaceholders.js';
import { isExpanded } from '../snapshot/placeholders.js';
import type { Report, Rule } from './rule.js';
import { pathInFragment } from './support/pathInFragment.js';
import { checkServerVariables } from './support/serverVariables.js';
import { visitStrings } from './support/visitStrings.js';

/**
 * A `${` that is nested, not closed or names no variable, in every string that is expanded; a `{{` of a template that is not a path; a path in
 * single braces; and a path where nothing fills it in. Such text stays as it is written. A nested `${` is refused everywhere, and a broken one in
 * a setting, such as `base_url`.
 */
export const placeholderInvalid: Rule = {
  code: 'placeholder-invalid',
  severity: 'warning',
  kinds: ['agent', 'llm', 'persona', 'prompt', 'system', 'orchestration', 'mcp', 'rootMcp', 'vscodeMcp'],
  on: 'value',
  check(file, _context, report) {
    // A brace, too, may be written as an escape.
    const { text } = file;
    const { kind } = file.identity;
    if (isMcpKind(kind)) checkServerVariables(kind, file.value, report);
    const isEscaped = text.includes('\\u');
    if (!isMcpKind(kind) && (isEscaped || text.includes('${'))) checkVariables(file, report);
    // In other tools' files, double braces are theirs.
    if (isForeignMcpKind(kind) || (!isEscaped && !pathStart.test(text))) return;
    checkTemplates(file, report);
    checkPlain(file, report);
  },
};

/** How a path begins in JSON text, where a tab may be written `\t`. The braces of objects are followed by a quote or a brace that closes. */
const pathStart = /\{(?:\{|(?:[ \t]|\\t)*(?:input|context|tasks|steps)\.)/;

function checkVariables(file: ConfigFile, report: Report): void {
  visitStrings(file.value, (text, half, segments) => {
    if (half === 'key' || !text.includes('${') || text.startsWith('secret://')) return;
    const path = segments();
    const own = pathInFragment(file, path);
    if (!isExpanded(own)) return;
    for (const broken of findBrokenPlaceholders(text)) {
      const { kind, start, end } = broken;
      const refused = isRefused(broken, own);
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
function checkTemplates({ identity, value }: ConfigFile, report: Report): void {
  if (!isObject(value)) return;
  if (identity.kind === 'prompt') checkTemplate(value.template, '/template', report);
  if (identity.kind !== 'orchestration') {
    checkPlan(value.execution_plan, '/execution_plan', report);
    return;
  }
  for (const team of teamsIn(value)) {
    for (const { value: task, pointer } of tasksIn(team)) {
      checkTemplate(task.input, `${pointer}/input`, report);
      if (isObject(task.config)) checkPlan(task.config.execution_plan, `${pointer}/config/execution_plan`, report);
    }
    const { routing } = team.value;
    for (const [index, rule] of (isObject(routing) ? listOf(routing.rules) : []).entries()) {
      const at = `${team.pointer}/routing/rules/${index}/context_updates`;
      if (isObject(rule)) checkTemplate(rule.context_updates, at, report);
    }
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
    for (const { start, end, path } of findSinglePaths(text)) {
      report({
        pointer: pointer + pointerOf(...segments()),
        within: { start, end },
        message: `{${path}} is not replaced: a path needs double braces. Write {{${path}}}.`,
        data: { kind: 'single', start, end },
      });
    }
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

/** Where a path would never be filled in: texts that are sent as they are, and where a connection leads. */
function checkPlain(file: ConfigFile, report: Report): void {
  const { kind } = file.identity;
  if (kind === 'prompt') return;
  visitStrings(file.value, (text, half, segments) => {
    if (half === 'key' || !text.includes('{')) return;
    const path = segments();
    const [field] = pathInFragment(file, path);
    const isConnection = kind === 'mcp' || field === 'base_url' || field === 'options';
    if (!isConnection && !pureTexts.has(field ?? '')) return;
    const variable =
      kind === 'mcp' ? 'Write ${env:NAME} or ${input:id} for a value from outside.' : 'Write ${NAME} for a value from the environment.';
    const advice = isConnection
      ? `a connection is the same in every run. ${variable}`
      : 'this is pure text. Put it into a prompt template, or name the key of the input in words.';
    const tell = (written: string, { start, end }: Pick<TemplatePath, 'start' | 'end'>) =>
      report({
        pointer: pointerOf(...path),
        within: { start, end },
        message: `${written} is not filled in here: ${advice}`,
        data: { kind: 'plain', start, end },
      });
    for (const { path: written, segments: parts, ...range } of findTemplatePaths(text)) {
      // In prose, only paths that are surely ours are reported: other tools use braces too, and a prompt may be about them.
      if (isConnection || roots.has(parts[0] ?? '')) tell(`{{${written}}}`, range);
    }
    for (const { path: written, ...range } of findSinglePaths(text)) tell(`{${written}}`, range);
  });
}

const pureTexts: ReadonlySet<string> = new Set(promptTexts.filter((name) => name !== 'template'));
const roots: ReadonlySet<string> = new Set(['input', 'context', 'tasks', 'steps']);
