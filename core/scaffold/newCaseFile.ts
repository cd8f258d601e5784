import type { ProjectIndex } from '../config/projectIndex.js';
import type { JsonObject } from '../json.js';
import { type NewFile, toNewFile } from './newFile.js';

/**
 * A payload file of an agent or an orchestration.
 *
 * @param owner whose it is
 * @param name a legal name that no case of the owner has
 * @param value with `input`, of an orchestration `context`
 */
export function newCaseFile({ settings }: Pick<ProjectIndex, 'settings'>, owner: string, name: string, value: JsonObject): NewFile {
  return toNewFile('payload', `${owner}/${name}`, settings, value);
}
