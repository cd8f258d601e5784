import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Source files that are loaded before `initialize` can be answered: what `server/main.ts` imports other than by `import()`, with their bytes. */
async function loadedFirst(): Promise<Readonly<Record<string, number>>> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['server/main.ts'],
    outdir: 'out',
    platform: 'node',
    format: 'esm',
    bundle: true,
    splitting: true,
    metafile: true,
    write: false,
  });
  const loaded: Record<string, number> = {};
  const outputs = new Set(Object.keys(metafile.outputs).filter((path) => metafile.outputs[path]?.entryPoint === 'server/main.ts'));
  // Chunks that are added here are visited too.
  for (const path of outputs) {
    const { inputs = {}, imports = [] } = metafile.outputs[path] ?? {};
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) loaded[file] = bytesInOutput;
    for (const { path: other, kind } of imports) if (kind === 'import-statement' && other in metafile.outputs) outputs.add(other);
  }
  return loaded;
}

test('the reply to initialize waits for little code besides the protocol: features load what is heavy when they are asked', async () => {
  const files = Object.entries(await loadedFirst()).filter(([file]) => !file.startsWith('node_modules/vscode-'));
  expect(files.map(([file]) => file)).toContain('server/startServer.ts');
  expect(files.map(([file]) => file)).not.toContain('server/session.ts');
  // When this fails, a file in server/features imports statically what belongs behind `await import()`.
  const total = files.reduce((sum, [, size]) => sum + size, 0);
  expect(total, JSON.stringify(Object.fromEntries(files))).toBeLessThan(100_000);
});
