import { expect, test } from 'vitest';
import { nothingRegistered } from '../../core/config/projectIndex.js';
import { defaultSettings } from '../../core/config/readSettings.js';
import { createNodeHost } from '../../server/nodeHost.js';
import { temporaryProject, write } from '../cli/command.js';
import { openServer } from '../support/serverHarness.js';

const settings = { ...defaultSettings, tools: './tools.mjs' };

test('the code of a module of tools runs only where the client says that the user trusts the workspace', async () => {
  const root = temporaryProject({});
  write(root, 'tools.mjs', "export const stock = { name: 'stock', description: 'Counts.', call: () => 5 };");
  const listed = async (options: { trusted: boolean; trustsCode?: boolean }) => {
    const { tools, ...others } = await createNodeHost(options).registeredIn(root)(settings);
    return { tools: tools.map(({ name }) => name), ...others };
  };
  expect(await listed({ trusted: true, trustsCode: true })).toEqual({ tools: ['stock'], providers: [], isModuleLoaded: true });
  const moduleUnseen = expect.stringContaining('./tools.mjs were not looked at');
  for (const options of [{ trusted: true }, { trusted: false }])
    expect(await listed(options)).toEqual({ tools: [], providers: [], isModuleLoaded: false, moduleUnseen });
});

test('the module is asked again when it, or code beside it, is saved', async () => {
  let name = 'stock';
  const registeredIn = () => async () => ({ ...nothingRegistered, tools: [tool(name)], isModuleLoaded: true });
  const agent = { agent_name: 'A', version: 'v1', agent_type: 'react', model_name: 'gpt-4.1', enabled_tools: ['stock'] };
  const server = await openServer(
    { 'agentstack.json': '{ "tools": "./code/tools.mjs" }', 'config/agents/A/v1.json': JSON.stringify(agent) },
    { host: { registeredIn } },
  );
  await server.service.workspace.ready();
  const codes = async () => (await server.service.diagnose(server.uri('config/agents/A/v1.json'))).items.map(({ code }) => code);
  expect(await codes()).not.toContain('unknown-skill');
  name = 'shelf';
  server.service.filesChanged([{ uri: server.uri('other/tools.mjs'), type: 2 }]);
  expect(await codes()).not.toContain('unknown-skill');
  server.service.filesChanged([{ uri: server.uri('code/parts.mjs'), type: 2 }]);
  await expect.poll(codes).toContain('unknown-skill');
});

function tool(name: string) {
  return { name, description: 'Counts.', parameters: { type: 'object' }, idempotent: true, side_effects: false };
}
