import { describe, expect, test } from 'vitest';
import type { ClientCapabilities, Hover, MarkupContent } from 'vscode-languageserver';
import { documentOf } from '../support/documentOf.js';
import { openServer } from '../support/serverHarness.js';
import { configText, namedProject, withCursor } from './namedProject.js';

const agent = 'config/agents/A/v1.json';
const flow = 'config/orchestrations/flow.json';
const prompt = 'config/prompts/ask/v2.json';
const markdown: ClientCapabilities = { textDocument: { hover: { contentFormat: ['markdown', 'plaintext'] } } };

describe('a field', () => {
  test('says what it means, its default and limits, and where that is from', async () => {
    const { text } = await hover({ [agent]: '{"agent_name": "A", "version": "v1", "temper|ature": 1}' }, agent);
    expect(text).toBe(
      'Overrides 0, the built-in default\ntemperature: number\nRandomness of the answer, 0 to 2. Default 0 for single_shot, 0.7 for react.\n' +
        'From 0 to 2.\nSource: agent.schema.json',
    );
  });

  test('of a list is called by the list', async () => {
    const { text } = await hover({ [agent]: '{"agent_name": "A", "version": "v1", "input_keys": ["x", 1|2]}' }, agent, {
      client: markdown,
    });
    expect(text).toContain('**input_keys\\[1\\]**');
  });

  test('lists its values', async () => {
    const { text } = await hover({ [agent]: '{"agent_name": "A", "version": "v1", "mo|de": "Chooser"}' }, agent);
    expect(text).toContain('One of "Chooser", "Writer", "Extractor"');
  });

  test('links to the page about the fields of its kind', async () => {
    const { text } = await hover({ [agent]: '{"agent_name": "A", "version": "v1", "mo|de": "Chooser"}' }, agent, { client: markdown });
    expect(text).toMatch(/Source: \[agent\\\.schema\\\.json\]\(<file:.*\/docs\/config\.md#agent>\)/);
  });

  test('explains a keyword of JSON Schema inside an output schema', async () => {
    const { text } = await hover(
      { [agent]: '{"agent_name": "A", "version": "v1", "output_schema": {"addi|tionalProperties": false}}' },
      agent,
    );
    expect(text).toContain('additionalProperties');
  });

  test('explains an option of a profile as its provider means it', async () => {
    const llm = 'config/llms/x.json';
    const profile = (provider: string, options: string) => ({ [llm]: `{"llm_id": "x", "provider": "${provider}", "options": ${options}}` });
    expect((await hover(profile('anthropic', '{"cache_control": {"ty|pe": "ephemeral", "ttl": "1h"}}'), llm)).text).toBe(
      'type: required\nThe only kind there is.\nOne of "ephemeral".\nSource: Messages API of Anthropic',
    );
    expect((await hover(profile('openai', '{"reasoning_ef|fort": "low"}'), llm)).text).toContain('One of "none", "minimal", "low"');
    expect((await hover(profile('gemini', '{"reasoning_ef|fort": "low"}'), llm)).text).toBe('');
    expect((await hover(profile('openai', '{"some|thing": 1}'), llm)).text).toBe('');
    expect((await hover({ [llm]: '{"llm_id": "x", "opt|ions": {}}' }, llm)).text).toContain('llm.schema.json');
  });

  test('shows what it overrides, and from which layer', async () => {
    const files = {
      [agent]: '{"agent_name": "A", "version": "v1", "persona_key": "p", "temper|ature": 0.5}',
      'config/personas/p.json': '{"temperature": 0.9}',
    };
    expect((await hover(files, agent)).text).toContain('Overrides 0.9 from config/personas/p.json (persona)');
    const plain = { ...files, [agent]: '{"agent_name": "A", "version": "v1", "temper|ature": 0.5}' };
    expect((await hover(plain, agent)).text).toContain('Overrides 0, the built-in default');
  });

  test('shows what counts when a null takes the own value away', async () => {
    const { text } = await hover({ [agent]: '{"agent_name": "A", "version": "v1", "timeout|_ms": null}' }, agent);
    expect(text).toContain('Effective: 30000, the built-in default');
  });

  test('with the name of the agent shows what it runs with', async () => {
    const { text } = await hover(withCursor(agent, '"agent_|name"'), agent);
    expect(text).toContain('model_name "gpt-4.1-mini" from config/llms/fast.json (llm)');
  });
});

describe('a reference', () => {
  test('to an agent shows its path, its description, its model and its first lines', async () => {
    const files = {
      ...withCursor(flow, '"agent": "A@v|1"'),
      [agent]: configText({ agent_name: 'A', version: 'v1', description: 'Shapes.', llm_config_id: 'fast', system_text: 'One.\nTwo.' }),
    };
    const { text, marked } = await hover(files, flow);
    expect(marked).toBe('v1');
    expect(text).toBe(
      'A@v1 (agent) config/agents/A/v1.json\nShapes.\nsingle_shot, model gpt-4.1-mini.\nVersions: v1, v2.\n    One.\n    Two.',
    );
  });

  test('to a profile shows the facts of its model with their date', async () => {
    const { text } = await hover(withCursor(agent, '"fa|st"'), agent);
    expect(text).toContain('fast (llm) config/llms/fast.json');
    expect(text).toContain('Context window: 1,047,576 tokens');
    expect(text).toContain('Most output: 32,768 tokens');
    expect(text).toMatch(/Price per million tokens: 0\.40 USD input, 1\.60 USD output/);
    expect(text).toMatch(/Source: .*20\d\d-\d\d-\d\d/);
  });

  test('to a persona, a prompt, a server, a team and a task shows what that is', async () => {
    expect((await hover(withCursor(agent, '"edit|or"'), agent)).text).toBe('editor (persona) config/personas/editor.json\n    You edit.');
    const template = (await hover(withCursor(agent, '"as|k@v2"'), agent)).text;
    expect(template).toContain(
      'ask@v2 (prompt) config/prompts/ask/v2.json\nVariables: input.topic. 1 example.\n    About "{{input.topic}}"',
    );
    expect((await hover(withCursor(agent, '"fil|es"'), agent)).text).toBe(
      'files (MCP server) config/mcp.json\nstdio, runs x.\nIts tools are not listed yet: npx agent-stack tools lists and pins them.',
    );
    expect((await hover(withCursor(flow, '"next_team": "t|wo"'), flow)).text).toBe(
      'two (team) Two\n- ask: agent A\nIn a run: at most 5 times, each 1 call, 0.0797 USD. Counted with 2,000 tokens for the external part of each input.',
    );
    expect((await hover(withCursor(flow, '"task": "aga|in"'), flow)).text).toBe('again (task of one): persona editor');
  });

  test('on the name of an agent with tools tells what it may do, and where what it reads may go', async () => {
    const tool = (labels: object) => ({ description: 'd', parameters: { type: 'object' }, hash: '0'.repeat(64), labels });
    const { text } = await hover(
      {
        [agent]: '{"agent_name": "A|", "version": "v1", "agent_type": "react", "client_ids": ["issues", "mail"]}',
        'config/mcp.json': '{"servers": {"issues": {"command": "i"}, "mail": {"command": "m"}}}',
        'config/mcp.lock.json': JSON.stringify({
          format: 1,
          servers: {
            issues: { tools: { search: tool({ reads: 'private', untrusted: true }) } },
            mail: { tools: { send: tool({ sends: true }) } },
          },
        }),
        'config/system.json': '{"policy": {"never": [{"from": "untrusted", "to": "sends"}]}}',
      },
      agent,
    );
    expect(text).toContain('May read with issues/search (private, written by strangers), after an approval.');
    expect(text).toContain('May not change data.');
    expect(text).toContain('issues/search (untrusted) -> A -> mail/send (sends), after an approval');
    expect(text).toContain('Policy, never untrusted -> sends: refuted');
  });

  test('on the name of an orchestration tells what a run can cost, and which teams most of it', async () => {
    const { text } = await hover(withCursor(flow, '"na|me"'), flow);
    expect(text).toMatch(
      /^A run: at most \d+ teams, \d+ calls, \d+\.\d\d USD \([\d,]+ tokens sent, [\d,]+ tokens received\)\. Counted with/,
    );
    expect(text).toMatch(/\n- two: at most 5 times, each 1 call, 0\.0797 USD, 0\.399 USD in all\n/);
    expect(text).toContain('name');
  });

  test('to nothing says so', async () => {
    const { text } = await hover({ [agent]: '{"agent_name": "A", "version": "v1", "llm_config_id": "no|ne"}' }, agent);
    expect(text).toBe('There is no config/llms/none.json.');
  });
});

describe('names', () => {
  test('of fields show their schema and where they are used', async () => {
    const { text } = await hover(withCursor(flow, '"output_field": "to|ne"'), flow);
    expect(text).toBe(
      [
        'tone (output field, string) of config/agents/A/v1.json',
        'One of direct, friendly.',
        'Filled with "direct" when the answer lacks it.',
        'Used in',
        '- required config/agents/A/v1.json',
        '- schema config/agents/A/v1.json',
        '- enums config/agents/A/v1.json',
        '- defaults config/agents/A/v1.json',
        '- condition of a plan config/agents/B/v1.json',
        '- routing condition config/orchestrations/flow.json',
        '- few-shot example config/prompts/ask/v2.json',
      ].join('\n'),
    );
  });

  test('of enum values show where they are used', async () => {
    const { text } = await hover(withCursor(agent, '"enums": {\n    "tone": [\n      "dir|ect"'), agent);
    expect(text).toContain('direct (value of tone)\nUsed in\n- enum of the schema config/agents/A/v1.json\n- enums');
    expect(text).toContain('- routing condition config/orchestrations/flow.json');
  });

  test('in {{paths}} show the key of the input and of the context', async () => {
    const { text, marked } = await hover(withCursor(prompt, '{{input.to|pic}}'), prompt);
    expect(marked).toBe('topic');
    expect(text).toContain('topic (input, required by config/agents/A/v1.json)');
    expect((await hover(withCursor(prompt, '{|{input.topic}}'), prompt)).text).toBe(text);
    expect((await hover(withCursor(flow, '{{ta|sks.ask.output.items.0.kind}}'), flow)).text).toContain('kind (output field)');
    expect((await hover(withCursor(flow, '{{context.to|pic}}'), flow)).text).toContain('topic (context), at first "tea".');
  });
});

describe('a model', () => {
  test('that is on its way out says so, one of the user shows the user his facts', async () => {
    const settings = { models: { mine: { context_window: 1000, max_output_tokens: 10, unsupported: ['top_p'], deprecated: 'gone soon' } } };
    const files = {
      'agentstack.json': configText(settings),
      [agent]: '{"agent_name": "A", "version": "v1", "model_name": "mi|ne"}',
    };
    const { text } = await hover(files, agent);
    expect(text).toContain('Deprecated: gone soon\n- Context window: 1,000 tokens\n- Most output: 10 tokens\n- Does not take top_p');
    expect(text).toContain('Source: agentstack.json');
  });

  test('that ends says when, what follows, and who says so, wherever it is named', async () => {
    for (const path of ['config/personas/kind.json', 'config/llms/fast.json']) {
      const { text } = await hover({ [path]: '{"model_name": "gpt-5-|mini"}' }, path);
      expect(text).toMatch(
        /Ends on 2026-12-11, in 14 days\n- Its successor is "[^"]+"\.\n- Source of the end: https:\/\/\S+, read on 20\d\d-\d\d-\d\d\n/,
      );
    }
    const { text } = await hover(
      { 'config/environments/prod.json': '{"agents": {"A": {"model_name": "gpt-5-|mini"}}}' },
      'config/environments/prod.json',
    );
    expect(text).toContain('Ends on 2026-12-11, in 14 days');
  });

  test('that is unknown says so', async () => {
    const { text } = await hover({ [agent]: '{"agent_name": "A", "version": "v1", "model_name": "zz|z"}' }, agent);
    expect(text).toContain('Nothing is known about this model.');
  });

  test('that the offline provider stands in for shows what it is elsewhere', async () => {
    const file = '{"agent_name": "A", "version": "v1", "provider": "offline", "model_name": "gpt-4.1|-mini"}';
    const { text } = await hover({ [agent]: file }, agent);
    expect(text).toContain('The provider is offline, which calls no model.');
    expect(text).toContain('Context window: ');
  });
});

describe('a text', () => {
  test('shows its tokens for the model of the agent', async () => {
    const file = '{"agent_name": "A", "version": "v1", "system_text": "You are a he|lpful assistant.", "model_name": "gpt-4.1-mini"}';
    expect((await hover({ [agent]: file }, agent)).text).toContain('6 tokens for gpt-4.1-mini.');
  });

  test('that is long is estimated', async () => {
    const file = `{"agent_name": "A", "version": "v1", "system_text": "|${'hello '.repeat(50_000)}", "model_name": "gpt-4.1-mini"}`;
    expect((await hover({ [agent]: file }, agent)).text).toContain('About 50,0');
  });
});

describe('placeholders', () => {
  const file = configText({
    agent_name: 'A',
    version: 'v1',
    system_text: '"\n${SET} and ${UNSET} or ${UNSET:-some}',
    model_name: '${MODEL}',
  });
  const variables = { SET: 'the hidden value', MODEL: 'gpt-hidden', OPENAI_KEY: 'sk-hidden' };
  const at = (mark: string, text = file) => hover(withCursor(agent, mark, { [agent]: text }), agent, { variables });

  test('say whether a variable is set, and never what it holds', async () => {
    const { text, marked } = await at('${SE|T}');
    expect(marked).toBe('${SET}');
    expect(text).toBe('Environment variable SET is set.');
    const marked2 = await hover(withCursor(agent, '${SE|T}', { [agent]: file }), agent, { variables, client: markdown });
    expect(marked2.text).toBe('**Environment variable** `SET` is set.');
    expect((await at('${UN|SET}')).text).toBe('Environment variable UNSET is not set, and there is no fallback: a run refuses to start.');
    expect((await at('${UNSET:-so|me}')).text).toBe('Environment variable UNSET is not set, so it is some.');
    for (const mark of ['"agent_|name"', '"model_|name"', '"system_|text"']) expect((await at(mark)).text, mark).not.toContain('hidden');
  });

  test('say where a secret comes from', async () => {
    const llm = 'config/llms/x.json';
    const ask = (mark: string) =>
      hover(withCursor(llm, mark, { [llm]: configText({ llm_id: 'x', api_key: 'secret://openai-key' }) }), llm, { variables });
    const { text } = await ask('secret://open|ai-key');
    expect(text).toContain('Secret openai-key');
    expect(text).toContain('OPENAI_KEY, which is set.');
    expect(text).not.toContain('hidden');
  });

  test('of mcp.json are what is asked for when a server starts', async () => {
    const mcp = 'config/mcp.json';
    const text = configText({
      inputs: [{ type: 'promptString', id: 'key' }],
      servers: { a: { type: 'stdio', command: 'x', env: { K: '${input:key}', P: '${env:SET}' } } },
    });
    const files = { [mcp]: text, 'agentstack.json': '{}' };
    expect((await hover(withCursor(mcp, '${input:k|ey}', files), mcp)).text).toBe(
      'Input key is prompted for when the server is first started.',
    );
    expect((await hover(withCursor(mcp, '${env:S|ET}', files), mcp)).text).toBe('Environment variable SET is not set.');
  });

  test('and fields of the lists of other tools are those of their readers', async () => {
    const root = '.mcp.json';
    const vscode = '.vscode/mcp.json';
    const files = {
      'agentstack.json': '{}',
      [root]: configText({ mcpServers: { a: { command: 'x', env: { K: '${SET:-fallback}' } } } }),
      [vscode]: configText({ servers: { a: { command: 'x', envFile: '.env', env: { K: '${env:SET}' } } } }),
    };
    expect((await hover(withCursor(root, '${S|ET', files), root)).text).toBe('Environment variable SET is not set, so it is fallback.');
    expect((await hover(withCursor(root, '"mcpS|ervers"', files), root)).text).toContain('The servers, by name.');
    expect((await hover(withCursor(vscode, '${env:S|ET}', files), vscode)).text).toBe('Environment variable SET is not set.');
    expect((await hover(withCursor(vscode, '"envF|ile"', files), vscode)).text).toContain('File with more environment variables');
  });
});

test('texts of configs become no links, images or HTML', async () => {
  const hostile = '![x](http://evil.example/a.png) [y](command:z) <img src=x> <http://evil.example> www.evil.example ```\n```\n# h';
  const files = {
    [agent]: configText({ agent_name: 'A', version: 'v1', description: hostile, system_text: hostile, persona_key: 'p' }),
    [flow]: configText({ name: 'flow', entry_team: 'one', teams: { one: { tasks: [{ name: 'a', agent: 'A@v1' }] } } }),
  };
  const { text } = await hover(withCursor(flow, 'A@|v1', files), flow, { client: markdown });
  // Outside of code nothing is left that Markdown reads as markup.
  const outside = text.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '').replace(/(`+)(?!`).*?[^`]\1(?!`)/g, '');
  expect(outside).not.toMatch(/(?<!\\)[[\]<>]/);
  expect(outside).not.toMatch(/https?:|www\.|command:/);
  expect(text).toContain('````');
});

