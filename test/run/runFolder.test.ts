import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StorageError } from '../../core/errors.js';
import { createNodeFiles } from '../../core/node/nodeFiles.js';
import { FileProblem, type FileProblemReason, type FileSystem } from '../../core/ports.js';
import { createRunFolder, createRunStore } from '../../core/run/runFolder.js';
import { createSnapshot } from '../../core/snapshot/createSnapshot.js';
import { minimal, resolve, sha256 } from '../snapshot/support.js';

const runId = '0123456789abcdef0123456789abcdef';
const folder = `.agentstack/runs/${runId}`;
const snapshot = createSnapshot({
  kind: 'agent',
  resolved: resolve({ files: { 'agents/A/v1': { ...minimal, model_name: 'x' } } }),
  sha256,
});
const snapshotPath = `${folder}/effective_config_${snapshot.hash}.json`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'run-folder-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const linesOf = (path: string) =>
  read(path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { type: string; seq?: number });

describe('a run on disk', () => {
  test('begins with the frozen config, its origins and a file that names them', async () => {
    const run = createRunFolder(createNodeFiles(root), runId);
    expect(readdirSync(root)).toEqual([]);
    const begun = await run.begin(snapshot, { input: { task: 'x' } });
    expect(begun).toEqual({ snapshot_path: snapshotPath });
    expect(read(snapshotPath)).toBe(snapshot.text);
    expect(sha256(read(snapshotPath))).toBe(snapshot.hash);
    expect(read(`${folder}/effective_config_${snapshot.hash}.origins.json`)).toBe(snapshot.origins_text);
    expect(JSON.parse(read(`${folder}/run.json`))).toEqual({
      run_id: runId,
      kind: 'agent',
      name: 'A',
      version: 'v1',
      environment: 'dev',
      llm_id: null,
      snapshot_hash: snapshot.hash,
      snapshot_path: snapshotPath,
      input: { task: 'x' },
    });
    expect(statSync(join(root, snapshotPath)).mode & 0o222).toBe(0);
  });

  test('has every event in order and ends with the result', async () => {
    const run = createRunFolder(createNodeFiles(root), runId);
    await run.begin(snapshot);
    const events = [
      { type: 'run_start', seq: 0 },
      { type: 'chunk', seq: 1, text: 'ä\n\u2028' },
      { type: 'final', seq: 2 },
    ];
    for (const event of events) await run.event(event);
    await run.end({ run_id: runId, success: true });
    expect(linesOf(`${folder}/events.jsonl`)).toEqual(events);
    expect(JSON.parse(read(`${folder}/result.json`))).toEqual({ run_id: runId, success: true });
    expect(readdirSync(join(root, folder)).sort()).toEqual(
      [
        'events.jsonl',
        'run.json',
        'result.json',
        `effective_config_${snapshot.hash}.json`,
        `effective_config_${snapshot.hash}.origins.json`,
      ].sort(),
    );
  });

  test('keeps itself out of version control', async () => {
    await createRunFolder(createNodeFiles(root), runId).begin(snapshot);
    expect(read('.agentstack/.gitignore')).toBe('*\n');
  });

  test('leaves a .gitignore of its owner alone', async () => {
    mkdirSync(join(root, '.agentstack'));
    writeFileSync(join(root, '.agentstack/.gitignore'), '');
    await createRunFolder(createNodeFiles(root), runId).begin(snapshot);
    expect(read('.agentstack/.gitignore')).toBe('');
  });

  test('never replaces a snapshot, but finds its own again', async () => {
    const files = createNodeFiles(root);
    await createRunFolder(files, runId).begin(snapshot);
    await createRunFolder(files, runId).begin(snapshot);
    rmSync(join(root, snapshotPath));
    writeFileSync(join(root, snapshotPath), 'something else');
    await expect(createRunFolder(files, runId).begin(snapshot)).rejects.toThrow(StorageError);
    expect(read(snapshotPath)).toBe('something else');
  });

  test.each(['', '..', '../x', 'a/b', '.hidden', 'a\\b'])('a run cannot be called %j', (name) =>
    expect(() => createRunFolder(createNodeFiles(root), name)).toThrow('cannot name'),
  );
});

describe('the store of a run', () => {
  test('keeps context and input beside the snapshot, then events and the result', async () => {
    const store = createRunStore(createNodeFiles(root));
    const context = { correlation_id: 'c', trace_id: 't', timestamp: '2026-01-01T00:00:00.000Z' };
    const agent = { snapshot } as Parameters<typeof store.begin>[0]['agent'];
    expect(await store.begin({ run_id: runId, agent, context, payload: { task: 'x' } })).toEqual({ snapshot_path: snapshotPath });
    await store.event({ run_id: runId, seq: 0, time: context.timestamp, final: false, type: 'chunk', text: 'hi' });
    await store.end({ run_id: runId } as Parameters<typeof store.end>[0]);
    expect(JSON.parse(read(`${folder}/run.json`))).toMatchObject({ snapshot_hash: snapshot.hash, context, input: { task: 'x' } });
    expect(linesOf(`${folder}/events.jsonl`)).toHaveLength(1);
    expect(JSON.parse(read(`${folder}/result.json`))).toEqual({ run_id: runId });
  });
});

