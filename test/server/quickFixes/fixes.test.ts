// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts hold the placeholders under test.
import { describe, expect, test } from 'vitest';
import { actionsFor, diagnosticsOf, filesAfter, movedFrom, openProject } from './support.js';

const path = 'config/agents/A2/v1.json';

/** Applies a fix of the first finding of a code to an agent file; the text after it. */
async function fixed(code: string, title: string, text: string, files: Readonly<Record<string, string>> = {}, at = path): Promise<string> {
  const server = await openProject({ [at]: text, ...files });
  const actions = await actionsFor(server, at, code);
  const action = actions.find((one) => one.title === title);
  if (action === undefined) throw new Error(`No "${title}" among: ${actions.map((one) => one.title).join('; ')}`);
  const after = await filesAfter(server, action);
  return after[at] ?? Object.values(after).join('\n');
}

describe('a slip of syntax is repaired', () => {
  test.each([
    [
      'a missing comma',
      'Insert a comma',
      '{\n  "agent_name": "A2"\n  "version": "v1"\n}',
      '{\n  "agent_name": "A2",\n  "version": "v1"\n}',
    ],
    ['a missing colon', 'Insert a colon', '{ "agent_name" "A2" }', '{ "agent_name": "A2" }'],
    ['an arrow', 'Write a colon', '{ "agent_name" => "A2" }', '{ "agent_name" : "A2" }'],
    ['single quotes', 'Write double quotes', '{ "a": \'it\\\'s "so"\' }', '{ "a": "it\'s \\"so\\"" }'],
    ['typographic quotes', 'Write double quotes', '{ “a”: 1 }', '{ "a": 1 }'],
    ["another language's literal", 'Write null', '{ "a": None }', '{ "a": null }'],
    ['a capital letter', 'Write true', '{ "a": True }', '{ "a": true }'],
    ['a number without a zero', 'Write 0.5', '{ "a": .5 }', '{ "a": 0.5 }'],
    ['a number with zeros', 'Write 7', '{ "a": 007 }', '{ "a": 7 }'],
    ['a number with a sign', 'Write 5', '{ "a": +5 }', '{ "a": 5 }'],
    ['a key without quotes', 'Write "agent_name"', '{ agent_name: "A2" }', '{ "agent_name": "A2" }'],
    ['a text without quotes', 'Write "plain words"', '{ "a": plain words }', '{ "a": "plain words" }'],
    ['a backslash', 'Write \\\\d', '{ "a": "\\d" }', '{ "a": "\\\\d" }'],
    ['a tab in a text', 'Write \\t', '{ "a": "x\ty" }', '{ "a": "x\\ty" }'],
    ['a stray comma', 'Remove the comma', '{ "a": 1,, "b": 2 }', '{ "a": 1, "b": 2 }'],
    ['a Markdown fence', 'Remove the Markdown fence', '```json\n{ "a": 1 }\n```\n', '{ "a": 1 }\n'],
    ['an open end', 'Close with ]}', '{ "a": [1, 2', '{ "a": [1, 2]}'],
    ['an open text', 'Close the text with "', '{\n  "a": "x,\n  "b": 1\n}', '{\n  "a": "x",\n  "b": 1\n}'],
    ['a key without a value', 'Write null', '{ "a": , "b": 1 }', '{ "a": null , "b": 1 }'],
    ['an empty file', 'Write an empty object', '', '{}'],
  ])('%s', async (_what, title, wrong, right) => {
    expect(await fixed('json-syntax', title, wrong)).toBe(right);
  });

  test('and what no repair heals has none', async () => {
    const server = await openProject({ [path]: '{ "a": <<<<<<< HEAD\n1 }' });
    expect(await actionsFor(server, path, 'json-syntax')).toEqual([]);
  });
});

test('a case with expectations alone is given the input that its agent needs', async () => {
  const at = 'config/payloads/A2/first.json';
  const agent = JSON.stringify({ agent_name: 'A2', version: 'v1', agent_type: 'react', model_name: 'gpt-4.1', input_keys: ['task'] });
  const expectation = '{ "text": true, "operator": "exists" }';
  const files = { [path]: agent };
  expect(await fixed('input-invalid', 'Add "input": {"task":""}', `{ "expect": [${expectation}] }`, files, at)).toBe(
    `{ "expect": [${expectation}], "input": { "task": "" } }`,
  );
});

