import type { ConfigFile } from '../config/configFile.js';
import { tasksIn, teamsIn } from '../config/orchestrationParts.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { isObject, type Json, type JsonObject, pointerOf, segmentsOf } from '../json.js';
import type { Report, Rule, RuleContext } from './rule.js';
import { contractOf } from './support/contractOf.js';
import { findGiven, type Given, isWritten, layersOf, placeOf } from './support/layers.js';

/**
 * Two written limits of which one makes the other meaningless or unreachable: a schema's lower bound above its upper, a budget of time
 * that the timeout of the run ends first, a team that may be entered more often than teams may run, a model whose answer does not fit into
 * its window. Built-in defaults never contradict anything.
 */
export const limitInvalid: Rule = {
  code: 'limit-invalid',
  severity: 'error',
  kinds: ['agent', 'persona', 'system', 'settings', 'orchestration'],
  on: 'value',
  check(file, context, report) {
    if (!isObject(file.value)) return;
    const { kind } = file.identity;
    if (kind === 'system') return checkSystem(file.value, report);
    if (kind === 'settings') return checkModels(file.value, report);
    const means: Means = { file, context, report };
    if (kind === 'orchestration') return checkOrchestration(means);
    checkSchema(file.value.input_schema, ['input_schema'], means);
    checkSchema(file.value.output_schema, ['output_schema'], means);
    if (kind === 'agent') checkTimes(file, context, report);
  },
};

interface Means {
  readonly file: ConfigFile;
  readonly context: RuleContext;
  readonly report: Report;
}

/** `max_time_ms` is looked at on each iteration, `timeout_ms` ends the whole run. */
function checkTimes(file: ConfigFile, context: RuleContext, report: Report): void {
  const stack = layersOf(file, context);
  if (stack === undefined) return;
  const budget = findGiven(stack, 'budget', 'max_time_ms');
  if (!isWritten(budget) || typeof budget.value !== 'number') return;
  const timeout = findGiven(stack, 'timeout_ms');
  if (!isWritten(timeout) || typeof timeout.value !== 'number' || budget.value <= timeout.value) return;
  const isOwn = ({ fragment }: Given) => fragment.file === file.path;
  // Two values of one other layer are that file's own matter, and said once for each agent that has them.
  const marked = isOwn(budget) || !isOwn(timeout) ? budget : timeout;
  const other = marked === budget ? timeout : budget;
  const place = placeOf(file, marked, 'budget.max_time_ms is given here.');
  const otherFile = other.fragment.file;
  report({
    ...place,
    related: [
      ...(place.related ?? []),
      ...(otherFile === null ? [] : [{ file: otherFile, pointer: other.pointer, message: `${other.value} ms is given here.` }]),
    ],
    message: `budget.max_time_ms is ${budget.value}, but timeout_ms ends the run after ${timeout.value}. Give at most ${timeout.value}, or raise timeout_ms.`,
    data: { limit: timeout.value, nearest: [timeout.value] },
  });
}

/** A recursion depth counts executions of one team, all of which count as executions of teams. */
function checkSystem({ orchestration }: JsonObject, report: Report): void {
  if (!isObject(orchestration)) return;
  const { max_total_teams: total, max_recursion_depth: depth } = orchestration;
  if (typeof total !== 'number' || typeof depth !== 'number' || depth <= total) return;
  report({
    pointer: '/orchestration/max_recursion_depth',
    message: `max_recursion_depth is ${depth}, but max_total_teams ends the run after ${total} teams. Give at most ${total}.`,
    data: { limit: total, nearest: [total] },
  });
}

