import { describe, expect, test } from 'vitest';
import { ResponseError } from 'vscode-languageserver';
import type { DraftAnswer } from '../../core/draftAnswer.js';
import { openProject } from '../../core/node/openProject.js';
import { describePrompt } from '../../core/prompt/describePrompt.js';
import type { ComposeAnswer } from '../../server/commands/compose.js';
import type { EffectiveConfigAnswer } from '../../server/commands/effectiveConfig.js';
import type { GraphAnswer } from '../../server/commands/orchestrationGraph.js';
import { type Harness, openServer } from '../support/serverHarness.js';
import { agentText, llmText } from './agents.js';

const agent = 'config/agents/A2/v1.json';

function run<Answer>(server: Harness, command: string, argument?: unknown): Promise<Answer> {
  return server.request('workspace/executeCommand', {
    command: `agentStack.server.${command}`,
    arguments: argument === undefined ? undefined : [argument],
  });
}

async function refusal(server: Harness, command: string, argument?: unknown): Promise<string> {
  const error: unknown = await run(server, command, argument).catch((reason: unknown) => reason);
  if (!(error instanceof ResponseError)) throw new Error('It was not refused', { cause: error });
  return `${error.code} ${error.message}`;
}

const files = {
  [agent]: agentText({ input_keys: ['task'], llm_config_id: 'main' }),
  'config/agents/A2/v2.json': agentText({ system_text: 'Second.', llm_config_id: 'main' }, 'A2', 'v2'),
  'config/llms/main.json': llmText('main'),
  'config/llms/other.json': '{"llm_id": "other", "provider": "openai", "model_name": "gpt-4o", "api_key_env": "KEY"}',
  'config/environments/prod.json': '{"agent_defaults": {"temperature": 0.5}}',
  'config/payloads/A2/one.json': '{"input": {"task": "Write 🎉"}}',
};

describe('draft', () => {
  const prompt = 'config/prompts/greet/v1.json';
  const prompts = {
    ...files,
    [agent]: agentText({ input_keys: ['task'], llm_config_id: 'main', prompts: { system_prompt: 'greet@v1' } }),
    [prompt]: '{"name": "greet", "version": "v1", "template": "Do {{input.task}}."}',
  };

  /** The text of a prompt file with this template, and the offset of `|` in it. */
  function draftOf(template: string) {
    const marked = JSON.stringify({ name: 'greet', version: 'v1', template });
    return { text: marked.replace('|', ''), offset: marked.indexOf('|') };
  }

  test('says what is wrong with a text that nobody has saved', async () => {
    const server = await openServer(prompts);
    const { text } = draftOf('Do {input.task} and {{input.tsk');
    const { findings, tokens } = await run<DraftAnswer>(server, 'draft', { uri: server.uri(prompt), text, pointer: '/template' });
    const found = findings.map(({ code, start, end }) => [code, text.slice(start, end)]);
    expect(found).toContainEqual(['placeholder-invalid', '{input.task}']);
    expect(tokens).toMatch(/^about \d+ tokens$/);
    // The file itself is as it was.
    expect((await run<DraftAnswer>(server, 'draft', { uri: server.uri(prompt), text: prompts[prompt] })).findings).toEqual([]);
  });

  test('completes paths', async () => {
    const server = await openServer(prompts);
    const { text, offset } = draftOf('Do {{in|');
    const { completions = [] } = await run<DraftAnswer>(server, 'draft', { uri: server.uri(prompt), text, completion: offset });
    const task = completions.find(({ label }) => label === 'input.task');
    expect(task).toMatchObject({ insert: 'input.task}}', end: offset });
    expect(text.slice(task?.start, task?.end)).toBe('in');
  });

  test('says of a path which input it is, with an example', async () => {
    const server = await openServer(prompts);
    const { text, offset } = draftOf('Now do {{input.t|ask}}.');
    const { hover } = await run<DraftAnswer>(server, 'draft', { uri: server.uri(prompt), text, hover: offset });
    expect(hover?.markdown).toContain('Write 🎉');
    expect(hover?.markdown).toContain('config/payloads/A2/one.json');
    expect(text.slice(hover?.start, hover?.end)).toBe('task');
  });

  test('gives an example also of a key that no agent declares', async () => {
    const server = await openServer({ ...prompts, [agent]: agentText({ llm_config_id: 'main', prompts: { system_prompt: 'greet@v1' } }) });
    const { text, offset } = draftOf('Now do {{input.t|ask}}.');
    const { hover } = await run<DraftAnswer>(server, 'draft', { uri: server.uri(prompt), text, hover: offset });
    expect(hover?.markdown).toContain('config/payloads/A2/one.json');
  });

  test.each([
    ['no text', { uri: 'file:///x' }, /takes the text of the file/],
    ['another file', { uri: 'file:///x.json', text: '{}' }, /is not a config file of a project/],
    ['no offset', { uri: 'file:///x', text: '', hover: -1 }, /takes a number from 0 as hover|is not a config file/],
  ])('refuses %s', async (_what, argument, message) => {
    expect(await refusal(await openServer(prompts), 'draft', argument)).toMatch(message);
  });
});

