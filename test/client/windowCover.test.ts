import { expect, test } from 'vitest';
import type { LogOutputChannel, Memento } from 'vscode';
import { newFacts, Transcript, toFields } from '../../client/panels/run/transcript.js';
import { coverChannel, coverMemory } from '../../client/ports/editorCover.js';
import { WindowCover } from '../../client/ports/windowCover.js';
import type { ProjectFolder } from '../../client/projects.js';
import { LastChoices } from '../../client/views/run/lastChoice.js';
import type { JsonObject } from '../../core/json.js';
import { createNodeEnvironment } from '../../core/node/nodePorts.js';
import { openProject } from '../../core/node/openProject.js';
import { encodings, expectNoSecret, modelKey, toldSecrets } from '../secrets/marked.js';
import { look, markedEnvironment, markedProject, writtenIn } from '../secrets/markedProject.js';

/** An output channel that keeps what is written, and a name to tell that the rest is there. */
function channel(lines: unknown[]): LogOutputChannel {
  const write = (...given: readonly unknown[]) => void lines.push(...given);
  return { name: 'Agent Stack', debug: write, info: write, warn: write, error: write } as unknown as LogOutputChannel;
}

function memento(values: Map<string, unknown>): Memento {
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: async (key: string, value: unknown) => void values.set(key, value),
  } as Memento;
}

const words = (lines: readonly unknown[]) =>
  lines.map((line) => (line instanceof Error ? `${line.message} ${line.stack} ${String(line.cause)}` : String(line))).join('\n');

test('a run in the editor writes no secret: to its pages, its log, its files and its memory', async () => {
  const { folder } = await markedProject();
  const cover = new WindowCover();
  const lines: unknown[] = [];
  const log = coverChannel(channel(lines), cover);
  const environment = createNodeEnvironment({ ...markedEnvironment, PATH: process.env.PATH });
  const logger = {
    log: (level: 'debug' | 'info' | 'warn' | 'error', message: string, fields?: object) =>
      log[level](`${message} ${JSON.stringify(fields)}`),
  };
  const project = openProject(folder, {
    ports: { environment, logger, knownSecrets: await cover.load() },
    tools: [look],
    trustedTools: { notes: ['echo', 'env', 'result'] },
  });
  const payload = { title: toldSecrets, [modelKey]: [toldSecrets] };
  const transcript = new Transcript(
    newFacts({ agent: 'Looker', version: 'v1', project: '', root: '', status: 'running', input: toFields(payload, 'unchecked') }),
  );
  const pages: unknown[] = [];
  for await (const event of project.run({ agent_name: 'Looker', payload, delivery: 'call', keep: 'folder' })) {
    const events = transcript.add(event as unknown as JsonObject);
    pages.push(cover.apply({ type: 'more', facts: transcript.facts, events }));
  }
  expect(transcript.facts.status).toBe('completed');
  expect(JSON.stringify(pages)).toContain('*'.repeat(modelKey.length));
  expectNoSecret(pages.map((page) => JSON.stringify(page)).join('\n'));
  expectNoSecret(words(lines));
  expect(lines.length).toBeGreaterThan(3);
  expectNoSecret(writtenIn(folder));
});

test('what a window keeps waits until the keys are known', async () => {
  const cover = new WindowCover();
  const kept = new Map<string, unknown>();
  const memory = coverMemory(memento(kept), cover, async () => (await cover.load()).add(modelKey));
  const choices = new LastChoices(memory, { root: '/project' } as ProjectFolder);
  await choices.keep({ agent_name: 'A', version: 'v1', case: null, llm: null, payload: { title: encodings(modelKey).join(' ') } });
  expectNoSecret(JSON.stringify([...kept]), [modelKey]);
  expect(choices.find('A')?.typed).toEqual({ title: expect.stringContaining('*'.repeat(modelKey.length)) });
});

test('the output channel and notifications hold none, and all else of the channel is there', async () => {
  const cover = new WindowCover();
  const lines: unknown[] = [];
  const log = coverChannel(channel(lines), cover);
  log.info(modelKey);
  expect(lines).toEqual([modelKey]);
  lines.length = 0;
  (await cover.load()).add(modelKey);
  const error = new TypeError(`no ${modelKey}`, { cause: new Error(modelKey) });
  log.error(error, modelKey);
  log.warn('nothing to hide');
  expectNoSecret(words(lines), [modelKey]);
  expect(lines[0]).toBeInstanceOf(TypeError);
  expect(lines.at(-1)).toBe('nothing to hide');
  expect(log.name).toBe('Agent Stack');
  expect(cover.apply(`The key ${modelKey} is wrong.`)).toBe(`The key ${'*'.repeat(modelKey.length)} is wrong.`);
});
