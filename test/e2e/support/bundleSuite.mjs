import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Puts the suite of test/e2e/api into one file that an extension host can load, and returns its path. */
export async function bundleSuite() {
  const bundle = join(root, '.vscode-test/suite/index.cjs');
  await esbuild.build({
    entryPoints: [join(root, 'test/e2e/api/index.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode', 'mocha'],
    mainFields: ['module', 'main'],
    // What is found beside the sources, such as the declarations of an SDK, is found from here.
    define: { 'import.meta.url': JSON.stringify(import.meta.url) },
    logLevel: 'warning',
  });
  return bundle;
}