describe('compose', () => {
  test('gives what the command line gives', async () => {
    const server = await openServer(files);
    const answer = await run<ComposeAnswer>(server, 'compose', { uri: server.uri(agent), payload: { task: 'x' } });
    const loaded = await openProject(server.root).factory.load('A2', 'v1');
    const { text, agent_name, version, ...rest } = answer;
    expect(rest).toEqual(await describePrompt(loaded, { task: 'x' }));
    expect([agent_name, version]).toEqual(['A2', 'v1']);
    expect(text).toMatch(/^\[system\]\nYou choose\.\n(?:.*\n)+\[user\]\ntask = "x"\n/);
    expect(answer.tokens.total).toBeGreaterThan(20);
  });

  test('takes the open text before the saved one, a case, a name without version, another profile', async () => {
    const server = await openServer(files);
    server.edit('config/agents/A2/v2.json', agentText({ system_text: 'Unsaved.' }, 'A2', 'v2').replaceAll('\n', '\r\n'));
    const answer = await run<ComposeAnswer>(server, 'compose', { agent: 'A2', case: 'one', llm: 'other', environment: 'prod' });
    expect(answer).toMatchObject({ version: 'v2', model_name: 'gpt-4o' });
    expect(answer.messages[0]!.content).toMatch(/^Unsaved\./);
    expect(answer.messages[1]!.content).toMatch(/^task = "Write 🎉"/);
  });

  test.each([
    ['no argument', undefined, /^-32602 .*takes one object/],
    ['a list', [], /^-32602 .*takes one object/],
    ['no agent', {}, /^-32602 .*takes the uri of a file, or the name of an agent/],
    ['a number for a name', { agent: 7 }, /^-32602 .*takes a text as agent/],
    ['a payload that is not an object', { agent: 'A2', payload: 'x' }, /^-32602 .*takes an object as payload/],
    ['a payload and a case', { agent: 'A2', payload: {}, case: 'one' }, /^-32602 .*not both/],
    ['an unknown agent', { agent: 'A3@v1' }, /^-32803 There is no agent "A3@v1"\..*A2@v1/],
    ['an unknown case', { agent: 'A2@v1', case: 'two' }, /There are: one\./],
    ['an unknown environment', { agent: 'A2@v1', environment: 'x' }, /environments\/x\.json does not exist/],
    ['an unknown profile', { agent: 'A2@v1', payload: { task: '' }, llm: 'x' }, /unknown-llm/],
    ['a payload without a key that is asked for', { agent: 'A2@v1', payload: {} }, /The key "task" is missing/],
    ['a name from the prototype', { agent: '__proto__' }, /There is no agent "__proto__"/],
  ])('refuses %s', async (_name, argument, message) => {
    expect(await refusal(await openServer(files), 'compose', argument)).toMatch(message);
  });

  test('refuses an agent with faults by naming them, and a file that is none', async () => {
    const server = await openServer({
      ...files,
      'config/agents/B/v1.json': '{"agent_name": "B", "version": "v1", "temperature": 9}',
      'config/agents/C/v1.json': '{"agent_name"',
    });
    const message = await refusal(server, 'compose', { agent: 'B' });
    expect(message).toContain('config/agents/B/v1.json:1:53 schema');
    expect(message).toContain('effective-config-incomplete');
    expect(await refusal(server, 'compose', { agent: 'C' })).toContain('is not valid JSON');
    expect(await refusal(server, 'compose', { uri: server.uri('config/llms/main.json') })).toContain('is not an agent');
    expect(await refusal(server, 'compose', { uri: 'untitled:x' })).toContain('is in no project');
  });
});

