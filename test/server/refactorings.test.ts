import { describe, expect, test } from 'vitest';
import type { CodeAction } from 'vscode-languageserver';
import type { Harness } from '../support/serverHarness.js';
import { diagnosticsOf, editor, filesAfter, openProject } from './quickFixes/support.js';

const path = 'config/agents/Intake/v1.json';
const agent = `{
  "agent_name": "Intake",
  "version": "v1",
  "mode": "Chooser",
  "system_text": "You sort. 😀",
  "purpose_text": "Choose.",
  "provider": "openai",
  "model_name": "gpt-4.1-mini",
  "temperature": 0.50,
  "input_keys": ["text"],
  "output_schema": {
    "type": "object",
    "properties": {
      "tone": { "type": "string", "enum": ["direct", "formal"] },
      "note": { "type": "string", "minLength": 1 }
    }
  },
  "enums": { "tone": ["direct"] }
}
`;

async function actionsAt(server: Harness, from: string, to = from): Promise<readonly CodeAction[]> {
  const text = server.text(path);
  const document = server.service.workspace.document(server.uri(path))!;
  const start = text.indexOf(from);
  const end = from === to ? start : text.indexOf(to) + to.length;
  const range = document.rangeOf({ start, end });
  return server.request('textDocument/codeAction', {
    textDocument: { uri: server.uri(path) },
    range,
    context: { diagnostics: [], only: ['refactor'] },
  });
}

async function apply(server: Harness, actions: readonly CodeAction[], words: string): Promise<Readonly<Record<string, string>>> {
  const action = actions.find(({ title }) => title.includes(words));
  if (action === undefined) throw new Error(`No action "${words}" among: ${actions.map(({ title }) => title).join('; ')}`);
  return filesAfter(server, action);
}

describe('a persona is extracted from the selected fields', () => {
  test('as they are written, and the prompt stays the same', async () => {
    const server = await openProject({ [path]: agent });
    const after = await apply(server, await actionsAt(server, '"system_text"', '"Choose."'), 'Extract 2 fields');
    expect(after['config/personas/intake_persona.json']).toBe('{\n  "system_text": "You sort. 😀",\n  "purpose_text": "Choose."\n}\n');
    expect(after[path]).toBe(
      agent.replace('  "system_text": "You sort. 😀",\n  "purpose_text": "Choose.",\n', '  "persona_key": "intake_persona",\n'),
    );
  });

  test('with the line ends and the indentation of the file', async () => {
    const server = await openProject({ [path]: agent.replaceAll('\n', '\r\n').replaceAll('  ', '\t') });
    const after = await apply(server, await actionsAt(server, '"system_text"', '"Choose."'), 'Extract 2 fields');
    expect(after['config/personas/intake_persona.json']).toBe(
      '{\r\n\t"system_text": "You sort. 😀",\r\n\t"purpose_text": "Choose."\r\n}\r\n',
    );
    expect(after[path]).not.toMatch(/(?<!\r)\n/);
  });

  test('but not when a lower layer would win then', async () => {
    // The profile lies under a persona and an agent alike, the environment's word for this agent only under the agent.
    const server = await openProject({ [path]: agent, 'config/system.json': '{ "persona_defaults": { "temperature": 1 } }' });
    const actions = await actionsAt(server, '"system_text"', '"Choose."');
    // The agent gives the temperature itself, so it still wins.
    await expect(apply(server, actions, 'Extract 2 fields')).resolves.toBeDefined();
    const other = await openProject({ [path]: agent, 'config/system.json': '{ "persona_defaults": { "top_p": 0.5 } }' });
    await expect(apply(other, await actionsAt(other, '"system_text"', '"Choose."'), 'Extract 2 fields')).rejects.toThrow(
      'would change top_p',
    );
  });

  test('which is not offered at a cursor, and greyed out where there is a persona', async () => {
    const server = await openProject({
      [path]: agent.replace('"mode"', '"persona_key": "p",\n  "mode"'),
      'config/personas/p.json': '{ "top_p": 1 }',
    });
    expect((await actionsAt(server, '"system_text"')).map(({ title }) => title).join()).not.toContain('persona');
    const [action] = (await actionsAt(server, '"system_text"', '"Choose."')).filter(({ title }) => title.startsWith('Extract'));
    expect(action?.disabled?.reason).toContain('takes only one');
  });
});

