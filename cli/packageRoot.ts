import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder this package is installed in: the nearest one upwards from the running file that holds the rule pages. */
export function packageRoot(): string {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'docs', 'rules')) && existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) throw new Error(`The files shipped with this package are missing above ${start}`);
  }
}
