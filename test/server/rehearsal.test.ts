import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { ClientCapabilities, InitializeParams } from 'vscode-languageserver';
import { features } from '../../server/features/index.js';
import type { ServiceHost } from '../../server/host.js';
import { createNodeHost } from '../../server/nodeHost.js';
import { Rehearsal } from '../../server/rehearsal/rehearsal.js';
import { findRehearsedFile } from '../../server/rehearsal/rehearsedFile.js';
import { rehearseTyping } from '../../server/rehearsal/rehearseTyping.js';
import { type Harness, openServer } from '../support/serverHarness.js';
import { agentText, llmText } from './agents.js';

const pulls: ClientCapabilities = { textDocument: { diagnostic: {} } };

function paramsOf({ root }: Harness, capabilities: ClientCapabilities = pulls): InitializeParams {
  return { processId: null, rootUri: pathToFileURL(root).href, capabilities };
}

/** Node's host, whose clock goes on by so many milliseconds each time somebody looks at it, and the codes of the rules that were told of. */
function watchedHost(step = 0) {
  const told = new Set<string>();
  let now = 0;
  const host: ServiceHost = {
    ...createNodeHost({ trusted: false }),
    clock: {
      monotonic: () => {
        now += step;
        return now;
      },
    },
    rulePage: (code) => {
      told.add(code);
      return undefined;
    },
  };
  return { host, told };
}

interface Told {
  readonly heard?: () => number;
  readonly capabilities?: ClientCapabilities;
}

/** Rehearses with a clock on which every keystroke takes 2 ms or somewhat more, since others look at it too. */
async function rehearse(server: Harness, { heard = () => 0, capabilities = pulls }: Told = {}) {
  const { host, told } = watchedHost(2);
  const pauses: number[] = [];
  const pause = (milliseconds: number) => {
    pauses.push(milliseconds);
    return new Promise<void>((resolve) => setImmediate(resolve));
  };
  const { workspace } = server.service;
  const typed = await rehearseTyping({ features, params: paramsOf(server, capabilities), host, workspace, heard, pause });
  return { typed, told, pauses };
}

const agent = 'config/agents/A2/v1.json';
const project = { [agent]: agentText({ llm_config_id: 'fast', temperature: 1 }), 'config/llms/fast.json': llmText('fast') };

describe('typing that is rehearsed', () => {
  test('finds what is wrong with what is typed, as the user would be told, and nothing else', async () => {
    const { told } = await rehearse(await openServer(project));
    // A number above its maximum, and a name and a version that differ from the path. Neither the profile nor anything else is missing.
    expect([...told].sort()).toEqual(['name-matches-path', 'schema', 'version-matches-path']);
  });

  test('finds it also where diagnostics are sent', async () => {
    const { told } = await rehearse(await openServer(project), { capabilities: {} });
    expect([...told].sort()).toEqual(['name-matches-path', 'schema', 'version-matches-path']);
  });

  test('leaves open documents, files and findings of the user alone', async () => {
    const server = await openServer({ ...project, [agent]: `${project[agent]}|` });
    const before = server.affected.length;
    await rehearse(server);
    expect(server.text(agent)).toBe(project[agent]);
    expect(readFileSync(join(server.root, agent), 'utf8')).toBe(project[agent]);
    expect(server.affected.slice(before)).toEqual([]);
    expect((await server.service.diagnose(server.uri(agent))).items).toEqual([]);
  });

  test('ends when it has taken a quarter of a second in all', async () => {
    const { typed } = await rehearse(await openServer(project));
    expect(typed).toBeGreaterThan(30);
    expect(typed).toBeLessThanOrEqual(125);
  });

  test('waits whenever the client has been heard, until it is quiet', async () => {
    let messages = 0;
    // One message after each of the first ten looks.
    const heard = () => {
      if (messages < 10) messages += 1;
      return messages;
    };
    const { pauses, typed } = await rehearse(await openServer(project), { heard });
    expect(typed).toBeGreaterThan(30);
    expect(pauses.filter((milliseconds) => milliseconds > 20).length).toBeGreaterThanOrEqual(4);
    expect(pauses.slice(-20).every((milliseconds) => milliseconds < 5)).toBe(true);
  });

  test('is left out where there is no agent', async () => {
    expect((await rehearse(await openServer({ 'config/llms/fast.json': llmText('fast') }))).typed).toBe(0);
  });

  test('is left out where there is nothing to type in', async () => {
    expect((await rehearse(await openServer({ [agent]: '{}' }))).typed).toBe(0);
  });
});

