import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openProject } from '../../core/node/openProject.js';
import { FileProblem, type FileSystem } from '../../core/ports.js';
import { openWithKey, readAll, run, served } from './hostile.js';

const answer = '{"tone":"formal"}';

describe('many runs at once', () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  beforeEach(() => {
    warnings.length = 0;
    process.on('warning', onWarning);
  });
  afterEach(() => {
    process.off('warning', onWarning);
  });
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

  test.each([
    ['end', { text: ['{"tone"', ':"formal"}'] }, 'completed'],
    ['are cancelled', { fault: 'hang' }, 'cancelled'],
  ] as const)('200 under one signal that %s leave no listener, no timer and no warning', async (_name, reply, status) => {
    const { server, project } = await served(reply);
    const before = timers();
    const controller = new AbortController();
    const { signal } = controller;
    const runs = Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        run(project, { payload: { index }, signal, keep: status === 'cancelled' ? 'none' : 'folder' }),
      ),
    );
    if (status === 'cancelled') {
      await expect.poll(() => server.requests.length, { timeout: 15_000 }).toBe(200);
      controller.abort();
    }
    const ended = await runs;
    expect(new Set(ended.map(({ result }) => result.status))).toEqual(new Set([status]));
    expect(new Set(ended.map(({ result }) => result.run_id)).size).toBe(200);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await expect.poll(timers).toBeLessThanOrEqual(before + 1);
    expect(warnings).toEqual([]);
  });
});

describe('a disk that fills up', () => {
  /** The project's own files, until `room` characters of the run have been written. */
  const filling = (files: FileSystem, room: number): FileSystem => {
    let left = room;
    const spend = (path: string, text: string) => {
      left -= text.length;
      if (left < 0) throw new FileProblem('disk-full', path, `${path} cannot be written: the disk is full.`);
    };
    return {
      list: (path) => files.list(path),
      readText: (path) => files.readText(path),
      readOpened: (path) => files.readOpened(path),
      writeText: (path, text, options) => {
        spend(path, text);
        return files.writeText(path, text, options);
      },
      appendText: (path, text) => {
        spend(path, text);
        return files.appendText(path, text);
      },
    };
  };

  test.each([
    ['before the run', 0, 0],
    ['while the configuration is written', 1500, 0],
    ['while it streams', 40_000, 1],
  ])('%s ends it with what is to be done, and loses no answer', async (_name, room, requests) => {
    const words = Array.from({ length: 3000 }, (_, index) => `word ${index} `);
    const { server, folder } = await served({ text: words });
    const { ports } = openWithKey(folder);
    const project = openProject(folder, { ports: { ...ports, files: filling(ports.files, room) } });
    const { result } = await run(project);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'storage' } });
    expect(result.error?.message).toMatch(/\(disk-full\)\. Free some space on the disk and run again\./);
    expect(server.requests).toHaveLength(requests);
    const kept = [...readAll(`${folder}/.agentstack`)];
    const linesOf = (name: string) =>
      kept.flatMap(([path, text]) => (path.endsWith(name) ? text.split('\n').filter((line) => line !== '') : []));
    for (const line of linesOf('events.jsonl')) expect(JSON.parse(line)).toHaveProperty('seq');
    for (const line of linesOf('steps.jsonl')) expect(JSON.parse(line)).toHaveProperty('step');
  });

  test('when the answer is there hands it on, and says that it was not kept', async () => {
    const { folder } = await served({ text: answer });
    const { ports } = openWithKey(folder);
    const whole = { ...ports.files, list: ports.files.list.bind(ports.files), readText: ports.files.readText.bind(ports.files) };
    const files: FileSystem = {
      ...whole,
      writeText: (path, text, options) => ports.files.writeText(path, text, options),
      appendText: (path) => {
        throw new FileProblem('disk-full', path, `${path} cannot be written: the disk is full.`);
      },
    };
    const { result } = await run(openProject(folder, { ports: { ...ports, files } }));
    expect(result.output).toEqual({ tone: 'formal' });
    expect(result.error?.code).toBe('storage');
  });
});
