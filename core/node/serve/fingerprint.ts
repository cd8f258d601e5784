import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { settingsPath } from '../../config/paths.js';

/**
 * A text that is another one after any change of the project's config files: names, sizes and times of everything below the config folder, and of
 * agentstack.json. A folder that is not there, or cannot be listed, is a state as well.
 */
export function fingerprint(root: string, configFolder: string): string {
  const folder = join(root, configFolder);
  const parts = [stateOf(join(root, settingsPath))];
  for (const path of filesIn(folder)) parts.push(`${path} ${stateOf(join(folder, path))}`);
  return parts.join('\n');
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  } catch (error) {
    return [`(${(error as NodeJS.ErrnoException).code ?? 'error'})`];
  }
}

function stateOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.mtimeNs}`;
}