test.each([
  ['on a line of its own', '{\r\n  // why\r\n  "a": 1\r\n}', '{\r\n  "a": 1\r\n}'],
  ['behind a value', '{\n  "a": 1 // why 😀\n}', '{\n  "a": 1\n}'],
  ['between tokens', '{ "a": /* why */ 1 }', '{ "a": 1 }'],
])('a comment goes %s', async (_where, wrong, right) => {
  expect(await fixed('json-comment', 'Remove the comment', wrong)).toBe(right);
});

test('of a key given twice either goes, with the comma that is too much then', async () => {
  const text = '{\n  "agent_name": "A2",\n  "version": "v0",\n  "version": "v1"\n}';
  expect(await fixed('duplicate-key', 'Remove the first one, which has no effect', text)).toBe(
    '{\n  "agent_name": "A2",\n  "version": "v1"\n}',
  );
  expect(await fixed('duplicate-key', 'Remove this one, so that the first counts', text)).toBe(
    '{\n  "agent_name": "A2",\n  "version": "v0"\n}',
  );
});

describe('a value or key keeps how it is written', () => {
  test('a number that loses its quotes keeps its zero', async () => {
    expect(await fixed('schema', 'Change to 0.50', '{"agent_name":"A2","version":"v1","temperature":"0.50"}')).toBe(
      '{"agent_name":"A2","version":"v1","temperature":0.50}',
    );
  });

  test('a missing field is written in the style of the file', async () => {
    expect(
      await fixed('effective-config-incomplete', 'Add "version": "v1"', '{\r\n\t"agent_name": "A2",\r\n\t"mode": "Writer"\r\n}\r\n'),
    ).toBe('{\r\n\t"agent_name": "A2",\r\n\t"version": "v1",\r\n\t"mode": "Writer"\r\n}\r\n');
  });

  test('a moved key is moved as it is', async () => {
    const text = '{\n  "agent_name": "A2",\n  "version": "v1",\n  "max_cost": 1.50,\n  "budget": { "max_time_ms": 1 }\n}';
    expect(await fixed('misplaced-property', 'Move to budget', text)).toBe(
      '{\n  "agent_name": "A2",\n  "version": "v1",\n  "budget": { "max_time_ms": 1, "max_cost": 1.50 }\n}',
    );
  });

  test('an invisible character goes and the escapes around it stay', async () => {
    const text = '{"agent_name":"A2","version":"v1","system_text":"\\u00e9\\u200b😀 b"}';
    expect(await fixed('invisible-characters', 'Remove the invisible character', text)).toBe(
      '{"agent_name":"A2","version":"v1","system_text":"\\u00e9😀 b"}',
    );
  });
});

describe('a unit that differs is asked for', () => {
  test('seconds become milliseconds, or were some', async () => {
    const text = '{"agent_name":"A2","version":"v1","timeout":30}';
    expect(await fixed('foreign-name', 'Rename to "timeout_ms" and write 30000: 30 is in seconds', text)).toContain('"timeout_ms":30000');
    expect(await fixed('foreign-name', 'Rename to "timeout_ms": 30 is in milliseconds', text)).toContain('"timeout_ms":30}');
    const ofCrew = '{"agent_name":"A2","version":"v1","max_execution_time":30}';
    expect(await fixed('foreign-name', 'Rename to "timeout_ms" and write 30000', ofCrew)).toContain('"timeout_ms":30000');
  });

  test('retries become tries', async () => {
    const text = '{"agent_name":"A2","version":"v1","max_retries":2}';
    expect(await fixed('foreign-name', 'Rename to "retry_attempts" and write 3: the first try counts too', text)).toContain(
      '"retry_attempts":3',
    );
  });
});

