// The editor and the workbench of the end-to-end tests, for benchmarks: they are TypeScript, and Node runs their build.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** What test/e2e/support/editor.ts and test/e2e/ui/workbench.ts export. Packages the extension first. */
export async function loadWorkbench() {
  // One that is there already may be of an older build.
  execFileSync(process.execPath, [join(root, 'scripts/package.mjs')], { cwd: root, stdio: 'ignore' });
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
