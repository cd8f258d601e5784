import { describe, expect, test } from 'vitest';
import { ConfigInvalidError, ConfigSyntaxError, InputInvalidError, UnknownAgentConfigError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import { chooser, path, sampleProject } from './sampleProject.js';

/** The error a call ends with, or a failure of the test when it ends well. */
async function refusal<T>(call: Promise<unknown>, type: abstract new (...args: never[]) => T): Promise<T> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(type);
  return error as T;
}

const payload = { title: 'It crashes' };

describe('a valid agent', () => {
  test('becomes a prompt that holds its configuration', async () => {
    const prompt = await sampleProject().factory.create('Labels', 'v1', payload);
    expect(prompt).toMatchObject({
      agent_name: 'Labels',
      version: 'v1',
      mode: 'Chooser',
      enums: { label: ['bug', 'feature'] },
      defaults: { reason: 'not given' },
      model_name: 'gpt-4.1-mini',
      temperature: 0,
    });
    expect(Object.isFrozen(prompt)).toBe(true);
  });

  test('depends on nothing but its arguments and the files as they are now', async () => {
    const { factory, files } = sampleProject();
    const before = await factory.create('Labels', 'v1', payload);
    files.texts.set(path, JSON.stringify({ ...chooser, purpose_text: 'Choose again.' }));
    const after = await factory.create('Labels', 'v1', payload);
    expect(before.purpose_text).toBe('Choose the label that fits.');
    expect(after.purpose_text).toBe('Choose again.');
  });

  test('is judged and built with the overrides of the call, which may give what the file lacks', async () => {
    const { model_name: _, ...withoutModel } = chooser;
    const { factory, files } = sampleProject();
    files.texts.set(path, JSON.stringify(withoutModel));
    const prompt = await factory.create('Labels', 'v1', payload, { config: { model_name: 'gpt-4.1', temperature: 0.5 } });
    expect(prompt).toMatchObject({ model_name: 'gpt-4.1', temperature: 0.5 });
  });

  test.each<[code: string, fields: JsonObject]>([
    ['schema', { system_text: 5 }],
    ['effective-config-incomplete', { purpose_text: null }],
    ['unknown-llm', { llm_config_id: 'none' }],
    ['output-schema-invalid', { output_schema: { ...chooser.output_schema, $ref: '#/nowhere' } }],
  ])('is not made valid by silencing %s', async (code, fields) => {
    const silent = { 'agentstack.json': JSON.stringify({ rules: { [code]: 'off' } }) };
    const { factory } = sampleProject({ ...fields, $ignore: { [code]: true } }, silent);
    const error = await refusal(factory.create('Labels', 'v1', payload), ConfigInvalidError);
    expect(error.findings.map((finding) => finding.code)).toContain(code);
  });

  test('is not refused for what the policy forbids, which each call is held to, nor for what the agents that it calls may do', async () => {
    const tool = (labels: JsonObject) => ({ description: 'd', parameters: {}, hash: '0'.repeat(64), labels });
    const tools = { read: tool({ untrusted: true }), send: tool({ sends: true }) };
    const sender = { agent_name: 'Sender', version: 'v1', agent_type: 'react', model_name: 'gpt-4.1-mini', client_ids: ['mail'] };
    const files = {
      'config/mcp.json': '{ "servers": { "mail": { "command": "run-mail" } } }',
      'config/mcp.lock.json': JSON.stringify({ format: 1, servers: { mail: { tools } } }),
      'config/system.json': '{ "policy": { "never": [{ "from": "untrusted", "to": "sends" }] } }',
      'config/agents/Sender/v1.json': JSON.stringify(sender),
    };
    const looping = { agent_type: 'react', client_ids: ['mail'], input_keys: [] };
    expect((await sampleProject(looping, files).factory.create('Labels', 'v1', {})).agent_name).toBe('Labels');
    const plan = { agent_type: 'orchestrating', exclude_components: ['send'], execution_plan: { steps: [{ name: 'a', agent: 'Sender' }] } };
    expect((await sampleProject({ ...plan, input_keys: [] }, files).factory.create('Labels', 'v1', {})).agent_name).toBe('Labels');
  });

  test('a new version is a new file and nothing else', async () => {
    const { factory, files } = sampleProject();
    files.texts.set('config/agents/Labels/v2.json', JSON.stringify({ ...chooser, version: 'v2' }));
    expect((await factory.create('Labels', 'v2', payload)).version).toBe('v2');
  });
});