describe('a secret', () => {
  const secret = `sk-proj-${'a1B2c3D4e5F6g7H8'.repeat(3)}`;
  const llm = 'config/llms/openai.json';

  test('gives way to its name, and is in no title, edit or answer', async () => {
    const server = await openProject({ [llm]: `{ "llm_id": "openai", "provider": "openai", "model_name": "m", "api_key": "${secret}" }` });
    const actions = await actionsFor(server, llm, 'secret-in-plain-text');
    const [preferred] = actions.filter(({ isPreferred }) => isPreferred);
    const resolved = await server.request('codeAction/resolve', preferred);
    expect(JSON.stringify([actions, resolved])).not.toContain(secret.slice(0, 12));
    expect(Object.values(await filesAfter(server, preferred!))[0]).toContain('"api_key": "secret://openai_api_key"');
  });

  test('is taken out of a text', async () => {
    expect(
      await fixed('secret-in-plain-text', 'Remove the secret', `{"agent_name":"A2","version":"v1","system_text":"Use ${secret} now."}`),
    ).toContain('"Use  now."');
  });
});

test('what is ignored here joins what is ignored already', async () => {
  const text = '{\n  "$ignore": { "unknown-property": ["/x"] },\n  "agent_name": "A2",\n  "version": "v1",\n  "x": 1,\n  "y": 2\n}';
  expect(await fixed('unknown-property', 'Ignore unknown-property here', text)).toContain('"unknown-property": ["/x", "/y"]');
  expect(await fixed('unknown-property', 'Ignore unknown-property in this file', text)).toContain('"unknown-property": true');
});

describe('a file that a reference wants is created, and nothing is wrong with it', () => {
  test.each([
    ['unknown-llm', '"llm_config_id": "fast"', 'config/llms/fast.json'],
    ['unknown-persona', '"persona_key": "friend"', 'config/personas/friend.json'],
    ['unknown-prompt', '"prompts": { "system_prompt": "triage@v2" }', 'config/prompts/triage/v2.md'],
    ['unknown-mcp-server', '"client_ids": ["git"]', 'config/mcp.json'],
  ])('%s', async (code, field, created) => {
    const text = `{ "agent_name": "A2", "version": "v1", "agent_type": "react", ${field} }`;
    const server = await openProject({ [path]: text });
    const [action] = (await actionsFor(server, path, code)).filter(({ title }) => title.startsWith(`Create ${created}`));
    const after = await filesAfter(server, action!);
    expect(Object.keys(after)).toEqual([created]);
    const second = await openProject({ [path]: text, ...after });
    expect(await diagnosticsOf(second, created)).toEqual([]);
    expect((await diagnosticsOf(second, path)).map((item) => item.code)).not.toContain(code);
  });

  test('unknown-agent', async () => {
    const team = `{ "name": "t", "entry_team": "a", "teams": { "a": { "name": "A", "tasks": [{ "name": "w", "agent": "New@v1" }], "routing": { "default": null } } } }`;
    const at = 'config/orchestrations/t.json';
    const server = await openProject({ [at]: team });
    const after = await filesAfter(
      server,
      (await actionsFor(server, at, 'unknown-agent')).find(({ title }) => title.startsWith('Create'))!,
    );
    const second = await openProject({ [at]: team, ...after });
    expect(await diagnosticsOf(second, 'config/agents/New/v1.json')).toEqual([]);
    expect(await diagnosticsOf(second, at)).toEqual([]);
  });

  test('and not one whose name would leave the project', async () => {
    const server = await openProject({ [path]: '{ "agent_name": "A2", "version": "v1", "llm_config_id": "../../x" }' });
    expect((await actionsFor(server, path, 'unknown-llm')).filter(({ title }) => title.startsWith('Create'))).toEqual([]);
  });
});

test('an editor that creates no files is not offered any', async () => {
  const server = await openProject({ [path]: '{ "agent_name": "A2", "version": "v1", "llm_config_id": "fast" }' }, { client: {} });
  // Nor to ignore what a run refuses.
  expect(await actionsFor(server, path, 'unknown-llm')).toEqual([]);
});

