import { describe, expect, test } from 'vitest';
import { documentOf } from '../support/documentOf.js';
import { type Harness, openServer } from '../support/serverHarness.js';
import { agentText, llmText } from './agents.js';

async function codesAt(server: Harness, path: string): Promise<readonly unknown[]> {
  const { items } = await server.service.diagnose(server.uri(path));
  return items.map(({ code }) => code);
}

const one = 'config/agents/A2/v1.json';

describe('findings of a file', () => {
  test('are those of the text in the editor, not of the one on disk', async () => {
    const server = await openServer({ [one]: agentText({ llm_config_id: 'main' }), 'config/llms/main.json': llmText('main') });
    expect(await codesAt(server, one)).toEqual([]);
    server.edit(one, agentText({ llm_config_id: 'mian' }));
    expect(await codesAt(server, one)).toEqual(['unknown-llm']);
    server.close(one);
    expect(await codesAt(server, one)).toEqual([]);
  });

  test('follow another file that it names', async () => {
    const server = await openServer({ [one]: agentText({ persona_key: 'kind' }), 'config/llms/main.json': llmText('main') });
    expect(await codesAt(server, one)).toEqual(['unknown-persona']);
    server.write('config/personas/kind.json', '{"temperature": 0.5}');
    expect(await codesAt(server, one)).toEqual([]);
    server.write('config/personas/kind.json', undefined);
    expect(await codesAt(server, one)).toEqual(['unknown-persona']);
  });

  test('follow a file under it that is edited and not saved', async () => {
    const server = await openServer({ [one]: agentText({ purpose_text: undefined }), 'config/llms/main.json': llmText('main') });
    expect(await codesAt(server, one)).toEqual(['effective-config-incomplete']);
    server.edit('config/system.json', '{"agent_defaults": {"purpose_text": "Choose well."}}');
    expect(await codesAt(server, one)).toEqual([]);
    server.close('config/system.json');
    expect(await codesAt(server, one)).toEqual(['effective-config-incomplete']);
  });

  test('say that nothing uses a profile only when every file has been read', async () => {
    const server = await openServer({
      [one]: agentText({ llm_config_id: 'main' }),
      'config/llms/main.json': llmText('main'),
      'config/llms/other.json': llmText('other'),
    });
    expect(await codesAt(server, 'config/llms/other.json')).toEqual(['unused-llm']);
    server.edit(one, agentText({ llm_config_id: 'other' }));
    expect(await codesAt(server, 'config/llms/other.json')).toEqual([]);
    expect(await codesAt(server, 'config/llms/main.json')).toEqual(['unused-llm']);
  });

  test('follow the settings of the project and those of the client, which count more', async () => {
    const files = { [one]: agentText({ model_name: 'mian' }) };
    const server = await openServer(files);
    server.edit('agentstack.json', '{"rules": {"unknown-model": "off"}}');
    expect(await codesAt(server, one)).toEqual([]);
    server.service.setSettings({ rules: { 'unknown-model': 'warning' } });
    const { items } = await server.service.diagnose(server.uri(one));
    expect(items.map(({ code, severity }) => [code, severity])).toEqual([['unknown-model', 2]]);
  });

  test('are kept until something changes that they depend on', async () => {
    const server = await openServer({
      [one]: agentText({ persona_key: 'kind', temperature: 9 }),
      'config/agents/B/v1.json': agentText({ temperature: 9 }, 'B'),
      'config/personas/kind.json': '{}',
      'config/llms/main.json': llmText('main'),
    });
    const project = server.service.workspace.projects[0]!;
    const [first, second] = [await project.findings(one), await project.findings('config/agents/B/v1.json')];
    expect(first).not.toEqual([]);
    expect(await project.findings(one)).toBe(first);
    server.write('config/personas/kind.json', '{"mode": "Writer"}');
    expect(await project.findings(one)).not.toBe(first);
    expect(await project.findings('config/agents/B/v1.json')).toBe(second);
  });
});

