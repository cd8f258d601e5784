import { comparisonsIn, conditionsIn, rulesIn, tasksIn, teamsIn } from '../config/orchestrationParts.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { findTemplatePaths } from '../prompt/template.js';
import { quoted } from '../words.js';
import { inputKeysOf, layersOf } from './facts/layers.js';
import { visitStrings } from './facts/visitStrings.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * A field of the context that is read but never set, neither by `context` nor by any `context_updates`. The input of a run may still set it, so
 * only a likely misspelling is a warning. In a plan, conditions read the input of the agent. Also reports a field that `context_updates`
 * sets and nothing reads.
 */
export const contextFieldUnknown: Rule = {
  code: 'context-field-unknown',
  severity: 'warning',
  kinds: ['orchestration', 'agent'],
  on: 'value',
  check(file, context, report) {
    if (!isObject(file.value)) return;
    if (file.identity.kind === 'orchestration') checkOrchestration(file.value, report);
    else if (file.value.execution_plan !== undefined) checkPlan(file, context, report);
  },
};

/** A field that something reads, as a dotted path. */
interface Read {
  readonly path: string;
  readonly pointer: string;
  /** The range of a `{{context.path}}` in a text. */
  readonly within?: { readonly start: number; readonly end: number };
}

function checkOrchestration(value: Json, report: Report): void {
  const { context, input_keys, input_schema } = value as JsonObject;
  const properties = isObject(input_schema) && isObject(input_schema.properties) ? Object.keys(input_schema.properties) : [];
  const inputs = [...listOf(input_keys).filter((key) => typeof key === 'string'), ...properties];
  const set = new Set([...(isObject(context) ? Object.keys(context) : []), ...inputs]);
  const isDeclared = set.size > 0;
  const reads: Read[] = [];
  const sets: { readonly key: string; readonly pointer: string }[] = [];
  for (const team of teamsIn(value)) {
    for (const { value: comparison, pointer } of conditionsIn(team)) addField(comparison.context_field, pointer, reads);
    for (const { value: task, pointer } of tasksIn(team)) addTemplates(task.input, `${pointer}/input`, reads);
    for (const { value: rule, pointer } of rulesIn(team)) {
      const updates = isObject(rule.context_updates) ? rule.context_updates : {};
      const at = `${pointer}/context_updates`;
      for (const key of Object.keys(updates)) {
        set.add(firstOf(key));
        // Fields that a rule sets as it ends the run are part of the result.
        if (rule.next_team !== null) sets.push({ key, pointer: at + pointerOf(key) });
      }
      addTemplates(updates, at, reads);
    }
  }
  const isRead = new Set(reads.map(({ path }) => firstOf(path)));
  for (const { key, pointer } of readsWhole(value) ? [] : sets) {
    if (isRead.has(firstOf(key))) continue;
    const message = `Nothing reads ${quoted(key)} of the context: no template, no condition. Only the result of a run shows it.`;
    report({ pointer, target: 'key', severity: 'info', message, data: { path: key, nearest: [] } });
  }
  for (const read of reads) {
    const name = firstOf(read.path);
    if (set.has(name)) continue;
    const nearest = nearestNames(name, set);
    if (nearest.length > 0) reportField(read, `Nothing sets ${quoted(name)} in the context.${didYouMean(nearest)}`, nearest, report);
    else if (isDeclared)
      reportField(
        read,
        `Nothing here sets ${quoted(name)} in the context, so the input of each run must. Add it to "context" if it may lack it.`,
        [],
        report,
      );
  }
}

/** Whether a task gets the whole context: as its payload, where it has no `input`, or by `{{context}}`. */
function readsWhole(value: Json): boolean {
  let isWhole = false;
  const visit = (part: Json | undefined) =>
    visitStrings(part, (text) => {
      isWhole ||= findTemplatePaths(text).some(({ segments }) => segments.length === 1 && segments[0] === 'context');
    });
  for (const team of teamsIn(value)) {
    for (const { value: task } of tasksIn(team)) {
      if (task.input === undefined) return true;
      visit(task.input);
    }
    visit(team.value.routing);
  }
  return isWhole;
}

function checkPlan(file: Parameters<Rule['check']>[0], context: RuleContext, report: Report): void {
  const plan = isObject(file.value) ? file.value.execution_plan : undefined;
  const steps = isObject(plan) ? listOf(plan.steps) : [];
  const reads: Read[] = [];
  for (const [index, step] of steps.entries()) {
    if (!isObject(step)) continue;
    const at = `/execution_plan/steps/${index}`;
    const until = isObject(step.repeat) ? step.repeat.until : undefined;
    for (const { value, pointer } of [...comparisonsIn(step.when, `${at}/when`), ...comparisonsIn(until, `${at}/repeat/until`)])
      addField(value.context_field, pointer, reads);
  }
  const stack = reads.length === 0 ? undefined : layersOf(file, context);
  const keys = stack && inputKeysOf(stack);
  if (keys === undefined) return;
  for (const read of reads) {
    const name = firstOf(read.path);
    if (keys.has(name)) continue;
    const nearest = nearestNames(name, keys);
    reportField(
      read,
      `The input of this agent has no ${quoted(name)}, and a condition of a plan reads the input.${didYouMean(nearest)}`,
      nearest,
      report,
      'warning',
    );
  }
}

function reportField(
  { path, pointer, within }: Read,
  message: string,
  names: readonly string[],
  report: Report,
  severity: 'warning' | 'info' = names.length > 0 ? 'warning' : 'info',
): void {
  const nearest = names.map((name) => [name, ...path.split('.').slice(1)].join('.'));
  report({ pointer, ...(within && { within }), severity, message, data: { path, nearest, ...within } });
}

function addField(field: Json | undefined, pointer: string, reads: Read[]): void {
  if (typeof field === 'string' && field !== '' && !field.includes('${')) reads.push({ path: field, pointer: `${pointer}/context_field` });
}

function addTemplates(value: Json | undefined, pointer: string, reads: Read[]): void {
  visitStrings(value, (text, half, segments) => {
    if (half === 'key' || !text.includes('{{')) return;
    for (const { segments: parts, start, end } of findTemplatePaths(text)) {
      if (parts[0] !== 'context' || parts.length < 2) continue;
      reads.push({ path: parts.slice(1).join('.'), pointer: pointer + pointerOf(...segments()), within: { start, end } });
    }
  });
}

function firstOf(path: string): string {
  return path.split('.', 1)[0] ?? '';
}