test('a file whose name and path differ moves with the references to it', async () => {
  const at = 'config/llms/old.json';
  const server = await openProject({
    [at]: '{ "llm_id": "new", "provider": "offline", "model_name": "offline" }',
    [path]: '{ "agent_name": "A2", "version": "v1", "llm_config_id": "old" }',
  });
  const [action] = (await actionsFor(server, at, 'name-matches-path')).filter(({ title }) => title.startsWith('Move'));
  const after = await filesAfter(server, action!);
  expect(Object.keys(after).toSorted()).toEqual([path, 'config/llms/new.json']);
  expect(after[path]).toContain('"llm_config_id": "new"');
});

describe('a placeholder or path', () => {
  const agent = (text: string) => `{ "agent_name": "A2", "version": "v1", "purpose_text": ${JSON.stringify(text)} }`;
  test.each([
    ['is closed', 'Close it: ${CITY}', 'é: in ${CITY, so', 'é: in ${CITY}, so'],
    ['is one at last', 'Write ${CITY}', 'in ${ CITY }.', 'in ${CITY}.'],
    ['gets the colon and the dash of a fallback', 'Write ${PORT:-8080}', 'on ${PORT:8080}', 'on ${PORT:-8080}'],
    ['holds no other', 'Keep B: ${B}', 'in ${A:-${B}}', 'in ${B}'],
  ])('%s', async (_what, title, wrong, right) => {
    expect(await fixed('placeholder-invalid', title, agent(wrong))).toBe(agent(right));
  });

  test('of a template is closed', async () => {
    const at = 'config/prompts/p/v1.json';
    const prompt = (template: string) => JSON.stringify({ name: 'p', version: 'v1', template });
    expect(await fixed('placeholder-invalid', 'Close it: {{input.a}}', prompt('Read {{input.a now'), {}, at)).toBe(
      prompt('Read {{input.a}} now'),
    );
  });

  test('of a server names an input that there is', async () => {
    const at = 'config/mcp.json';
    const servers = (header: string) =>
      JSON.stringify({
        inputs: [{ id: 'token', type: 'promptString' }],
        servers: { a: { url: 'https://x.example', headers: { A: header } } },
      });
    expect(await fixed('placeholder-invalid', 'Change to ${input:token}', servers('Bearer ${input:tokn}'), {}, at)).toBe(
      servers('Bearer ${input:token}'),
    );
  });

  test.each(['${', '${}', 'a ${1A}', '${a.b}', '{{input.a}}'])('as in %s that only its author can mend has no fix', async (text) => {
    const server = await openProject({ [path]: agent(text) });
    const titles = (await actionsFor(server, path, 'placeholder-invalid')).map(({ title }) => title);
    expect(titles.filter((title) => !title.startsWith('Ignore'))).toEqual([]);
  });
});

test('payloads go with the only version of an agent that moves', async () => {
  const path = 'config/agents/Folder/v1.json';
  const server = await openProject({
    [path]: '{ "agent_name": "Named", "version": "v1" }',
    'config/payloads/Folder/first.json': '{ "input": {} }',
    'agentstack.json': '{}',
  });
  const [move] = (await actionsFor(server, path, 'name-matches-path')).filter(({ title }) => title.startsWith('Move'));
  expect(await movedFrom(server, move!)).toEqual([path, 'config/payloads/Folder/first.json']);
});

test('a provider is added to those that agentstack.json lists, which stay as they are written', async () => {
  const path = 'config/llms/main.json';
  const server = await openProject({
    [path]: '{ "llm_id": "main", "provider": "fresh", "model_name": "m" }',
    'agentstack.json': '{\n  "providers": ["old",   "second"]\n}\n',
  });
  const [list] = (await actionsFor(server, path, 'unknown-provider')).filter(({ title }) => title.startsWith('List'));
  expect(await filesAfter(server, list!)).toMatchObject({ 'agentstack.json': '{\n  "providers": ["old",   "second", "fresh"]\n}\n' });
});

