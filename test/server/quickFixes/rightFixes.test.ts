// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts hold the placeholders under test.
import { describe, expect, test } from 'vitest';
import type { CodeAction } from 'vscode-languageserver';
import { agentText } from '../agents.js';
import { actionsFor, afterFixAll, editor, fixesOf, openProject } from './support.js';

const path = 'config/agents/A2/v1.json';
const flow = 'config/orchestrations/flow.json';

/** An orchestration with one team, whose second task gets this input. */
function team(input: string, rules = '[]'): string {
  return `{
  "name": "flow", "entry_team": "t",
  "teams": { "t": { "name": "T", "tasks": [
    { "name": "greet", "agent": "A2@v1", "input": {} },
    { "name": "say", "agent": "A2@v1", "depends_on": ["greet"], "input": { "a": ${JSON.stringify(input)} } }
  ], "routing": { "rules": ${rules}, "default": null } } }
}`;
}

const a2 = { [path]: agentText() };

describe('a path that nothing provides is replaced where it stands', () => {
  test('in an orchestration', async () => {
    const fixes = await fixesOf('prompt-variable-unknown', team('{{tasks.greet.output.tonne}}!'), flow, a2);
    expect(await fixes.after('Change to {{tasks.greet.output.tone}}')).toBe(team('{{tasks.greet.output.tone}}!'));
  });

  test('in a plan, whose input keys can also take it', async () => {
    const plan = (keys: string, llm: string) =>
      `{ "agent_name": "A2", "version": "v1", "agent_type": "orchestrating", "input_keys": ${keys}, "execution_plan": { "steps": [{ "name": "one", "llm": "${llm}" }] } }`;
    const fixes = await fixesOf('prompt-variable-unknown', plan('["task"]', 'Do {{input.tsak}}'));
    expect(await fixes.after('Change to {{input.task}}')).toBe(plan('["task"]', 'Do {{input.task}}'));
    expect(await fixes.after('Add "tsak" to input_keys')).toBe(plan('["task", "tsak"]', 'Do {{input.tsak}}'));
  });

  test('for a client that takes all edits at once', async () => {
    const { resolveSupport: _none, ...codeAction } = editor.textDocument!.codeAction!;
    const client = { ...editor, textDocument: { ...editor.textDocument, codeAction } };
    const server = await openProject({ ...a2, [flow]: team('{{tasks.greet.output.tonne}}') }, { client });
    const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const params = { textDocument: { uri: server.uri(flow) }, range, context: { diagnostics: [] } };
    const actions = await server.request<CodeAction[]>('textDocument/codeAction', params);
    expect(actions.find(({ title }) => title.startsWith('Change to'))?.edit).toBeDefined();
  });
});

describe('fix-all', () => {
  test('gives no two fields one name', async () => {
    const after = await afterFixAll('{"name":"T","id":"x","version":"v1"}');
    expect(after).toBe('{"agent_name":"T","id":"x","version":"v1"}');
  });

  test('leaves a foreign name whose value the field cannot have', async () => {
    expect(await afterFixAll('{"agent_name":"A2","version":"v1","model":{"name":"x"}}')).toBeUndefined();
  });

  test.each([
    [`{ "a": 'it\\'s "fine"' }`, `{ "a": "it's \\"fine\\"" }`],
    [`{ "a": 'it's "fine"' }`, `{ "a": "it's \\"fine\\"" }`],
    [`{ "a": 'it's "fine"', "b": 'so' }`, `{ "a": "it's \\"fine\\"", "b": "so" }`],
    [`{ 'a': ['x', 'y'] }`, `{ "a": ["x", "y"] }`],
  ])('takes a text in single quotes as a whole: %s', async (wrong, right) => {
    expect(await afterFixAll(wrong)).toBe(right);
  });
});