test('works in broken JSON, with CRLF and emoji', async () => {
  const text = '{\r\n  "description": "😀",,\r\n  "llm_config_id": "fa|st"\r\n  "mode": ';
  const { text: shown, marked } = await hover({ [agent]: text, 'config/llms/fast.json': namedProject['config/llms/fast.json']! }, agent);
  expect(marked).toBe('fast');
  expect(shown).toContain('fast (llm) config/llms/fast.json');
});

test.each([
  ['a value is missing before it', '{"agent_name":\n "version": "v1", "mo|de": "Chooser"}'],
  ['its own value is missing', '{"agent_name": "A", "version": "v1", "mo|de": \n}'],
  ['a comma is missing', '{"agent_name": "A" "version": "v1" "mo|de": "Chooser"}'],
  ['a string before it is open', '{"agent_name": "A,\n "mo|de": "Chooser"}'],
])('explains a field where %s', async (_what, text) => {
  const { text: shown, marked } = await hover({ [agent]: text }, agent);
  expect(marked).toBe('"mode"');
  expect(shown).toContain('One of "Chooser", "Writer", "Extractor"');
});

test('says nothing between values, and in files that are not ours', async () => {
  for (const text of ['{"agent_name": "A", | "version": "v1"}', '{"agent_name":| "A"}', '{"some": "th|ing"}']) {
    const server = await openServer({ [agent]: text });
    expect(await server.request('textDocument/hover', server.at(agent)), text).toBeNull();
  }
});

test.each(['{"tool": "read|_file", "arguments": []}', '{"tools_in_order": ["grep", "read|_file"]}'])(
  'a tool that an expectation names says what it does: %s',
  async (expectation) => {
    const { text } = await hover(
      {
        [agent]:
          '{"agent_name": "A", "version": "v1", "agent_type": "react", "model_name": "gpt-4.1", "enabled_tools": ["grep", "read_file"]}',
        'config/payloads/A/a.json': `{"input": {}, "expect": [${expectation}]}`,
      },
      'config/payloads/A/a.json',
    );
    expect(text).toContain('read_file');
  },
);

async function hover(files: Readonly<Record<string, string>>, path: string, options: Parameters<typeof openServer>[1] = {}) {
  const server = await openServer(files, { client: {}, ...options });
  const answer = await server.request<Hover | null>('textDocument/hover', server.at(path));
  const range = answer?.range;
  const lines = documentOf(server.text(path));
  const marked = range && server.text(path).slice(lines.offsetAt(range.start), lines.offsetAt(range.end));
  return { text: (answer?.contents as MarkupContent | undefined)?.value ?? '', marked };
}
