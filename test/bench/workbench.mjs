// The editor and the workbench of the end-to-end tests, for benchmarks: they are TypeScript, and Node runs their build.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** What test/e2e/support/editor.ts and test/e2e/ui/workbench.ts export. Packages the extension first when that has not been done. */
export async function loadWorkbench() {
  const { version } = JSON.parse((await import('node:fs')).readFileSync(join(root, 'package.json'), 'utf8'));
  if (!existsSync(join(root, `dist/agent-stack-${version}.vsix`))) await import('../../scripts/package.mjs');
  // As deep below the root as the sources, so that what they look up beside themselves is found.
  const outfile = join(root, '.vscode-test/bench/driver/driver.mjs');
  await esbuild.build({
    stdin: {
      contents: `export * from './test/e2e/support/editor.ts'; export * from './test/e2e/ui/workbench.ts';`,
      resolveDir: root,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
    plugins: [
      {
        name: 'scripts-as-they-are',
        setup: (build) => build.onResolve({ filter: /\/scripts\/\w+\.mjs$/ }, ({ path }) => ({ path, external: true })),
      },
    ],
  });
  return import(pathToFileURL(outfile).href);
}