describe('what is not closed is closed', () => {
  const agent = (text: string) => `{ "agent_name": "A2", "version": "v1", "model_name": ${JSON.stringify(text)} }`;
  test.each([
    ['${MODEL:-gpt-5.4', 'Close it: ${MODEL:-gpt-5.4}', '${MODEL:-gpt-5.4}'],
    ['${MODEL', 'Close it: ${MODEL}', '${MODEL}'],
  ])('%s with its fallback', async (wrong, title, right) => {
    const fixes = await fixesOf('placeholder-invalid', agent(wrong));
    expect(await fixes.after(title)).toBe(agent(right));
  });

  const at = 'config/prompts/p/v1.json';
  const prompt = (template: string) => JSON.stringify({ name: 'p', version: 'v1', template });
  test.each(['Read {{input.task} now', 'Read {{input.task now'])('%s with two braces', async (wrong) => {
    const fixes = await fixesOf('placeholder-invalid', prompt(wrong), at);
    expect(await fixes.after('Close it: {{input.task}}')).toBe(prompt('Read {{input.task}} now'));
  });

  test('a text over two lines is one text', async () => {
    const fixes = await fixesOf('json-syntax', '{\n  "a": "one\n  two, three",\n  "b": 1\n}');
    expect(fixes.titles).toEqual(['Write \\n for the line break']);
    expect(await fixes.after('Write \\n for the line break')).toBe('{\n  "a": "one\\n  two, three",\n  "b": 1\n}');
  });

  test('a key ends at its colon', async () => {
    const fixes = await fixesOf('json-syntax', '{\n  "a: 1,\n  "b": 1\n}');
    expect(await fixes.after('Close the text with "')).toBe('{\n  "a": 1,\n  "b": 1\n}');
  });
});

describe('a rule that never matches', () => {
  const rule = (value: string, next = 'null') =>
    `{ "condition": { "task": "greet", "output_field": "tone", "operator": "equals", "value": "${value}" }, "next_team": ${next} }`;
  const any = '{ "condition": { "task": "greet", "status": "success" }, "next_team": null }';

  test('is not moved before the same rule', async () => {
    const fixes = await fixesOf('routing-shadowed', team('x', `[${rule('a')}, ${rule('a', '"t"')}]`), flow, a2);
    expect(fixes.titles).toEqual(['Remove this rule']);
  });

  test('is moved before a wider one', async () => {
    const fixes = await fixesOf('routing-shadowed', team('x', `[${any}, ${rule('a')}]`), flow, a2);
    expect(fixes.titles).toEqual(['Move before rule 1', 'Remove this rule']);
  });
});

describe('a misspelt name of a required field', () => {
  test('is corrected, and no made-up value is added beside it', async () => {
    const wrong = team('x', '[{ "condition": { "task": "greet", "status": "success" }, "nextTeam": "t" }]');
    const fixes = await fixesOf('foreign-name', wrong, flow, a2);
    expect(fixes.titles).toEqual(['Rename to "next_team"']);
    expect(await fixes.after('Rename to "next_team"')).toBe(wrong.replace('nextTeam', 'next_team'));
  });

  test('is not preferred as null where it is missing', async () => {
    const fixes = await fixesOf('schema', team('x', '[{ "condition": { "task": "greet", "status": "success" } }]'), flow, a2);
    expect(fixes).toMatchObject({ titles: ['Add "next_team": null'], preferred: undefined });
  });

  test.each(['schema', 'unknown-property'])('is none whose value the field cannot have (%s)', async (code) => {
    const plan = (repeat: string) =>
      `{ "agent_name": "A2", "version": "v1", "agent_type": "orchestrating", "execution_plan": { "steps": [{ "name": "one", "llm": "Go", "repeat": ${repeat} }] } }`;
    const fixes = await fixesOf(code, plan('{ "untill": null, "max": 3 }'));
    expect(fixes.titles.filter((title) => title.startsWith('Rename'))).toEqual([]);
    const good = '{ "step": "one", "status": "success" }';
    const others = await fixesOf(code, plan(`{ "untill": ${good}, "max": 3 }`));
    expect(await others.after('Rename to "until"')).toBe(plan(`{ "until": ${good}, "max": 3 }`));
  });

  test('is renamed with its value in the right type', async () => {
    const fixes = await fixesOf('unknown-property', '{ "agent_name": "A2", "version": "v1", "temprature": "0.50" }');
    expect(await fixes.after('Rename to "temperature" and write 0.50')).toContain('"temperature": 0.50 }');
  });
});

test('a default that the schema refuses becomes one that it takes', async () => {
  const agent = (value: string) =>
    `{ "agent_name": "A2", "version": "v1", "output_schema": { "type": "object", "properties": { "tone": { "type": "string", "enum": ["warm", "cold"] } } }, "defaults": { "tone": ${value} } }`;
  const fixes = await fixesOf('default-fits-schema', agent('"purple"'));
  expect(fixes).toMatchObject({ titles: ['Change to "warm"', 'Change to "cold"', 'Remove the default'], preferred: undefined });
  expect(await fixes.after('Change to "cold"')).toBe(agent('"cold"'));
});

