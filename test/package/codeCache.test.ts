import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startServer } from '../support/lspClient.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

// What V8 has compiled of the packs at build time, as the commands take it.

const root = join(import.meta.dirname, '../..');
const dist = join(root, 'dist');
const sampleCheck = ['check', '--project', root, '--format', 'json'];

/** A preload that notes each pack with whether V8 took its cache, a line each in the file that TAKEN names. */
const watch = `
  const { appendFileSync } = require('node:fs');
  const vm = require('node:vm');
  vm.Script = class extends vm.Script {
    constructor(code, options) {
      super(code, options);
      appendFileSync(process.env.TAKEN, options.filename + ' ' + (this.cachedDataRejected === false) + '\\n');
    }
  };
`;

function watched() {
  const folder = temporaryFolder();
  const preload = join(folder, 'watch.cjs');
  const taken = join(folder, 'taken.txt');
  writeFileSync(preload, watch);
  const read = () =>
    readFileSync(taken, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
  // V8 takes a cache with the flags only that it was made with.
  return { preload, env: { TAKEN: taken, NODE_OPTIONS: '' }, read };
}

function rejectedOf(packs: readonly string[][]): readonly (string | undefined)[] {
  return packs.filter(([, isTaken]) => isTaken !== 'true').map(([name]) => name);
}

const isCache = (name: string) => name.endsWith('.cache');

describe('every pack is loaded from its cache', () => {
  test.each([sampleCheck, ['explain', 'schema'], ['compose', 'A2', '--case', 'parser', '--project', root]])('by %s', (...args) => {
    const { preload, env, read } = watched();
    execFileSync(process.execPath, ['--require', preload, join(dist, 'cli.cjs'), ...args], { env: { ...process.env, ...env } });
    expect(rejectedOf(read())).toEqual([]);
  });

  test.each([
    ['is there from the start', 1100, 1],
    ['comes when there turn out to be many files', 20, 60],
  ])('by a check whose other thread %s', (_, agents, versions) => {
    const { preload, env, read } = watched();
    const project = temporaryFolder();
    writeFileSync(join(project, 'agentstack.json'), '{}');
    for (let agent = 0; agent < agents; agent++) {
      const folder = join(project, `config/agents/A${agent}`);
      mkdirSync(folder, { recursive: true });
      for (let version = 1; version <= versions; version++) writeFileSync(join(folder, `v${version}.json`), '{}');
    }
    const args = ['--require', preload, join(dist, 'cli.cjs'), 'check', '--project', project];
    const { status } = spawnSync(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
    expect(status).toBe(1);
    const packs = read();
    expect(rejectedOf(packs)).toEqual([]);
    expect(packs.filter(([name]) => name === 'agent-stack/pack-engine.cjs')).toHaveLength(2);
  });

  test('by the language server', async () => {
    const { preload, env, read } = watched();
    const path = 'config/agents/A2/v1.json';
    const { open, request, uri } = await startServer({
      files: { 'agentstack.json': '{}', [path]: readFileSync(join(root, path), 'utf8') },
      command: ['--require', preload, join(dist, 'server.cjs'), '--stdio'],
      env,
    });
    open(path);
    await request('textDocument/diagnostic', { textDocument: { uri: uri(path) } });
    const packs = read();
    expect(rejectedOf(packs)).toEqual([]);
    expect(packs.map(([name]) => name)).toContain('agent-stack/pack-engine.cjs');
  });
});

describe('a check without its cache says the same', () => {
  test.each<[string, (cache: Buffer, other: Buffer) => Buffer | undefined]>([
    ['missing', () => undefined],
    ['cut in half', (cache) => cache.subarray(0, cache.length / 2)],
    ['empty', (cache) => cache.subarray(0, 0)],
    ['of another pack', (_, other) => other],
  ])('where it is %s', (_, damaged) => {
    const copy = temporaryFolder();
    cpSync(dist, copy, { recursive: true, filter: (path) => !path.startsWith(join(dist, 'esm')) });
    const chunks = join(copy, 'commands/chunks');
    const caches = readdirSync(chunks).filter(isCache);
    const contents = caches.map((name) => readFileSync(join(chunks, name)));
    expect(caches.length).toBeGreaterThan(5);
    for (const [index, name] of caches.entries()) {
      const content = damaged(contents[index]!, contents.at(index - 1)!);
      if (content === undefined) rmSync(join(chunks, name));
      else writeFileSync(join(chunks, name), content);
    }
    const run = (folder: string) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'cli.cjs'), ...sampleCheck], { encoding: 'utf8' });
      return { status, stdout, stderr };
    };
    expect(run(copy)).toEqual(run(dist));
  });
});

test('a stack trace has the name of the pack, and the place in it', () => {
  const pack = 'pack-cli.cjs';
  const call = `try { require(${JSON.stringify(join(dist, 'commands/chunks/loadPack.cjs'))})('${pack}')('nothing') } catch (error) { console.log(error.stack) }`;
  const stack = execFileSync(process.execPath, ['-e', call], { encoding: 'utf8' });
  const [, line, column] = /\(agent-stack\/pack-cli\.cjs:(\d+):(\d+)\)/.exec(stack)!;
  const code = readFileSync(join(dist, 'commands/chunks', pack), 'utf8').split('\n')[Number(line) - 1]!;
  expect(code.slice(0, Number(column) - 1)).toMatch(/{}};modules\[name\]$/);
});

test('a cache names no folder of the machine it was made on', () => {
  const chunks = join(dist, 'commands/chunks');
  const telling = readdirSync(chunks).filter((name) => isCache(name) && readFileSync(join(chunks, name)).includes(root));
  expect(telling).toEqual([]);
});