describe('an unknown agent', () => {
  test('is refused with the nearest names', async () => {
    const error = await refusal(sampleProject().factory.create('Lables', 'v1', payload), UnknownAgentConfigError);
    expect(error.nearest).toEqual(['Labels']);
    expect(error.message).toContain('Did you mean "Labels"?');
    expect(error.message).toContain('config/agents/Lables/v1.json');
  });

  test('with a known name is refused with the versions that exist, in natural order', async () => {
    const { factory, files } = sampleProject();
    for (const version of ['v10', 'v2']) files.texts.set(`config/agents/Labels/${version}.json`, '{}');
    const error = await refusal(factory.create('Labels', 'v3', payload), UnknownAgentConfigError);
    expect(error.versions).toEqual(['v1', 'v2', 'v10']);
    expect(error.message).toContain('v1, v2, v10');
  });

  test.each(['../Labels', '/etc/passwd', 'a/b', '..', '', 'x'.repeat(65), 'a\\b', 'C:'])(
    'named %j is refused before any file is read',
    async (name) => {
      const { factory, files } = sampleProject();
      await refusal(factory.create(name, 'v1', payload), UnknownAgentConfigError);
      await refusal(factory.create('Labels', name, payload), UnknownAgentConfigError);
      expect(files.reads.filter((read) => read.startsWith('config/agents'))).toEqual([]);
    },
  );

  test('behind a link out of the project is refused', async () => {
    const { factory, files } = sampleProject();
    files.problems.set(path, 'outside-project');
    const error = await refusal(factory.create('Labels', 'v1', payload), ConfigSyntaxError);
    expect(error.message).toContain(path);
  });
});

describe('the first stage that fails reports all its findings, with file, line and column', () => {
  const broken = async (text: string) => {
    const { factory, files } = sampleProject();
    files.texts.set(path, text);
    return factory.create('Labels', 'v1', payload);
  };

  test('parse', async () => {
    const error = await refusal(broken('{\n  "agent_name": "Labels", // who\n  "version": "v1",\n}\n'), ConfigSyntaxError);
    expect(error.findings.map(({ file, code, line, column }) => [file, code, line, column])).toEqual([
      [path, 'json-comment', 2, 27],
      [path, 'trailing-comma', 3, 18],
    ]);
    expect(error.message).toContain(`${path}:2:27`);
  });

  test('a key given twice', async () => {
    const error = await refusal(broken('{"agent_name": "Labels", "agent_name": "Other"}'), ConfigSyntaxError);
    expect(error.findings.map(({ code }) => code)).toEqual(['duplicate-key']);
  });

  test.each([
    ['is broken', '{ "environment": ', ConfigSyntaxError, 'json-syntax'],
    [
      'says what no setting can be',
      '{ "environment": 5, "models": { "m": { "max_output_tokens": "many" } } }',
      ConfigInvalidError,
      'schema',
    ],
  ])('settings: agentstack.json that %s is not taken for the defaults', async (_what, text, type, code) => {
    const { factory, files } = sampleProject();
    files.texts.set('agentstack.json', text);
    const error = await refusal<ConfigInvalidError | ConfigSyntaxError>(factory.create('Labels', 'v1', payload), type);
    expect(new Set(error.findings.map(({ file, code: each }) => `${file} ${each}`))).toEqual(new Set([`agentstack.json ${code}`]));
  });

  test('required keys, before identity and rules', async () => {
    const { purpose_text: _purpose, system_text: _text, ...rest } = chooser;
    const error = await refusal(broken(JSON.stringify({ ...rest, agent_name: 'Other', temperature: 9 })), ConfigInvalidError);
    expect(error.findings.map(({ code }) => code).sort()).toEqual(['effective-config-incomplete', 'effective-config-incomplete', 'schema']);
  });

  test('identity, before rules', async () => {
    const error = await refusal(
      broken(JSON.stringify({ ...chooser, agent_name: 'Other', version: 'v9', enums: { label: ['bug'] } })),
      ConfigInvalidError,
    );
    expect(error.findings.map(({ code }) => code)).toEqual(['name-matches-path', 'version-matches-path']);
  });

  test('rules', async () => {
    const error = await refusal(
      broken(JSON.stringify({ ...chooser, enums: { label: ['bug', 'wish'] }, defaults: { reason: 1 } })),
      ConfigInvalidError,
    );
    expect(new Set(error.findings.map(({ code }) => code))).toEqual(new Set(['enums-match-schema', 'default-fits-schema']));
  });

  test('payload, every issue at once', async () => {
    const { factory } = sampleProject({
      input_keys: ['title', 'body'],
      input_schema: { type: 'object', properties: { title: { type: 'string' } } },
    });
    const error = await refusal(factory.create('Labels', 'v1', { title: 1 }), InputInvalidError);
    expect(error.issues.map(({ path: at, keyword }) => [at, keyword])).toEqual([
      ['/body', 'input_keys'],
      ['/title', 'type'],
    ]);
  });

  test.each([null, [], 'text', 1, undefined])('a payload that is %j is not an object', async (value) => {
    const { factory } = sampleProject();
    await refusal(factory.create('Labels', 'v1', value as never), InputInvalidError);
  });

  test('the error of an override names the override, not a file', async () => {
    const error = await refusal(
      sampleProject().factory.create('Labels', 'v1', payload, { config: { temperature: 9 } }),
      ConfigInvalidError,
    );
    expect(error.message).toMatch(/temperature/);
  });
});
