import { RecursionLimitError } from '../errors.js';
import type { FrozenOrchestration } from '../snapshot/snapshotValue.js';
import { plural } from '../words.js';

/** Counts the team executions of a run. */
export interface TeamLimits {
  /** The number of this execution in the run, from 1. @throws RecursionLimitError when a limit does not allow it */
  enter(team: string): number;
}

export function createTeamLimits({ max_total_teams, max_recursion_depth, teams }: FrozenOrchestration): TeamLimits {
  let total = 0;
  const times = new Map<string, number>();
  return {
    enter(team) {
      if (total >= max_total_teams) {
        throw new RecursionLimitError(
          `The run has been through ${plural(total, 'team')}, as many as max_total_teams allows, and "${team}" would be next. Raise the limit, or add a rule that ends the run earlier.`,
        );
      }
      const before = times.get(team) ?? 0;
      const teamLimit = Object.hasOwn(teams, team) ? teams[team]?.max_recursion_depth : undefined;
      if (before >= (teamLimit ?? max_recursion_depth)) {
        const limit = teamLimit === undefined ? 'max_recursion_depth' : 'its own max_recursion_depth';
        throw new RecursionLimitError(
          `Team "${team}" has run ${plural(before, 'time')}, as often as ${limit} allows, and would be next again. Raise the limit, or add a rule that ends the repetition.`,
        );
      }
      total += 1;
      times.set(team, before + 1);
      return total;
    },
  };
}
