import type { ConfigFile } from '../config/configFile.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { fragmentsIn } from './facts/agentFragments.js';
import { findSetting, isWritten, layersOf, placeOf, type Setting } from './facts/layers.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * Two written limits where one makes the other meaningless or unreachable: a time budget longer than the timeout of the run, a model
 * whose answer does not fit into its window. Also a time that was probably given in seconds.
 * Built-in defaults never contradict anything.
 */
export const limitInvalid: Rule = {
  code: 'limit-invalid',
  severity: 'error',
  kinds: ['agent', 'persona', 'system', 'settings', 'orchestration', 'llm', 'mcp'],
  on: 'value',
  check(file, context, report) {
    if (!isObject(file.value)) return;
    const { kind } = file.identity;
    checkUnits(file, report);
    if (kind === 'system' || kind === 'llm' || kind === 'mcp') return;
    if (kind === 'settings') return checkModels(file.value, report);
    if (kind === 'agent') checkTimes(file, context, report);
  },
};

/** `max_time_ms` is checked on each iteration, `timeout_ms` ends the whole run. */
function checkTimes(file: ConfigFile, context: RuleContext, report: Report): void {
  const stack = layersOf(file, context);
  if (stack === undefined) return;
  const budget = findSetting(stack, 'budget', 'max_time_ms');
  if (!isWritten(budget) || typeof budget.value !== 'number') return;
  const timeout = findSetting(stack, 'timeout_ms');
  if (!isWritten(timeout) || typeof timeout.value !== 'number' || budget.value <= timeout.value) return;
  const isInFile = ({ fragment }: Setting) => fragment.file === file.path;
  // Two values of the same other layer are reported for each agent that inherits them.
  const marked = isInFile(budget) || !isInFile(timeout) ? budget : timeout;
  const other = marked === budget ? timeout : budget;
  const place = placeOf(file, marked, 'budget.max_time_ms is given here.');
  const otherFile = other.fragment.file;
  report({
    ...place,
    // The run still ends in time.
    severity: 'warning',
    related: [
      ...(place.related ?? []),
      ...(otherFile === null ? [] : [{ file: otherFile, pointer: other.pointer, message: `${other.value} ms is given here.` }]),
    ],
    message: `budget.max_time_ms is ${budget.value}, but timeout_ms ends the run after ${timeout.value}. Give at most ${timeout.value}, or raise timeout_ms.`,
    data: { limit: timeout.value, nearest: [timeout.value] },
  });
}

/** The models of agentstack.json: an answer has to fit into the window. */
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

/** Fewer milliseconds than any run, call or request takes: the number is probably in seconds. */
const leastMilliseconds = 300;

/** Reports times so short that they are probably in seconds. */
function checkUnits(file: ConfigFile, report: Report): void {
  const { identity, value } = file;
  if (!isObject(value)) return;
  for (const { value: fields, pointer } of fragmentsIn(file)) {
    checkTime(fields, 'timeout_ms', pointer, report);
    checkTime(fields.budget, 'max_time_ms', `${pointer}/budget`, report);
  }
  if (identity.kind === 'llm') checkTime(value, 'request_timeout_ms', '', report);
  const [section, field] = identity.kind === 'mcp' ? ['servers', 'timeout_ms'] : ['llms', 'request_timeout_ms'];
  if (identity.kind !== 'mcp' && identity.kind !== 'system') return;
  for (const [id, entry] of Object.entries(asObject(value[section]))) checkTime(entry, field, pointerOf(section, id), report);
}

function checkTime(fields: Json | undefined, name: string, at: string, report: Report): void {
  const time = isObject(fields) ? fields[name] : undefined;
  if (typeof time !== 'number' || time <= 0 || time >= leastMilliseconds) return;
  report({
    pointer: at + pointerOf(name),
    severity: 'warning',
    message: `${name} is in milliseconds, and ${time} is too short for anything. Did you mean ${time * 1000}?`,
    data: { nearest: [time * 1000] },
  });
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