describe('what reaches the disk when', () => {
  test('streamed text is collected, and a tool call takes it along', async () => {
    const { files, appended } = recording();
    const run = createRunFolder(files, runId);
    await run.begin(snapshot);
    for (const type of ['run_start', 'step_start', 'chunk', 'chunk']) await run.event({ type });
    expect(appended).toEqual([]);
    await run.event({ type: 'tool_call' });
    expect(appended).toHaveLength(1);
    expect(appended[0]?.split('\n')).toHaveLength(6);
  });

  test('a long answer is written in pieces', async () => {
    const { files, appended } = recording();
    const run = createRunFolder(files, runId);
    await run.begin(snapshot);
    for (let seq = 0; seq < 100; seq += 1) await run.event({ type: 'chunk', text: 'x'.repeat(1000) } as { type: string });
    expect(appended.length).toBeGreaterThanOrEqual(2);
    expect(appended.length).toBeLessThanOrEqual(4);
    await run.end({});
    expect(
      appended
        .join('')
        .split('\n')
        .filter((line) => line !== ''),
    ).toHaveLength(100);
  });
});

describe('storage that fails', () => {
  test.each<[FileProblemReason, string]>([
    ['disk-full', 'Free some space'],
    ['no-permission', 'write permission'],
    ['io', 'Check the disk'],
    ['outside-project', 'Replace the link'],
  ])('at the beginning (%s): an error that names the file and the way out', async (reason, remedy) => {
    const { files } = recording((path) => (path.includes('effective_config') ? reason : undefined));
    const failure = await createRunFolder(files, runId)
      .begin(snapshot)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StorageError);
    expect(failure).toMatchObject({ code: 'storage', message: expect.stringContaining(snapshotPath), cause: expect.any(FileProblem) });
    expect((failure as Error).message).toContain(remedy);
  });

  test('while it runs: the events are kept and written with the next ones, after a line of their own', async () => {
    let isFull = true;
    const { files, appended } = recording((path) => (isFull && path.endsWith('events.jsonl') ? 'disk-full' : undefined));
    const run = createRunFolder(files, runId);
    await run.begin(snapshot);
    await run.event({ type: 'run_start' });
    await expect((async () => run.event({ type: 'tool_call' }))()).rejects.toThrow(StorageError);
    isFull = false;
    await run.event({ type: 'final' });
    expect(appended).toEqual(['\n{"type":"run_start"}\n{"type":"tool_call"}\n{"type":"final"}\n']);
  });

  test('at the end: the result is written even where the events cannot be', async () => {
    const { files, written } = recording((path) => (path.endsWith('events.jsonl') ? 'disk-full' : undefined));
    const run = createRunFolder(files, runId);
    await run.begin(snapshot);
    await run.event({ type: 'chunk' });
    await expect(run.end({ success: true })).rejects.toThrow('events.jsonl');
    expect(written.get(`${folder}/result.json`)).toContain('"success": true');
  });

  test('a bug in an adapter is not a storage error', async () => {
    const { files } = recording();
    const broken: FileSystem = { ...files, writeText: () => Promise.reject(new TypeError('bug')) };
    await expect(createRunFolder(broken, runId).begin(snapshot)).rejects.toThrow(TypeError);
  });

  test('two runs that begin at once both make their folder', async () => {
    const { files, written } = recording((path, exclusive) => (path.endsWith('.gitignore') && exclusive ? 'exists' : undefined));
    await createRunFolder(files, runId).begin(snapshot);
    expect(written.has(snapshotPath)).toBe(true);
  });
});

/** A project folder in memory that fails where it is told to. */
function recording(fault: (path: string, exclusive: boolean) => FileProblemReason | undefined = () => undefined) {
  const written = new Map<string, string>();
  const appended: string[] = [];
  const fail = (path: string, exclusive = false) => {
    const reason = fault(path, exclusive);
    if (reason) throw new FileProblem(reason, path, `${path}: ${reason}`);
  };
  const files: FileSystem = {
    async readText(path) {
      const text = written.get(path);
      if (text === undefined) throw new FileProblem('not-found', path, `${path} is not there`);
      return text;
    },
    readOpened: async (path) => ({ text: await files.readText(path), path, names: 1 }),
    list: async () => [],
    async writeText(path, text, options) {
      fail(path, options?.exclusive);
      written.set(path, text);
    },
    async appendText(path, text) {
      fail(path);
      appended.push(text);
    },
  };
  return { files, written, appended };
}
