import type { TeamRouting } from '../generated/types.js';
import type { JsonObject } from '../json.js';
import { evaluateCondition, type RoutingScope } from './evaluateCondition.js';

/** Where a run goes. `rule` is the index of the rule that won, null for `default`; `context_updates` are as written. */
export type Route = { readonly notes: readonly string[] } & (
  | {
      readonly type: 'team';
      readonly next_team: string;
      readonly rule: number | null;
      readonly context_updates: JsonObject | null;
    }
  | { readonly type: 'end'; readonly next_team: null; readonly rule: number | null; readonly context_updates: JsonObject | null }
  | { readonly type: 'no-route' }
);

/**
 * The first rule whose condition holds, then `default`; with neither, `no-route`. `notes` are those of every condition evaluated.
 * @throws as `evaluateCondition`
 */
export function chooseRoute(routing: TeamRouting, scope: RoutingScope): Route {
  const notes: string[] = [];
  for (const [rule, { condition, next_team, context_updates }] of (routing.rules ?? []).entries()) {
    const evaluation = evaluateCondition(condition, scope);
    notes.push(...evaluation.notes);
    if (evaluation.matches) return routeTo(next_team, rule, context_updates ?? null, notes);
  }
  return routing.default === undefined ? { type: 'no-route', notes } : routeTo(routing.default, null, null, notes);
}

function routeTo(next: string | null, rule: number | null, updates: JsonObject | null, notes: readonly string[]): Route {
  const shared = { rule, context_updates: updates, notes };
  return next === null ? { type: 'end', next_team: null, ...shared } : { type: 'team', next_team: next, ...shared };
}
