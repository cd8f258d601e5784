import type { RunResult } from '../agent/events.js';
import { answerOf } from '../agent/runResult.js';
import { NoRouteError } from '../errors.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { chooseRoute } from '../routing/chooseRoute.js';
import type { Patterns } from '../routing/patterns.js';
import { mergePatch } from '../snapshot/mergePatch.js';
import type { FrozenTeam } from '../snapshot/snapshotValue.js';
import { checkContext } from './checkContext.js';
import { scopeOf } from './teamTasks.js';
import { evaluateInTeam } from './teamTemplates.js';

export interface RoutingRequest {
  readonly team: string;
  readonly routing: FrozenTeam['routing'];
  /** Names of the team's tasks, in file order. */
  readonly tasks: Iterable<string>;
  readonly results: ReadonlyMap<string, RunResult>;
  readonly input: JsonObject;
  readonly context: JsonObject;
  /** Needed where a condition matches a regular expression. */
  readonly patterns: Patterns | undefined;
}

/** Where a run continues after a team, and with which context. */
export interface NextTeam {
  /** Index of the rule; null for the default. */
  readonly rule: number | null;
  /** Null: the run ends. */
  readonly next_team: string | null;
  /** The merge patch as applied, with its templates evaluated. */
  readonly context_updates: JsonObject | null;
  readonly context: JsonObject;
  readonly notes: readonly string[];
}

/** @throws NoRouteError, InputInvalidError for context updates that cannot be evaluated */
export function chooseNextTeam({ team, routing, tasks, results, input, context, patterns }: RoutingRequest): NextTeam {
  const outcomes = new Map([...results].map(([name, result]) => [name, { status: result.status, output: answerOf(result) }]));
  const route = chooseRoute(routing, { outcomes, context, patterns });
  if (route.type === 'no-route') throw new NoRouteError(noRoute(team, outcomes, route.notes));
  const { rule, next_team, notes } = route;
  if (rule === null || route.context_updates === null) return { rule, next_team, notes, context, context_updates: null };

  const place = `The context_updates of rule ${rule + 1} of team "${team}"`;
  const updates = evaluateInTeam(route.context_updates, scopeOf(input, context, tasks, results), place, (name) =>
    outcomes.has(name) ? `"${name}" did not complete.` : `"${name}" is not a task of this team.`,
  );
  // Templates change only strings, and a patch that is an object yields an object: so both are objects.
  const context_updates = isObject(updates) ? updates : {};
  checkContext(context_updates, `Rule ${rule + 1} of team "${team}"`);
  const changed = mergePatch(context, context_updates);
  const next = isObject(changed) ? changed : {};
  checkContext(next, `Rule ${rule + 1} of team "${team}"`);
  return { rule, next_team, notes, context: next, context_updates };
}

/** Most characters of an output in a message. */
const longestOutput = 300;

function noRoute(
  team: string,
  outcomes: ReadonlyMap<string, { readonly status: string; readonly output: Json }>,
  notes: readonly string[],
) {
  const ends = [...outcomes].map(([name, { status, output }]) => {
    if (status !== 'completed') return `"${name}" ${status}`;
    const text = JSON.stringify(output);
    return `"${name}" gave ${text.length > longestOutput ? `${text.slice(0, longestOutput).toWellFormed()}…` : text}`;
  });
  const message = `No rule of team "${team}" matches the results of its tasks, and it has no default: ${ends.join('; ')}.`;
  return [message, ...notes, 'Add a rule for it, or a default.'].join(' ');
}
