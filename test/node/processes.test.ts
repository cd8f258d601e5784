import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createNodeEnvironment } from '../../core/node/nodePorts.js';
import { createNodeProcesses } from '../../core/node/processes.js';
import { windowsProgram } from '../../core/node/windowsProgram.js';
import type { RunningProcess } from '../../core/ports.js';
import { endOf, isRunning } from '../support/processes.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

const node = process.execPath;

function start(script: string, options: { cwd?: string; root?: string; env?: Record<string, string> } = {}): RunningProcess {
  const processes = createNodeProcesses(options.root ?? temporaryFolder(), createNodeEnvironment());
  const env = { ...processes.baseEnvironment, ...options.env };
  const started = processes.start({ command: node, args: ['-e', script], env, cwd: options.cwd ?? '' });
  onTestFinished(() => started.stop(0));
  return started;
}

async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function firstLine(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  const iterator = stream[Symbol.asyncIterator]();
  while (!text.includes('\n')) {
    const next = await iterator.next();
    if (next.done) break;
    text += Buffer.from(next.value).toString();
  }
  return text.split('\n')[0] ?? '';
}

describe('a program', () => {
  test('gets what is written, and prints on two streams', async () => {
    const cat = start('process.stdin.pipe(process.stdout); console.error("note")');
    await cat.write('one\n');
    await cat.write('zwölf\n');
    const [out, err] = [textOf(cat.stdout), textOf(cat.stderr)];
    await cat.stop();
    expect(await out).toBe('one\nzwölf\n');
    expect(await err).toBe('note\n');
    expect(await cat.ended).toEqual({ code: 0, signal: null });
  });

  test('has the environment it was given and nothing of ours', async () => {
    process.env.SECRET_OF_OURS = 'x';
    onTestFinished(() => void delete process.env.SECRET_OF_OURS);
    const printed = start('console.log(JSON.stringify(process.env))', { env: { MINE: 'yes' } });
    const env = JSON.parse(await textOf(printed.stdout));
    expect(env).toMatchObject({ MINE: 'yes', PATH: process.env.PATH });
    expect(env).not.toHaveProperty('SECRET_OF_OURS');
  });

  test('starts in a folder of the project and in no other', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'sub'));
    symlinkSync(tmpdir(), join(root, 'out'));
    const where = (cwd: string) => start('console.log(process.cwd())', { root, cwd });
    expect(await firstLine(where('').stdout)).toBe(root);
    expect(await firstLine(where('sub').stdout)).toBe(join(root, 'sub'));
    expect((await where('none').ended).failure).toMatch(/none does not exist/);
    expect((await where('out').ended).failure).toMatch(/not inside the project/);
    expect((await where('../..').ended).failure).toMatch(/not inside the project/);
  });

  test('that is not there is said to be missing', async () => {
    const processes = createNodeProcesses(temporaryFolder(), createNodeEnvironment());
    const tryTo = async (command: string) => {
      const started = processes.start({ command, args: [], env: { PATH: process.env.PATH ?? '' }, cwd: '' });
      const { failure } = await started.ended;
      await expect(started.write('x')).rejects.toThrow();
      await started.stop();
      return failure;
    };
    expect(await tryTo('no-such-program-here')).toMatch(/there is no program "no-such-program-here" in the folders of PATH/);
    expect(await tryTo('./no/such')).toMatch(/there is no program \.\/no\/such/);
    expect(await tryTo('zero\0byte')).toMatch(/null bytes/);
  });

  test('that may not be executed is said to be so', async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, 'script'), '#!/bin/sh\n', { mode: 0o644 });
    const processes = createNodeProcesses(root, createNodeEnvironment());
    expect((await processes.start({ command: './script', args: [], env: {}, cwd: '' }).ended).failure).toMatch(/may not be executed/);
  });

  test('takes no input after its end', async () => {
    const ended = start('process.stdin.destroy(); process.exit(3)');
    expect(await ended.ended).toEqual({ code: 3, signal: null });
    await ended.stop();
    await expect(ended.write('x')).rejects.toThrow(/no input any more/);
  });
});