test.each([
  ['anthropic', 'claude-3-opus', 'claude-opus-4-8', /^Change to "claude-opus-5/],
  ['openai', 'gpt-4', 'gpt-5.6-sol', /^Change to "gpt-5\.\d"$/],
  ['openai', 'gpt-4o-mini', 'gpt-6-luna', /^Change to "gpt-5\.4-mini"$/],
  ['openai', 'gpt-4-0314', 'gpt-6.1-sol', /^Change to "gpt-5\.\d"$/],
  ['gemini', 'gemini-2.0-flash-lite', 'gemini-3.1-flash-lite', /^Change to "gemini-[\d.]+-flash-lite"$/],
])(
  'a model of %s that ends gives way to where its successors lead, or to the newest of its kind: %s',
  async (provider, model, successor, newest) => {
    const text = `{ "agent_name": "A2", "version": "v1", "provider": "${provider}", "model_name": "${model}" }`;
    const { titles } = await fixesOf('deprecated-model', text);
    expect(titles[0]).toBe(`Change to "${successor}"`);
    expect(titles[1]).toMatch(newest);
  },
);

describe('a migration to the successor', () => {
  const offered = async (model: string, commands = ['agentStack.migrateModel'], more: Readonly<Record<string, string>> = {}) => {
    const client = { ...editor, experimental: { commands: { commands } } };
    const text = `{ "agent_name": "A2", "version": "v1", ${model} }`;
    const server = await openProject({ ...more, [path]: text }, { client });
    const actions = await actionsFor(server, path, 'deprecated-model');
    return { server, migrate: actions.filter(({ title }) => title.startsWith('Migrate')), first: actions[0]?.title };
  };

  test('is the first offer to a client that has its page', async () => {
    const { server, migrate, first } = await offered('"model_name": "gpt-4o-mini-2024-07-18"');
    expect(migrate.map(({ title, command, edit }) => ({ title, command, edit }))).toEqual([
      {
        title: 'Migrate to gpt-6-luna...',
        command: {
          title: 'Migrate to gpt-6-luna...',
          command: 'agentStack.migrateModel',
          arguments: [{ uri: server.uri(path), from: 'gpt-4o-mini' }],
        },
        edit: undefined,
      },
    ]);
    expect(first).toBe('Migrate to gpt-6-luna...');
    expect((await offered('"model_name": "gpt-4o-mini"', [])).migrate).toEqual([]);
  });

  test('is offered where a lower layer names the model', async () => {
    const system = { 'config/system.json': '{ "agent_defaults": { "model_name": "gpt-4o-mini" } }' };
    expect((await offered('"description": ""', undefined, system)).migrate).toHaveLength(1);
  });

  test('is not offered without a successor that stays, nor for a fine-tuned model', async () => {
    const models = (value: object) => ({ 'agentstack.json': JSON.stringify({ models: value }) });
    const mine = { ends: '2026-12-01', successor: 'next' };
    expect((await offered('"model_name": "ft:gpt-4o-mini-2024-07-18:acme::x"')).migrate).toEqual([]);
    expect((await offered('"model_name": "mine"', undefined, models({ mine: { ends: '2026-12-01' } }))).migrate).toEqual([]);
    expect((await offered('"model_name": "mine"', undefined, models({ mine, next: { ends: '2026-12-05' } }))).migrate).toEqual([]);
    expect((await offered('"model_name": "mine"', undefined, models({ mine, next: {} }))).migrate).toHaveLength(1);
  });
});

test('the name of a rule is corrected, and nothing is offered that silences it in vain', async () => {
  const server = await openProject({ 'agentstack.json': '{ "rules": { "unknwn-model": "hint" } }' });
  const actions = await actionsFor(server, 'agentstack.json', 'schema');
  expect(actions.map(({ title }) => title)).toEqual(['Rename to "unknown-model"']);
});

test('a next team that is a word for the end becomes the end', async () => {
  const rule = (next: string) => team('hi', `[{ "condition": { "context_field": "a", "operator": "exists" }, "next_team": ${next} }]`);
  const fixes = await fixesOf('next-team-unknown', rule('"END"'), flow, a2);
  expect(fixes.preferred).toBe('End the run here (null)');
  expect(await fixes.after('End the run here (null)')).toBe(rule('null'));
});
