import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const run = (...args: readonly string[]) => execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
const bundles = (files: readonly string[]) => files.filter((file) => /\.cjs$/.test(file)).map((file) => file.replaceAll('\\', '/'));

// When one of these fails, a module of core is loaded at start that is not among those that are copied: see `copied` in esbuild.mjs.

test('the extension is activated without core', () => {
  expect(bundles(JSON.parse(run('test/bench/activationModules.cjs', join(root, 'dist/client.cjs'))))).toEqual([
    'dist/client.cjs',
    'dist/commands/client.cjs',
  ]);
});

test('the server replies to initialize without core', () => {
  const script = `require('./dist/commands/server.cjs'); console.log(JSON.stringify(Object.keys(require.cache).map((file) => require('path').relative('.', file))))`;
  expect(bundles(JSON.parse(run('-e', script)))).toEqual(['dist/commands/server.cjs']);
});
