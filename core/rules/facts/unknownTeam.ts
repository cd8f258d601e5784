import type { Finding } from '../../finding.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import { didYouMean, nearestNames } from '../../names.js';
import { listed, quoted } from '../../words.js';

/**
 * The finding for a reference to a missing team of the orchestration; undefined where the team exists, where the reference is not text or contains a
 * `${VAR}`, and where the file has no teams, which the schema reports.
 */
export function findUnknownTeam(
  { teams }: JsonObject,
  file: string,
  name: Json | undefined,
): (Pick<Finding, 'message' | 'data'> & Required<Pick<Finding, 'related'>>) | undefined {
  if (typeof name !== 'string' || name.includes('${') || !isObject(teams) || Object.hasOwn(teams, name)) return undefined;
  const teamIds = Object.keys(teams);
  const nearest = nearestNames(name, teamIds);
  const others = teamIds.length === 0 ? '' : ` There ${teamIds.length === 1 ? 'is' : 'are'} ${listed(teamIds, 'and', 5)}.`;
  return {
    message: `There is no team ${quoted(name)}.${nearest.length > 0 ? didYouMean(nearest) : others}`,
    related: [{ file, pointer: '/teams', target: 'key', message: 'The teams are here.' }],
    data: { team: name, nearest },
  };
}
