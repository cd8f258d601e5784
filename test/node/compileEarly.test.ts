import { spawnSync } from 'node:child_process';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';

test('the settings are ones that this V8 knows: it complains of none', () => {
  // In a process of its own, since V8 writes its complaint past Node, straight to the terminal.
  const contents =
    "import { compileAtLeisure, compileEarly } from './core/node/compileEarly.js'; compileEarly(); compileAtLeisure(); console.log('done');";
  const built = buildSync({ stdin: { contents, resolveDir: process.cwd() }, bundle: true, platform: 'node', format: 'cjs', write: false });
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', built.outputFiles[0]?.text ?? ''], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'done\n', stderr: '' });
});