describe('the file that is typed in', () => {
  const found = async (server: Harness) => findRehearsedFile(server.service.workspace, createNodeHost({ trusted: false }));

  test('is an open agent before any other, as the editor has it', async () => {
    const server = await openServer({ ...project, 'config/agents/Z/v1.json': `${agentText({}, 'Z')}|` });
    server.edit('config/agents/Z/v1.json', agentText({ description: 'Not saved.' }, 'Z'));
    expect(await found(server)).toMatchObject({ uri: server.uri('config/agents/Z/v1.json'), text: expect.stringContaining('Not saved.') });
  });

  test('is no agent that is very large or needs the schema compiler', async () => {
    const withPattern = { type: 'object', properties: { tone: { type: 'string', pattern: '^(?=a)b' } }, required: ['tone'] };
    const server = await openServer({
      'config/agents/A/v1.json': agentText({ system_text: 'x'.repeat(70_000) }, 'A'),
      'config/agents/B/v1.json': agentText({ mode: 'Writer', output_schema: withPattern, enums: {} }, 'B'),
      'config/agents/C/v1.json': '{ "agent_name": ',
      'config/agents/D/v1.json': agentText({}, 'D'),
    });
    expect((await found(server))?.uri).toBe(server.uri('config/agents/D/v1.json'));
  });

  test('lies in a project of its own, which has what it refers to, and which nobody can write to', async () => {
    const server = await openServer({
      [agent]: agentText({ persona_key: 'calm' }),
      'config/personas/calm.json': JSON.stringify({ llm_config_id: 'fast' }),
      'config/llms/fast.json': llmText('fast'),
      'config/llms/other.json': llmText('other'),
      'config/system.json': '{}',
    });
    const files = (await found(server))?.host.openFiles(server.root);
    expect(files?.list('config')).toEqual([
      { name: 'agents', kind: 'directory' },
      { name: 'llms', kind: 'directory' },
      { name: 'personas', kind: 'directory' },
      { name: 'system.json', kind: 'file' },
    ]);
    expect(files?.list('config/llms')).toEqual([{ name: 'fast.json', kind: 'file' }]);
    expect(files?.readText('config/llms/fast.json')).toBe(llmText('fast'));
    expect(() => files?.readText('config/llms/other.json')).toThrow('does not exist');
    expect(() => files?.writeText(agent, '{}')).toThrow('cannot be written');
  });
});

test('an agent that names no profile has the first one with it', async () => {
  const server = await openServer({ [agent]: agentText(), 'config/llms/a.json': llmText('a'), 'config/llms/b.json': llmText('b') });
  const found = findRehearsedFile(server.service.workspace, createNodeHost({ trusted: false }));
  expect(found?.host.openFiles(server.root).list('config/llms')).toEqual([{ name: 'a.json', kind: 'file' }]);
});

test('a rehearsal answers as the server does: what is typed and taken back leaves nothing wrong', async () => {
  const server = await openServer(project);
  const { host, told } = watchedHost();
  const file = findRehearsedFile(server.service.workspace, host)!;
  const rehearsal = new Rehearsal({ features, params: paramsOf(server), ...file });
  await rehearsal.open();
  expect([...told]).toEqual([]);
  const start = file.text.indexOf('"temperature": 1') + '"temperature": '.length;
  await rehearsal.type({ start, end: start, text: '9' });
  expect([...told]).toEqual(['schema']);
  told.clear();
  await rehearsal.type({ start, end: start + 1, text: '' });
  expect([...told]).toEqual([]);
});