describe('an environment that has no file', () => {
  const at = 'agentstack.json';
  const prod = { 'config/environments/prod.json': '{ "agent_defaults": {} }' };

  test('becomes one that has', async () => {
    expect(await fixed('unknown-environment', 'Change to "prod"', '{ "environment": "prd" }', prod, at)).toBe('{ "environment": "prod" }');
  });

  test('gets one in which nothing is wrong', async () => {
    const server = await openProject({ [at]: '{ "environment": "stage" }', ...prod });
    const [create] = (await actionsFor(server, at, 'unknown-environment')).filter(({ title }) => title.startsWith('Create'));
    expect(create!.title).toBe('Create config/environments/stage.json');
    const after = await filesAfter(server, create!);
    const second = await openProject({ [at]: '{ "environment": "stage" }', ...prod, ...after });
    expect(await diagnosticsOf(second, 'config/environments/stage.json')).toEqual([]);
    expect(await diagnosticsOf(second, at)).toEqual([]);
  });

  test('gets none where a file differs in letter case only', async () => {
    const server = await openProject({ [at]: '{ "environment": "PROD" }', ...prod });
    const titles = (await actionsFor(server, at, 'unknown-environment')).map(({ title }) => title);
    expect(titles.filter((title) => !title.startsWith('Ignore'))).toEqual(['Change to "prod"']);
  });

  test('gets none under a name that would leave the project', async () => {
    const server = await openProject({ [at]: '{ "environment": "../x" }', ...prod });
    expect((await actionsFor(server, at, 'unknown-environment')).filter(({ title }) => title.startsWith('Create'))).toEqual([]);
  });
});