describe('effectiveConfig', () => {
  test('tells every value and where it is written', async () => {
    const server = await openServer(files);
    const answer = await run<EffectiveConfigAnswer>(server, 'effectiveConfig', { uri: server.uri(agent) });
    expect(answer).toMatchObject({
      agent_name: 'A2',
      version: 'v1',
      environment: 'dev',
      config: { model_name: 'offline', temperature: 0, mode: 'Chooser' },
      llm: { llm_id: 'main', provider: 'offline' },
      origins: {
        '/model_name': { file: 'config/llms/main.json', pointer: '/model_name', layer: 'llm' },
        '/temperature': { file: null, layer: 'default' },
        '/output_schema/required/0': { file: agent, layer: 'agent' },
      },
      problems: [],
      files: ['config/llms/main.json', agent],
    });
  });

  test('shows neither what a variable holds nor a secret', async () => {
    const variables = { MODEL: 'private-model', OTHER: 'sk-proj-Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg' };
    const server = await openServer(
      {
        [agent]: agentText({ system_text: `Say \${OTHER} or ${variables.OTHER}`, llm_config_id: 'main' }),
        'config/llms/main.json':
          '{"llm_id": "main", "provider": "openai", "model_name": "${MODEL}", "options": {"a~/b": "${MODEL}"}, "api_key": "sk-proj-Zm9vYmFyMTIzNDU2Nzg5MGFiY2RlZg"}',
      },
      { variables },
    );
    const answer = await run<EffectiveConfigAnswer>(server, 'effectiveConfig', { agent: 'A2@v1' });
    expect(answer).toMatchObject({ config: { model_name: '${MODEL}' }, llm: { options: { 'a~/b': '${MODEL}' } } });
    for (const value of Object.values(variables)) expect(JSON.stringify(answer)).not.toContain(value);
  });

  test('refuses broken JSON', async () => {
    const server = await openServer({ [agent]: '{"agent_name": ' });
    expect(await refusal(server, 'effectiveConfig', { uri: server.uri(agent) })).toContain('is not valid JSON');
  });
});

describe('orchestrationGraph', () => {
  const flow = 'config/orchestrations/flow.json';
  const text = JSON.stringify({
    name: 'flow',
    entry_team: 'one',
    teams: {
      one: {
        name: 'One 🎉',
        tasks: [
          { name: 't', agent: 'A2@v1' },
          { name: 'u', persona_key: 'kind', agent_type: 'react', depends_on: ['t'] },
        ],
        routing: {
          rules: [
            {
              condition: [
                { task: 't', output_field: 'tone', operator: 'in', value: ['a', 'b'] },
                { not: { task: 't', status: 'failure' } },
              ],
              next_team: 'one',
              context_updates: { x: 1 },
            },
            { condition: { context_field: 'x', operator: 'equals', value: 1 }, next_team: null },
          ],
        },
      },
      two: { name: 'Two', tasks: [], routing: { default: 'one' } },
    },
  });

  test('gives teams, ways and conditions', async () => {
    const server = await openServer({ [agent]: agentText(), [flow]: text });
    const answer = await run<GraphAnswer>(server, 'orchestrationGraph', { orchestration: 'flow' });
    expect(answer).toMatchObject({
      uri: server.uri(flow),
      name: 'flow',
      entry_team: 'one',
      nodes: [
        {
          id: 'one',
          is_entry: true,
          is_unreachable: false,
          may_end_without_route: true,
          tasks: [
            { name: 't', agent: 'A2@v1', depends_on: [] },
            { name: 'u', agent: null, persona_key: 'kind', agent_type: 'react', depends_on: ['t'] },
          ],
        },
        { id: 'two', is_entry: false, is_unreachable: true, may_end_without_route: false },
      ],
      edges: [
        { from: 'one', to: 'one', type: 'rule', rule: 0, label: 't.tone in a, b and not (t: failure)', context_updates: { x: 1 } },
        { from: 'one', to: null, type: 'rule', rule: 1, label: 'context.x equals 1' },
        { from: 'two', to: 'one', type: 'default', rule: null, condition: null, label: '' },
      ],
      cycles: [{ teams: ['one'], endless: false }],
    });
    const start = text.indexOf('"one":');
    expect(answer.nodes[0]!.range).toEqual({ start: { line: 0, character: start }, end: { line: 0, character: start + 5 } });
  });

  test('of a broken file gives what is there', async () => {
    const server = await openServer({ [agent]: agentText(), [flow]: text.slice(0, text.indexOf('"two"')) });
    const answer = await run<GraphAnswer>(server, 'orchestrationGraph', { uri: server.uri(flow) });
    expect(answer.nodes.map(({ id }) => id)).toEqual(['one']);
    expect(answer.edges).toHaveLength(2);
  });
});

test('an unknown command is refused with those there are', async () => {
  const server = await openServer(files);
  expect(await refusal(server, 'nonsense')).toContain('agentStack.server.orchestrationGraph');
});

test('a name that several projects have is refused without the uri of a file of one', async () => {
  const server = await openServer({
    'one/agentstack.json': '{}',
    'two/agentstack.json': '{}',
    [`one/${agent}`]: agentText({ model_name: 'gpt-4o', input_keys: ['task'] }),
    [`two/${agent}`]: agentText({ model_name: 'gpt-4.1', input_keys: ['task'] }),
  });
  expect(await refusal(server, 'compose', { agent: 'A2', payload: { task: '' } })).toMatch(
    /Several projects have the agent "A2": .*one and .*two\./,
  );
  expect(
    await run<ComposeAnswer>(server, 'compose', { agent: 'A2', payload: { task: '' }, uri: server.uri('two/agentstack.json') }),
  ).toMatchObject({
    model_name: 'gpt-4.1',
  });
});
