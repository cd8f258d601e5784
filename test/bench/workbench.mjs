// The editor and the workbench of the end-to-end tests, for benchmarks: they are TypeScript, and Node runs their build.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';

const root = join(import.meta.dirname, '../..');

/**
 * What test/e2e/ui/workbench.ts exports, and `openEditor(options, more)`: an editor with a browser of its own, and with `more` extensions (files)
 * beside the packaged one. Packages the extension first.
 */
export async function loadWorkbench() {
  // One that is there already may be of an older build.
  execFileSync(process.execPath, [join(root, 'scripts/package.mjs')], { cwd: root, stdio: 'ignore' });
  // As deep below the root as the sources, so that what they look up beside themselves is found.
  const outfile = join(root, '.vscode-test/bench/driver/driver.mjs');
  await esbuild.build({
    stdin: {
      contents: ['support/startEditor', 'support/sharedByEditors', 'ui/workbench']
        .map((file) => `export * from './test/e2e/${file}.ts';`)
        .join('\n'),
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
  const { openShared, startEditor, ...workbench } = await import(pathToFileURL(outfile).href);
  const openEditor = async (options, more = []) => {
    const shared = await openShared(more);
    const editor = await startEditor(shared, options);
    return {
      ...editor,
      async close() {
        await editor.close();
        await shared.close();
      },
    };
  };
  return { ...workbench, openEditor };
}
