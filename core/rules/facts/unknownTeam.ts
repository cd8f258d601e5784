import type { Finding } from '../../finding.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import { nearestNames, suggest } from '../../names.js';
import { quoted } from '../../words.js';

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
  return {
    message: `There is no team ${quoted(name)}.${suggest(nearest, teamIds)}`,
    related: [{ file, pointer: '/teams', target: 'key', message: 'The teams are here.' }],
    data: { team: name, nearest },
  };
}