describe('stop', () => {
  test('lets a program end by itself when its input closes', async () => {
    const root = temporaryFolder();
    const polite = start(`process.stdin.resume().on('end', () => require('fs').writeFileSync('bye', '')); console.log('up')`, { root });
    await firstLine(polite.stdout);
    await polite.stop();
    expect(existsSync(join(root, 'bye'))).toBe(true);
    expect(await polite.ended).toEqual({ code: 0, signal: null });
  });

  test('asks one that goes on, and then insists', async () => {
    const deaf = start(`process.on('SIGTERM', () => console.log('no')); setInterval(() => {}, 1000); console.log('up')`);
    await firstLine(deaf.stdout);
    const begun = performance.now();
    await Promise.all([deaf.stop(50), deaf.stop()]);
    expect(performance.now() - begun).toBeLessThan(8000);
    expect(await deaf.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('takes along what the program has started, also when the program is gone already', async () => {
    for (const ending of ['', 'setTimeout(() => process.exit(), 50)']) {
      const parent =
        start(`const child = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {stdio: 'inherit'});
        console.log(child.pid); ${ending}`);
      const child = Number(await firstLine(parent.stdout));
      expect(isRunning(child)).toBe(true);
      if (ending !== '') await parent.ended;
      await parent.stop(50);
      expect(isRunning(child)).toBe(false);
    }
  });

  test.runIf(process.platform === 'linux')('takes along what has left the process group', async () => {
    // Its memory takes the system a while to take back: it has lost its environment by then, and is not gone.
    const deaf = `const held = Buffer.alloc(2 ** 28, 1); process.on('SIGTERM', () => held); console.log(process.pid); setInterval(() => 0, 1000)`;
    for (const ending of ['', 'setTimeout(() => process.exit(), 300)']) {
      // A daemon: of a session of its own, and its parent is gone.
      const between = `const daemon = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(deaf)}],
        { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }); daemon.unref()`;
      const parent = start(`require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(between)}],
        { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }).unref(); setInterval(() => 0, 1000); ${ending}`);
      const daemon = Number(await firstLine(parent.stdout));
      expect(isRunning(daemon)).toBe(true);
      if (ending !== '') await parent.ended;
      await parent.stop(50);
      expect(isRunning(daemon)).toBe(false);
    }
  });
});

describe('programs end with the process that started them', () => {
  test.each([
    ['SIGTERM', 'process.kill(process.pid, "SIGTERM")', { code: null, signal: 'SIGTERM' }],
    ['SIGINT', 'process.kill(process.pid, "SIGINT")', { code: null, signal: 'SIGINT' }],
    ['an uncaught error', 'throw new Error("bug")', { code: 1, signal: null }],
    ['exit', 'process.exit(4)', { code: 4, signal: null }],
  ])('by %s', async (_name, ending, end) => {
    const root = temporaryFolder();
    const module = join(root, 'processes.mjs');
    await build({ entryPoints: ['core/node/processes.ts'], bundle: true, platform: 'node', format: 'esm', outfile: module });
    writeFileSync(
      join(root, 'parent.mjs'),
      `import { createNodeProcesses } from ${JSON.stringify(pathToFileURL(module).href)};
      const processes = createNodeProcesses(${JSON.stringify(root)}, { get: (name) => process.env[name] });
      const deaf = 'process.on("SIGTERM", () => 0); setInterval(() => 0, 1000); require("fs").writeFileSync("pid", String(process.pid))';
      processes.start({ command: process.execPath, args: ['-e', deaf], env: processes.baseEnvironment, cwd: '' });
      const { existsSync, readFileSync } = await import('node:fs');
      while (!existsSync('pid') || readFileSync('pid', 'utf8') === '') await new Promise((resolve) => setTimeout(resolve, 10));
      setTimeout(() => { ${ending} }, 10);
      setInterval(() => 0, 1000);`,
    );
    const parent = spawn(node, ['parent.mjs'], { cwd: root, stdio: 'ignore' });
    const parentEnd = await new Promise((resolve) => parent.once('exit', (code, signal) => resolve({ code, signal })));
    expect(parentEnd).toEqual(end);
    await endOf(Number(readFileSync(join(root, 'pid'), 'utf8')));
  });
});

describe('on Windows', () => {
  const env = { Path: 'C:\\node;"C:\\Program Files\\x"', PATHEXT: '.EXE;.CMD', ComSpec: 'C:\\Windows\\cmd.exe' };
  const files =
    (...paths: string[]) =>
    (path: string) =>
      paths.includes(path.toUpperCase());

  test('a program is found by its endings, a script for other systems is not', () => {
    const isFile = files('C:\\NODE\\NODE.EXE', 'C:\\NODE\\NPX', 'C:\\PROGRAM FILES\\X\\UVX.EXE');
    expect(windowsProgram('node', ['a b'], env, 'C:\\p', isFile)).toEqual({ file: 'C:\\node\\node.EXE', args: ['a b'] });
    expect(windowsProgram('uvx.exe', [], env, 'C:\\p', isFile)).toEqual({ file: 'C:\\Program Files\\x\\uvx.exe', args: [] });
    expect(windowsProgram('npx', [], env, 'C:\\p', isFile)).toEqual({ file: 'npx', args: [] });
    expect(windowsProgram('.\\bin\\run', [], env, 'C:\\p', files('C:\\P\\BIN\\RUN.EXE')).file).toBe('C:\\p\\bin\\run.EXE');
  });

  test('a batch file goes through the interpreter, its arguments as they are', () => {
    expect(windowsProgram('npx', ['-y', 'a&b', 'say "x"\\'], env, 'C:\\p', files('C:\\NODE\\NPX.CMD'))).toEqual({
      file: 'C:\\Windows\\cmd.exe',
      args: ['/d', '/s', '/c', `"^"C:\\node\\npx.CMD^" ^^^"-y^^^" ^^^"a^^^&b^^^" ^^^"say^^^ \\^^^"x\\^^^"\\\\^^^""`],
      verbatim: true,
    });
  });
});