describe('what another tool keeps elsewhere moves to where it belongs', () => {
  test('the fields of a group', async () => {
    const wrong = '{\n  "agent_name": "A2",\n  "version": "v1",\n  "llm": { "model": "gpt-5.4", "maxTokens": 2000 }\n}';
    expect(await fixed('foreign-name', 'Move to "model_name", "max_output_tokens"', wrong)).toBe(
      '{\n  "agent_name": "A2",\n  "version": "v1",\n  "model_name": "gpt-5.4",\n  "max_output_tokens": 2000\n}',
    );
  });

  test('a whole file under one key', async () => {
    const orchestration = '{ "orchestration": { "name": "o", "entry_team": "a", "teams": {}, "colour": "red" } }';
    expect(
      await fixed('foreign-name', 'Move to "name", "entry_team", "teams", "colour"', orchestration, {}, 'config/orchestrations/o.json'),
    ).toBe('{ "name": "o", "entry_team": "a", "teams": {}, "colour": "red" }');
    const persona = '{ "designer": { "provider": "gemini", "model": "gemini-3-pro" } }';
    expect(await fixed('foreign-name', 'Move to "provider", "model_name"', persona, {}, 'config/personas/designer.json')).toBe(
      '{ "provider": "gemini", "model_name": "gemini-3-pro" }',
    );
  });

  test('what all agents share, under agent_defaults', async () => {
    const wrong = '{ "llm": { "model": "gpt-5.4", "temperature": 0 } }';
    expect(await fixed('foreign-name', 'Move to "model_name", "temperature"', wrong, {}, 'config/system.json')).toBe(
      '{ "agent_defaults": { "model_name": "gpt-5.4", "temperature": 0 } }',
    );
  });

  test('what is there under its own name can only go', async () => {
    const wrong = '{ "llm_id": "g", "api_key_env": "KEY", "credentials_path": "creds.json" }';
    expect(await fixed('foreign-name', 'Remove "credentials_path"', wrong, {}, 'config/llms/g.json')).toBe(
      '{ "llm_id": "g", "api_key_env": "KEY" }',
    );
  });

  test('how a model is reached, into a profile', async () => {
    const server = await openProject({ [path]: '{ "agent_name": "A2", "version": "v1", "llm": { "base_url": "http://localhost:1" } }' });
    const [action] = await actionsFor(server, path, 'foreign-name');
    const after = await filesAfter(server, action!);
    expect(after[path]).toBe('{ "agent_name": "A2", "version": "v1", "llm_config_id": "A2" }');
    expect(JSON.parse(after['config/llms/A2.json']!)).toEqual({
      $schema: 'agent-stack:llm.schema.json',
      llm_id: 'A2',
      provider: 'openai',
      base_url: 'http://localhost:1',
    });
  });

  test('nothing that has a place is offered for removal', async () => {
    const server = await openProject({ [path]: '{ "agent_name": "A2", "version": "v1", "max_cost": 1 }' });
    const titles = (await actionsFor(server, path, 'misplaced-property')).map(({ title }) => title);
    expect(titles.filter((title) => !title.startsWith('Ignore'))).toEqual(['Move to budget']);
  });

  test('of a group only what is free', async () => {
    const wrong = '{ "agent_name": "A2", "version": "v1", "temperature": 0, "llm": { "model": "gpt-5.4", "temperature": 1 } }';
    expect(await fixed('foreign-name', 'Move to "model_name"', wrong)).toBe(
      '{ "agent_name": "A2", "version": "v1", "temperature": 0, "llm": { "temperature": 1 }, "model_name": "gpt-5.4" }',
    );
  });

  test('a text in prompts', async () => {
    const at = 'config/personas/designer.json';
    expect(await fixed('foreign-name', 'Move to "system_text"', '{ "prompts": { "system": "You design." } }', {}, at)).toBe(
      '{ "system_text": "You design." }',
    );
  });

  test('a file with a key', async () => {
    const at = 'config/llms/gemini.json';
    const wrong = '{ "llm_id": "gemini", "credentials_path": "creds.json" }';
    expect(await fixed('foreign-name', 'Write "api_key"', wrong, {}, at)).toBe(
      '{ "llm_id": "gemini", "api_key": "secret://gemini_api_key" }',
    );
  });

  test('a list of agents', async () => {
    const wrong = `{ "agent_name": "A2", "version": "v1", "pipeline_map": { "A2": { "models": { "required": { "chat_model": "OpenAILLM" } }, "prompts": { "required": { "agent_prompt": "prompts/agent.prompt" } } } } }`;
    expect(await fixed('foreign-name', 'Write "agent_type", "provider", "prompts"', wrong)).toBe(
      '{ "agent_name": "A2", "version": "v1", "agent_type": "react", "provider": "openai", "prompts": { "system_prompt": "agent@v1" } }',
    );
  });

  test('a list of agents one key deeper, into files of their own', async () => {
    const at = 'config/system.json';
    const map = { Grader: { models: { required: { chat_model: 'OpenAILLM' } }, prompts: { required: { agent_prompt: 'You grade.' } } } };
    const server = await openProject({ 'agentstack.json': '{}', [at]: JSON.stringify({ a2rchi: { pipeline_map: map } }) });
    const [action] = await actionsFor(server, at, 'foreign-name');
    const files = await filesAfter(server, action!);
    expect(JSON.parse(files['config/agents/Grader/v1.json'] ?? '')).toMatchObject({ provider: 'openai', system_text: 'You grade.' });
    expect(files[at]).not.toContain('Grader');
  });

  test('personas and teams, into files of their own', async () => {
    const at = 'config/system.json';
    const movedIn = async (value: object) => {
      const server = await openProject({ 'agentstack.json': '{}', [at]: JSON.stringify(value) });
      const [action] = await actionsFor(server, at, 'foreign-name');
      return filesAfter(server, action!);
    };
    const personas = await movedIn({
      llm_config: { personas: { designer: { model: 'gpt-5.4', prompts: { system: 'You design.' } } } },
      tracing: {},
    });
    expect(JSON.parse(personas['config/personas/designer.json']!)).toEqual({
      $schema: 'agent-stack:persona.schema.json',
      model_name: 'gpt-5.4',
      system_text: 'You design.',
    });
    expect(JSON.parse(personas[at]!)).toEqual({ tracing: {} });
    const teams = await movedIn({ orchestration: { max_total_teams: 5, entry_team: 'a', teams: { a: {} } } });
    expect(JSON.parse(teams['config/orchestrations/main.json']!)).toEqual({
      $schema: 'agent-stack:orchestration.schema.json',
      name: 'main',
      entry_team: 'a',
      teams: { a: {} },
    });
    expect(JSON.parse(teams[at]!).orchestration).toEqual({ max_total_teams: 5 });
  });

  test('a parameter of the provider, into the profile', async () => {
    const profile = 'config/llms/local.json';
    const server = await openProject({
      [path]: '{ "agent_name": "A2", "version": "v1", "llm_config_id": "local", "top_k": 5 }',
      [profile]: '{ "llm_id": "local", "provider": "gemini" }',
    });
    const [action] = await actionsFor(server, path, 'foreign-name');
    const after = await filesAfter(server, action!);
    expect(after[path]).toBe('{ "agent_name": "A2", "version": "v1", "llm_config_id": "local" }');
    expect(after[profile]).toBe('{ "llm_id": "local", "provider": "gemini", "options": { "top_k": 5 } }');
  });
});