describe('projects', () => {
  test('lie in one another, each with its own files', async () => {
    const server = await openServer({
      [one]: agentText({ llm_config_id: 'inner' }),
      'config/llms/outer.json': llmText('outer'),
      'packages/bot/agentstack.json': '{"config_dir": "agents_config"}',
      'packages/bot/agents_config/agents/A2/v1.json': agentText({ llm_config_id: 'inner' }),
      'packages/bot/agents_config/llms/inner.json': llmText('inner'),
    });
    expect(server.service.workspace.projects.map(({ root }) => root.slice(server.root.length))).toEqual(['', '/packages/bot']);
    expect(await codesAt(server, one)).toEqual(['unknown-llm']);
    expect(await codesAt(server, 'packages/bot/agents_config/agents/A2/v1.json')).toEqual([]);
  });

  test('move to another config folder when agentstack.json says so', async () => {
    const server = await openServer({
      'agentstack.json': '{}',
      [one]: agentText({ llm_config_id: 'here' }),
      'other/agents/A2/v1.json': agentText({ llm_config_id: 'there' }),
      'other/llms/there.json': llmText('there'),
    });
    expect(await codesAt(server, 'other/agents/A2/v1.json')).toEqual([]);
    expect(await codesAt(server, one)).toEqual(['unknown-llm']);
    server.edit('other/agents/A2/v1.json', agentText({ llm_config_id: 'nowhere' }));
    server.edit('agentstack.json', '{"config_dir": "other"}');
    expect(await codesAt(server, 'other/agents/A2/v1.json')).toEqual(['unknown-llm']);
    expect(await codesAt(server, one)).toEqual([]);
    server.edit('other/agents/A2/v1.json', agentText({ llm_config_id: 'there' }));
    expect(await codesAt(server, 'other/agents/A2/v1.json')).toEqual([]);
  });

  test('begin with a document that is not saved yet', async () => {
    const server = await openServer({ 'README.md': 'nothing yet' });
    server.edit(one, agentText({ llm_config_id: 'nobody' }));
    expect(await codesAt(server, one)).toEqual(['unknown-llm']);
  });

  test('are folders of personas and orchestrations too', async () => {
    const server = await openServer(
      { 'bots/config/personas/a.json': '{"system_text": "x", "modle": "y"}', 'bots/config/orchestrations/o.json': '{"entry_team": "a"}' },
      { bare: true },
    );
    expect(server.service.workspace.projects.map(({ root }) => root.slice(server.root.length))).toEqual(['/bots']);
    expect(await codesAt(server, 'bots/config/personas/a.json')).toEqual(['unknown-property', 'unused-persona']);
  });

  test('are not made by files whose names other tools use as well', async () => {
    const server = await openServer({ 'config/environments/production.rb': '' }, { bare: true });
    for (const path of ['config/mcp.json', 'config/system.json', 'config/environments/dev.json']) {
      server.edit(path, '{ "mcp": { "x": { "type": "local", "command": ["npx"] } } }');
      expect(await codesAt(server, path)).toEqual([]);
    }
    expect(server.service.workspace.projects).toEqual([]);
  });

  test('a folder that is removed takes its files with it', async () => {
    const server = await openServer({ [one]: agentText({ llm_config_id: 'main' }), 'config/llms/main.json': llmText('main') });
    expect(await codesAt(server, one)).toEqual([]);
    server.write('config/llms', undefined);
    expect(await codesAt(server, one)).toEqual(['unknown-llm']);
  });
});

describe('what cannot be checked costs itself only', () => {
  test('a broken file', async () => {
    const server = await openServer({
      [one]: agentText(),
      'config/agents/B/v1.json': '{"agent_name": ',
      'config/llms/main.json': llmText('main'),
    });
    expect(await codesAt(server, 'config/agents/B/v1.json')).toEqual(['json-syntax']);
    expect(await codesAt(server, one)).toEqual([]);
  });

  test('a text of 50 MB is refused with a note', async () => {
    const server = await openServer({ [one]: agentText(), 'config/llms/main.json': llmText('main') });
    server.service.setDocument(documentOf(`{"system_text": "${'x'.repeat(50 * 1024 * 1024)}"}`, server.uri(one)));
    const { items } = await server.service.diagnose(server.uri(one));
    expect(items).toMatchObject([{ code: 'json-syntax', message: expect.stringContaining('10 MB'), data: { reason: 'too-large' } }]);
  });

  test('a file of no kind, and one in no project', async () => {
    const server = await openServer({ [one]: agentText(), 'notes/x.json': '{', 'config/llms/main.json': llmText('main') });
    server.edit('notes/x.json', '{"a": ');
    expect(await codesAt(server, 'notes/x.json')).toEqual([]);
    server.service.setDocument(documentOf('{', 'untitled:Untitled-1'));
    expect((await server.service.diagnose('untitled:Untitled-1')).items).toEqual([]);
  });
});
