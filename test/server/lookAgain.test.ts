import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { fullCapabilities } from '../support/lspClient.js';
import { type Harness, openServer } from '../support/serverHarness.js';
import { agentText, llmText } from './agents.js';

const one = 'config/agents/A2/v1.json';
const main = 'config/llms/main.json';
const files = { 'agentstack.json': '{}', [one]: agentText({ llm_config_id: 'main' }), [main]: llmText('main') };

function put({ root }: Harness, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

async function codes({ service, uri }: Harness, path: string): Promise<readonly unknown[]> {
  return (await service.diagnose(uri(path))).items.map(({ code }) => code);
}

/** Looks again, and says which files were affected by what it found. */
async function affectedBy(server: Harness): Promise<readonly string[]> {
  const before = server.affected.length;
  server.service.lookAgain();
  await server.service.workspace.ready();
  return server.affected.slice(before);
}

test('what has changed on the disk without a word is found, file by file', async () => {
  const server = await openServer(files);
  put(server, one, agentText({ llm_config_id: 'main', temperature: 9 }));
  expect(await affectedBy(server)).toEqual([one]);
  expect(await codes(server, one)).toEqual(['schema']);
  rmSync(join(server.root, main));
  expect(await affectedBy(server)).toContain(one);
  expect(await codes(server, one)).toContain('unknown-llm');
  put(server, main, llmText('main'));
  put(server, one, agentText({ llm_config_id: 'main' }));
  await affectedBy(server);
  expect(await codes(server, one)).toEqual([]);
});

test('nothing is affected while the disk is as it was, also with a file that nothing reads', async () => {
  const server = await openServer({ ...files, 'config/agents/A2/v2.yaml': 'agent_name: A2' });
  await affectedBy(server);
  expect(await affectedBy(server)).toEqual([]);
  server.edit(one, agentText({ temperature: 9 }));
  await codes(server, one);
  expect(await affectedBy(server)).toEqual([]);
});

test('folders and projects that have come, moved or gone are found', async () => {
  const server = await openServer({ 'project/agentstack.json': '{}', [`project/${one}`]: files[one]!, [`project/${main}`]: files[main]! });
  renameSync(join(server.root, 'project/config/llms'), join(server.root, 'away'));
  await affectedBy(server);
  expect(await codes(server, `project/${one}`)).toEqual(['unknown-llm']);
  renameSync(join(server.root, 'away'), join(server.root, 'project/config/llms'));
  put(server, 'made/inside/agentstack.json', '{}');
  put(server, `made/inside/${one}`, agentText({ temperature: 9 }));
  await affectedBy(server);
  expect(await codes(server, `project/${one}`)).toEqual([]);
  expect(server.service.workspace.projects.map(({ root }) => root.slice(server.root.length))).toEqual(['/made/inside', '/project']);
  rmSync(join(server.root, 'made'), { recursive: true });
  await affectedBy(server);
  expect(server.service.workspace.projects).toHaveLength(1);
});

test('a deleted file that stays open counts no more', async () => {
  const server = await openServer(files, { client: { ...fullCapabilities, experimental: { projectDiagnostics: true } } });
  server.edit(one, agentText({ temperature: 9 }));
  expect(await codes(server, one)).toEqual(['schema']);
  rmSync(join(server.root, one));
  await affectedBy(server);
  expect(await codes(server, one)).toEqual([]);
});

test('a look at 1,000 agents that have not changed checks none of them', async () => {
  const agents = Array.from({ length: 1000 }, (_, at) => [`config/agents/A${at}/v1.json`, agentText({}, `A${at}`)] as const);
  const server = await openServer({ ...files, ...Object.fromEntries(agents) });
  const started = performance.now();
  expect(await affectedBy(server)).toEqual([]);
  if (process.env.AGENT_STACK_FIGURES) console.log(`${Math.round(performance.now() - started)} ms`);
});