describe('of a list of MCP servers', () => {
  const vscode = '.vscode/mcp.json';
  const root = '.mcp.json';
  test.each([
    [
      'placeholder-invalid',
      root,
      'Write "${A}"',
      '{"mcpServers":{"a":{"command":"a","env":{"A":"x ${env:A}"}}}}',
      '{"mcpServers":{"a":{"command":"a","env":{"A":"x ${A}"}}}}',
    ],
    [
      'placeholder-invalid',
      vscode,
      'Write "${env:A}"',
      '{"servers":{"a":{"command":"a","env":{"A":"Bearer $A"}}}}',
      '{"servers":{"a":{"command":"a","env":{"A":"Bearer ${env:A}"}}}}',
    ],
    [
      'placeholder-invalid',
      'config/mcp.json',
      'Write "${env:A}"',
      '{"servers":{"a":{"command":"a","env":{"A":"$A"}}}}',
      '{"servers":{"a":{"command":"a","env":{"A":"${env:A}"}}}}',
    ],
    ['foreign-name', root, 'Rename to "mcpServers"', '{"servers":{}}', '{"mcpServers":{}}'],
    ['foreign-name', vscode, 'Rename to "servers"', '{ /* a */ "mcpServers":{}}', '{ /* a */ "servers":{}}'],
    [
      'foreign-name',
      vscode,
      'Rename to "type"',
      '{"servers":{"a":{"transport":"streamable-http","url":"https://x.example"}}}',
      '{"servers":{"a":{"type":"http","url":"https://x.example"}}}',
    ],
    [
      'foreign-name',
      root,
      'Rename to "url"',
      '{"mcpServers":{"a":{"type":"http","httpUrl":"https://x.example"}}}',
      '{"mcpServers":{"a":{"type":"http","url":"https://x.example"}}}',
    ],
    [
      'foreign-name',
      'config/mcp.json',
      'Rename to "env"',
      '{"servers":{"a":{"command":"a","environment":{}}}}',
      '{"servers":{"a":{"command":"a","env":{}}}}',
    ],
    [
      'foreign-name',
      root,
      'Move its content to the server',
      '{"mcpServers":{"a":{"transport":{"type":"http","url":"https://x.example"}}}}',
      '{"mcpServers":{"a":{"type":"http","url":"https://x.example"}}}',
    ],
    [
      'mcp-type-missing',
      root,
      'Write "type": "http"',
      '{"mcpServers":{"a":{"url":"https://x.example"}}}',
      '{"mcpServers":{"a":{"type":"http","url":"https://x.example"}}}',
    ],
    [
      'mcp-server-invalid',
      vscode,
      'Split it into command and args',
      '{"servers":{"a":{"command":"npx -y b"}}}',
      '{"servers":{"a":{"command":"npx","args":["-y","b"]}}}',
    ],
  ])('%s in %s: %s', async (code, at, title, wrong, right) => {
    const after = await fixed(code, title, wrong, { 'agentstack.json': '{}' }, at);
    expect(after.replaceAll(/\s+(?=["{}\]])|(?<=[,:[{])\s+/g, '')).toBe(right.replaceAll(/\s+(?=["{}\]])|(?<=[,:[{])\s+/g, ''));
  });

  const token = `ghp_${'abcdefghijklmnopqrstuvwxyz0123456789'}`;
  test('a secret becomes a variable in .mcp.json', async () => {
    const text = (value: string) =>
      `{"mcpServers":{"git":{"type":"http","url":"https://x.example","headers":{"Authorization":"Bearer ${value}"}}}}`;
    const title = 'Write ${GIT_TOKEN} and set that variable';
    expect(await fixed('secret-in-plain-text', title, text(token), { 'agentstack.json': '{}' }, root)).toBe(text('${GIT_TOKEN}'));
  });

  test('and an input in the file of VS Code', async () => {
    const text = `{ "servers": { "git": { "command": "git", "env": { "GITHUB_TOKEN": "${token}" } } } }`;
    const title = 'Write ${input:github_token}, prompted for when the server starts';
    const after = JSON.parse(await fixed('secret-in-plain-text', title, text, { 'agentstack.json': '{}' }, vscode));
    expect(after).toEqual({
      inputs: [{ id: 'github_token', type: 'promptString', description: 'github token', password: true }],
      servers: { git: { command: 'git', env: { GITHUB_TOKEN: '${input:github_token}' } } },
    });
  });

  test('an input that is missing is added to the others', async () => {
    const text = '{ "inputs": [{ "id": "a", "type": "promptString" }], "servers": { "x": { "command": "${input:where}" } } }';
    const after = JSON.parse(await fixed('placeholder-invalid', 'Add the input "where"', text, { 'agentstack.json': '{}' }, vscode));
    expect(after.inputs).toEqual([
      { id: 'a', type: 'promptString' },
      { id: 'where', type: 'promptString', description: 'where', password: true },
    ]);
  });
});

describe('an answer in text gets the field that is read', () => {
  const agentFile = { [path]: '{ "agent_name": "A2", "version": "v1", "agent_type": "react", "model_name": "gpt-5.4" }' };
  const orchestration = 'config/orchestrations/o.json';
  const flow = (rest: string) =>
    `{ "name": "o", "entry_team": "t", "teams": { "t": { "name": "T", "tasks": [{ "name": "a", "agent": "A2@v1" }${rest} } } }`;

  test.each([
    [
      'condition-field-unknown',
      'Give the task "a" an output_schema with "status.code"',
      '], "routing": { "rules": [{ "condition": { "task": "a", "output_field": "status.code", "operator": "equals", "value": 7 }, "next_team": null }], "default": null }',
      '"code":{"type":"number"}',
    ],
    [
      'prompt-variable-unknown',
      'Give the task "a" an output_schema with "status"',
      ', { "name": "b", "agent": "A2@v1", "input": "{{tasks.a.output.status}}" }], "routing": { "default": null }',
      '"status":{"type":"string"}',
    ],
  ])('%s', async (code, title, rest, field) => {
    const server = await openProject({ ...agentFile, [orchestration]: flow(rest) });
    const action = (await actionsFor(server, orchestration, code)).find((one) => one.title === title);
    const after = (await filesAfter(server, action!))[orchestration]!;
    expect(after.replace(/\s/g, '')).toContain(field);
    expect(JSON.parse(after).teams.t.tasks[0]).toMatchObject({
      config: { output_schema: { type: 'object', additionalProperties: false } },
    });
    const again = await openProject({ ...agentFile, [orchestration]: after });
    expect((await diagnosticsOf(again, orchestration)).filter(({ severity }) => severity === 1).map(({ message }) => message)).toEqual([]);
  });
});

test('(?i) of an expectation becomes ignore_case', async () => {
  const at = 'config/payloads/A2/one.json';
  const text = '{ "input": {}, "expect": [{ "text": true, "operator": "matches", "value": "(?i)password" }] }';
  const files = { [path]: '{ "agent_name": "A2", "version": "v1", "model_name": "gpt-5.4", "system_text": "Help." }' };
  expect(JSON.parse(await fixed('pattern-unsupported', 'Write "ignore_case": true instead of (?i)', text, files, at)).expect).toEqual([
    { text: true, operator: 'matches', value: 'password', ignore_case: true },
  ]);
  const server = await openProject({ ...files, [at]: text.replace('(?i)', '(?=x)') });
  expect(await actionsFor(server, at, 'pattern-unsupported')).toEqual([]);
});

test('bounds that are the wrong way round are exchanged', async () => {
  const text = '{ "agent_name": "A2", "version": "v1", "input_schema": { "type": "object", "minProperties": 3, "maxProperties": 2 } }';
  expect(await fixed('schema-unsatisfiable', 'Exchange the two', text)).toContain('"minProperties": 2, "maxProperties": 3');
});
