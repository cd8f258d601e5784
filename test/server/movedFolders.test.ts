import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { FileChangeType } from 'vscode-languageserver';
import { fullCapabilities } from '../support/lspClient.js';
import { type Harness, openServer } from '../support/serverHarness.js';
import { agentText, llmText } from './agents.js';

const two = 'config/agents/A2/v1.json';
const flow = 'config/orchestrations/flow.json';
const files = {
  'project/agentstack.json': '{}',
  [`project/${two}`]: agentText({ llm_config_id: 'main', temperature: 9 }),
  'project/config/agents/B/v1.json': agentText({ llm_config_id: 'other' }, 'B'),
  'project/config/llms/main.json': llmText('main'),
  [`project/${flow}`]: JSON.stringify({
    name: 'flow',
    entry_team: 'one',
    teams: { one: { name: 'One', tasks: [{ name: 't', agent: 'A2@v1', input: { task: 'x' } }], routing: { rules: [], default: null } } },
  }),
};

async function everythingFound({ service, uri }: Harness) {
  service.settle();
  await service.workspace.ready();
  const found: Record<string, readonly unknown[]> = {};
  for (const path of Object.keys(files)) found[path] = (await service.diagnose(uri(path))).items.map(({ message }) => message);
  return found;
}

/** Moves a folder, as another program does: only its own name is reported. */
function move({ root, service }: Harness, from: string, to: string): void {
  renameSync(join(root, from), join(root, to));
  service.filesChanged([
    { uri: pathToFileURL(join(root, from)).href, type: FileChangeType.Deleted },
    { uri: pathToFileURL(join(root, to)).href, type: FileChangeType.Created },
  ]);
}

test.each(['config/agents/A2', 'config/agents', 'config/llms', 'config/orchestrations', 'config', ''])(
  'project/%s moved away and back leaves what was found before',
  async (folder) => {
    const server = await openServer(files);
    server.edit(`project/${flow}`, files[`project/${flow}`]!);
    const before = await everythingFound(server);
    expect(before[`project/${two}`]).toHaveLength(1);
    expect(before[`project/${flow}`]).toEqual([]);
    const path = folder === '' ? 'project' : `project/${folder}`;
    move(server, path, 'away');
    await everythingFound(server);
    move(server, 'away', path);
    expect(await everythingFound(server)).toEqual(before);
  },
);

test('a folder of agents that is gone is missed, and one that has come is found', async () => {
  const server = await openServer(files);
  server.edit(`project/${flow}`, files[`project/${flow}`]!);
  move(server, 'project/config/agents', 'away');
  expect((await everythingFound(server))[`project/${flow}`]).toEqual([expect.stringContaining('no agent "A2"')]);
  expect(server.affected).toContain(flow);
  move(server, 'away', 'project/config/agents');
  expect((await everythingFound(server))[`project/${flow}`]).toEqual([]);
});

test('a deleted file that stays open counts no more, also when another language opens it anew', async () => {
  const server = await openServer(files, { client: { ...fullCapabilities, experimental: { projectDiagnostics: true } } });
  const path = `project/${two}`;
  const codes = async () => (await everythingFound(server))[path];
  server.edit(path, files[path]!);
  expect(await codes()).toHaveLength(1);
  server.write(path, undefined);
  expect(await codes()).toEqual([]);
  server.close(path);
  server.edit(path, files[path]!);
  expect(await codes()).toEqual([]);
  server.edit(path, `${files[path]} `);
  expect(await codes()).toHaveLength(1);
});
