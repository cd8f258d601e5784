// Parts of the core that the library does not export one by one, built for a benchmark the way the library is.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** @param names by the file that exports them, from the root: `{'core/llm/retry.ts': ['backOff']}`. Returns the file of a module that exports all. */
export function buildSources(names) {
  const scratch = mkdtempSync(join(tmpdir(), 'agent-stack-bench-'));
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
  const lines = Object.entries(names).map(([file, exported]) => `export { ${exported.join(', ')} } from './${file}';`);
  buildSync({
    stdin: { resolveDir: root, contents: lines.join('\n'), sourcefile: 'sources.ts', loader: 'ts' },
    outdir: scratch,
    entryNames: 'sources',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: 'error',
  });
  return join(scratch, 'sources.mjs');
}

export const loadSources = (file) => import(pathToFileURL(file).href);