test('a persona is inlined, and extracting and inlining again gives the fields back', async () => {
  const server = await openProject({ [path]: agent });
  const after = await apply(server, await actionsAt(server, '"system_text"', '"Choose."'), 'Extract 2 fields');
  const second = await openProject(after);
  const inlined = await apply(second, await actionsAt(second, '"persona_key"'), 'Inline the persona');
  expect(inlined[path]).toBe(agent);
});

test('the model settings move to a profile, digits and all', async () => {
  const server = await openProject({ [path]: agent });
  const after = await apply(server, await actionsAt(server, '"model_name"'), 'Move the model settings');
  expect(after['config/llms/intake_model.json']).toBe(
    '{\n  "llm_id": "intake_model",\n  "provider": "openai",\n  "model_name": "gpt-4.1-mini",\n  "temperature": 0.50\n}\n',
  );
  expect(after[path]).toContain('"llm_config_id": "intake_model"');
  expect(after[path]).not.toContain('model_name');
});

test('the model settings stay where another agent would get the new profile', async () => {
  const server = await openProject({ [path]: agent, 'config/agents/Other/v1.json': '{ "agent_name": "Other", "version": "v1" }' });
  const [action] = (await actionsAt(server, '"model_name"')).filter(({ title }) => title.startsWith('Move the model'));
  expect(action?.disabled?.reason).toContain('config/agents/Other/v1.json');
});

test('the model settings move to a further profile where several are there, since no agent uses one that it does not name', async () => {
  const server = await openProject({
    [path]: agent,
    'config/agents/Other/v1.json': '{ "agent_name": "Other", "version": "v1" }',
    'config/llms/local.json': '{ "llm_id": "local", "provider": "offline", "model_name": "offline" }',
    'config/llms/other.json': '{ "llm_id": "other", "provider": "offline", "model_name": "offline" }',
  });
  const after = await apply(server, await actionsAt(server, '"model_name"'), 'Move the model settings');
  expect(after['config/llms/intake_model.json']).toContain('"llm_id": "intake_model"');
});

test('enums are derived from the schema, and the schema from enums', async () => {
  const server = await openProject({ [path]: agent });
  const actions = await actionsAt(server, '"enums"');
  expect(Object.values(await apply(server, actions, 'Make enums equal'))[0]).toContain('"enums": { "tone": ["direct", "formal"] }');
  expect(Object.values(await apply(server, actions, 'Make the values of the schema'))[0]).toContain('"enum": ["direct"]');
});

test('the schema is made strict, and its title says what that costs', async () => {
  const server = await openProject({ [path]: agent });
  const after = await apply(server, await actionsAt(server, '"output_schema"'), 'Make the output schema strict, without minLength');
  const schema = JSON.parse(after[path]!).output_schema;
  expect(schema).toEqual({
    type: 'object',
    required: ['tone', 'note'],
    additionalProperties: false,
    properties: { tone: { type: ['string', 'null'], enum: ['direct', 'formal', null] }, note: { type: ['string', 'null'] } },
  });
  const fixed = await openProject(after);
  expect((await diagnosticsOf(fixed, path)).map(({ code }) => code)).not.toContain('schema-portability');
});

test('the next version is a copy with another version', async () => {
  const server = await openProject({ [path]: agent, 'config/agents/Intake/v2.json': agent.replace('"v1"', '"v2"') });
  const after = await apply(server, await actionsAt(server, '"version"'), 'Create the next version v3');
  expect(after).toEqual({ 'config/agents/Intake/v3.json': agent.replace('"v1"', '"v3"') });
});

test('an editor that is told of edits at once gets only what can be done', async () => {
  const { codeAction: _later, ...textDocument } = editor.textDocument ?? {};
  const client = { ...editor, textDocument };
  const server = await openProject({ [path]: agent, 'config/system.json': '{ "persona_defaults": { "top_p": 0.5 } }' }, { client });
  const actions = await actionsAt(server, '"system_text"', '"Choose."');
  expect(actions.map(({ title }) => title).join()).not.toContain('persona');
  const all = await actionsAt(server, '"model_name"');
  expect(all.find(({ title }) => title.startsWith('Move the model'))?.edit?.documentChanges).toHaveLength(3);
});
