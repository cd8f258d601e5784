// The sample project as the extension ships it: one JSON file, an object of texts by path. "Open Sample" writes them out.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns the text of every file of the sample project in `root`, by its path with slashes, sorted */
export function sampleFiles(root) {
  const entries = readdirSync(join(root, 'config'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) =>
    join(parentPath, name)
      .slice(root.length + 1)
      .replaceAll('\\', '/'),
  );
  const texts = ['agentstack.json', ...paths.sort()].map((path) => [path, readFileSync(join(root, path), 'utf8')]);
  return { 'README.md': readFileSync(join(root, 'scripts/sample/README.md'), 'utf8'), ...Object.fromEntries(texts) };
}
