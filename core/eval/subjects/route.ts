import { isObject } from '../../json.js';
import type { Subject } from '../types.js';

/** The teams of an orchestration in the order in which they ran, each execution by itself. */
export const route: Subject = {
  key: 'route',
  actual(_entry, { result: { output } }) {
    const teams = isObject(output) && Array.isArray(output.teams) ? output.teams : [];
    return { value: teams.flatMap((team) => (isObject(team) && typeof team.team === 'string' ? [team.team] : [])) };
  },
  words: () => 'the route',
};
