import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createRunLocks } from '../../core/node/runLocks.js';
import type { HeldLock, RunLock } from '../../core/run/runLocks.js';
import { repository } from '../cli/command.js';
import { endOf } from '../support/processes.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

const run = '0123456789abcdef0123456789abcdef';
const folder = `.agentstack/runs/${run}`;
let bundle: string;

beforeAll(async () => {
  bundle = join(repository, 'node_modules/.cache', `runLocks-${process.pid}.mjs`);
  await build({ entryPoints: [join(repository, 'core/node/runLocks.ts')], outfile: bundle, bundle: true, platform: 'node', format: 'esm' });
});

/** Another process that asks for the lock: what it was told, and how to end it. */
function another(root: string): { readonly answer: Promise<string>; kill(): Promise<void> } {
  const child = spawn(process.execPath, [join(repository, 'test/fixtures/run/takeLock.mjs'), bundle, root, run], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await endOf(child.pid ?? 0);
  };
  onTestFinished(kill);
  const answer = new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  return { answer, kill };
}

const acquire = (root: string) => createRunLocks(root).acquire(run) as RunLock | HeldLock;
const isHeld = (lock: RunLock | HeldLock): lock is HeldLock => 'held_by' in lock;

/** A lock as another process may have left it. */
function leave(root: string, change: object, name = 'lock-1.json') {
  const own = acquire(root);
  const held = JSON.parse(readFileSync(join(root, folder, 'lock-1.json'), 'utf8')) as object;
  if (!isHeld(own)) own.release();
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, name), JSON.stringify({ ...held, ...change }));
}

describe('the lock of a run', () => {
  test('is held by one, in this process too, until it is released', () => {
    const root = temporaryFolder();
    const first = acquire(root);
    expect(isHeld(first)).toBe(false);
    expect(acquire(root)).toEqual({ held_by: `process ${process.pid}`, is_seen: true });
    if (!isHeld(first)) first.release();
    expect(readdirSync(join(root, folder))).toEqual([]);
    expect(isHeld(acquire(root))).toBe(false);
  });

  test('dies with its process, however that ends', async () => {
    const root = temporaryFolder();
    const holder = another(root);
    expect(await holder.answer).toBe('taken');
    expect(isHeld(acquire(root))).toBe(true);
    await holder.kill();
    expect(isHeld(acquire(root))).toBe(false);
    expect(isHeld(acquire(root))).toBe(true);
  });

  test('of a process that is gone goes to one of many that ask for it at once', async () => {
    const root = temporaryFolder();
    const holder = another(root);
    await holder.answer;
    await holder.kill();
    const answers = await Promise.all(Array.from({ length: 8 }, () => another(root).answer));
    expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
  });

  test('of a process whose id another process has now is free', () => {
    const root = temporaryFolder();
    leave(root, { started: '1' });
    expect(isHeld(acquire(root))).toBe(process.platform !== 'linux');
  });

  test('from before the machine was started again is free', () => {
    const root = temporaryFolder();
    leave(root, { boot: '00000000-0000-0000-0000-000000000000' });
    expect(isHeld(acquire(root))).toBe(false);
  });

  test.each([
    ['another machine', { host: 'build-7', pid: 12 }, 'process 12 on the machine build-7'],
    ['another container', { namespace: 'pid:[1]', pid: 12 }, 'process 12 in another container'],
  ])('of %s holds, since its end cannot be seen from here', (_, change, words) => {
    const root = temporaryFolder();
    leave(root, change);
    expect(acquire(root)).toMatchObject({ held_by: expect.stringContaining(words), is_seen: false });
  });

  test('that cannot be read holds too', () => {
    const root = temporaryFolder();
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'lock-3.json'), 'what');
    expect(acquire(root)).toMatchObject({ is_seen: false });
  });
});

test('an empty lock from before this machine was started holds nothing, since a power cut left it; a newer one holds', () => {
  const root = temporaryFolder();
  const lock = join(root, folder, 'lock-1.json');
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(lock, '');
  expect(isHeld(acquire(root))).toBe(true);
  utimesSync(lock, 0, 0);
  expect(isHeld(acquire(root))).toBe(false);
});

test('locks of many runs of one process are each a lock of its own, in any order of release', () => {
  const root = temporaryFolder();
  const locks = createRunLocks(root);
  const others = createRunLocks(root);
  const take = (name: string) => {
    const lock = locks.acquire(name);
    if (isHeld(lock)) throw new Error(`held by ${lock.held_by}`);
    return lock;
  };
  const holder = (name: string) => readFileSync(join(root, '.agentstack/runs', name, 'lock-1.json'), 'utf8');
  const [a, b] = [take('a'), take('b')];
  for (const name of ['a', 'b']) {
    expect(JSON.parse(holder(name))).toMatchObject({ pid: process.pid });
    expect(isHeld(others.acquire(name))).toBe(true);
  }
  a.release();
  expect(isHeld(others.acquire('b'))).toBe(true);
  b.release();
  // None is left to be named once more.
  const c = take('c');
  expect(holder('c')).toContain(`"pid":${process.pid}`);
  const again = take('b');
  expect(isHeld(others.acquire('b'))).toBe(true);
  for (const lock of [c, again]) lock.release();
  expect(readdirSync(join(root, '.agentstack/runs'), { recursive: true }).filter((name) => String(name).includes('lock'))).toEqual([]);
});
