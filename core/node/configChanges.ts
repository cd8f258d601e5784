import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { settingsPath } from '../config/paths.js';
import type { ConfigChanges } from '../project/adapters.js';

/** How often the files are looked at while somebody wants to know of changes, in ms. */
const lookEvery = 1000;

/** Changes of the config files of the project in `root`, an absolute path. */
export function createConfigChanges(root: string): ConfigChanges {
  return {
    fingerprint: (configFolder) => fingerprint(root, configFolder),
    poll(look) {
      const timer = setInterval(look, lookEvery).unref();
      return () => clearInterval(timer);
    },
  };
}

/**
 * A text that differs after any change of the project's config files: names, inodes, sizes and times of everything below the config folder, and of
 * agentstack.json. For what is missing or cannot be read (a folder without permission, a link that leads to itself), it holds the error's code.
 */
function fingerprint(root: string, configFolder: string): string {
  const folder = join(root, configFolder);
  const parts = [stateOf(join(root, settingsPath))];
  for (const path of filesIn(folder)) parts.push(`${path} ${stateOf(join(folder, path))}`);
  return parts.join('\n');
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  } catch (error) {
    return [codeOf(error)];
  }
}

function stateOf(path: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'error';
}