/** Of an orchestration the limits are layered over those of the environment and of system.json. */
function checkOrchestration(means: Means): void {
  const { file, report } = means;
  const { project } = means.context;
  for (const team of teamsIn(file.value)) {
    for (const { value, pointer } of tasksIn(team)) {
      const path = [...segmentsOf(pointer), 'config'];
      if (!isObject(value.config)) continue;
      checkSchema(value.config.input_schema, [...path, 'input_schema'], means);
      checkSchema(value.config.output_schema, [...path, 'output_schema'], means);
    }
  }
  const total = writtenLimit('max_total_teams', file, project);
  if (total === undefined) return;
  const reportDepth = (depth: number, pointer: string) =>
    report({
      pointer,
      related: [{ file: total.file, pointer: total.pointer, message: `${total.value} teams are allowed here.` }],
      message: `max_recursion_depth is ${depth}, but max_total_teams ends the run after ${total.value} teams. Give at most ${total.value}.`,
      data: { limit: total.value, nearest: [total.value] },
    });
  for (const { value, pointer } of teamsIn(file.value)) {
    const { max_recursion_depth: depth } = value;
    if (typeof depth === 'number' && depth > total.value) reportDepth(depth, `${pointer}/max_recursion_depth`);
  }
  const depth = writtenLimit('max_recursion_depth', file, project);
  if (depth === undefined || depth.value <= total.value) return;
  if (depth.file === file.path) reportDepth(depth.value, depth.pointer);
  else if (total.file === file.path) {
    report({
      pointer: total.pointer,
      related: [{ file: depth.file, pointer: depth.pointer, message: `A depth of ${depth.value} is allowed here.` }],
      message: `max_total_teams is ${total.value}, so that the max_recursion_depth of ${depth.value} is never reached. Give at least ${depth.value}, or a lower depth here.`,
      data: { limit: depth.value, nearest: [depth.value] },
    });
  }
}

interface WrittenLimit {
  readonly value: number;
  readonly file: string;
  readonly pointer: string;
}

/** A limit as the highest layer has it that says something; undefined where that is a null, and where no layer does and the built-in limit holds. */
function writtenLimit(name: string, file: ConfigFile, project: ProjectIndex): WrittenLimit | undefined {
  const { environment } = project.settings;
  const below = [environment === 'system' ? 'environments/system' : environment, 'system'].map((id) => ({
    value: project.value('system', id)?.orchestration,
    file: project.ids('system').get(id) ?? '',
    at: '/orchestration',
  }));
  for (const { value: section, file: path, at } of [{ value: file.value, file: file.path, at: '' }, ...below]) {
    if (section === null) return undefined;
    const value = isObject(section) ? section[name] : undefined;
    if (typeof value === 'number') return { value, file: path, pointer: `${at}/${name}` };
    if (value === null) return undefined;
  }
  return undefined;
}

/** What agentstack.json says of models: an answer is part of the window. */
function checkModels({ models }: JsonObject, report: Report): void {
  if (!isObject(models)) return;
  for (const [name, facts] of Object.entries(models)) {
    if (!isObject(facts)) continue;
    const { context_window: window, max_output_tokens: output } = facts;
    if (typeof window !== 'number' || typeof output !== 'number' || output <= window) continue;
    report({
      pointer: pointerOf('models', name, 'max_output_tokens'),
      message: `max_output_tokens is ${output}, but the context_window of ${JSON.stringify(name)} holds only ${window} tokens, prompt and answer together.`,
      data: { limit: window, nearest: [window] },
    });
  }
}

interface Bound {
  readonly high: string;
  /** Equal bounds leave no value either. */
  readonly strict?: true;
}

/** Lower bounds of JSON Schema, with the upper ones that each must not exceed. */
const lowerBounds: ReadonlyMap<string, readonly Bound[]> = new Map([
  ['minimum', [{ high: 'maximum' }, { high: 'exclusiveMaximum', strict: true }]],
  [
    'exclusiveMinimum',
    [
      { high: 'maximum', strict: true },
      { high: 'exclusiveMaximum', strict: true },
    ],
  ],
  ['minLength', [{ high: 'maxLength' }]],
  ['minItems', [{ high: 'maxItems' }]],
  ['minProperties', [{ high: 'maxProperties' }]],
  ['minContains', [{ high: 'maxContains' }]],
]);

function checkSchema(schema: Json | undefined, path: readonly string[], { file, context, report }: Means): void {
  if (!isObject(schema)) return;
  for (const { schema: part, pointer } of contractOf(schema, file, context).schemas) {
    for (const [low, uppers] of lowerBounds) {
      const from = part[low];
      if (typeof from !== 'number') continue;
      for (const { high, strict } of uppers) {
        const to = part[high];
        if (typeof to !== 'number' || from < to || (from === to && strict === undefined)) continue;
        report({
          pointer: `${pointerOf(...path)}${pointer}/${low}`,
          message: `${low} is ${from}, but ${high} is ${to}: no value satisfies both.`,
          data: { low, high, from, to },
        });
      }
    }
  }
}
