import { afterEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../core/json.js';
import type { LlmRequest, Message, StreamPart, ToolDefinition } from '../../core/llm/types.js';
import { type LoopbackReply, type LoopbackScript, type LoopbackServer, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { readStream, type TestClient, testClient } from './testClient.js';

// Tool calls and thoughts as servers really send them: the conformance suite has what OpenAI documents, this has what the others do.

const servers: LoopbackServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function connect(script: LoopbackScript, provider = 'openai_compatible'): Promise<{ client: TestClient; server: LoopbackServer }> {
  const server = await startLoopbackOpenAi(script, { lenient: provider !== 'openai' });
  servers.push(server);
  return { client: testClient({ provider, base_url: server.url, retry_attempts: 1 }), server };
}

const search: ToolDefinition = {
  name: 'search',
  description: 'Searches.',
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
};
const ask: LlmRequest = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools: [search] };

/** A stream of deltas, ended as told. */
function streamOf(deltas: readonly Json[], finish: string | null = 'tool_calls'): LoopbackReply {
  const chunk = (delta: Json, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  return { body: `${deltas.map((delta) => chunk(delta)).join('')}${finish === null ? '' : chunk({}, finish)}data: [DONE]\n\n` };
}

function wholeOf(message: JsonObject, finish_reason: string | null = 'tool_calls'): LoopbackReply {
  return { body: JSON.stringify({ id: 'x', model: 'm', choices: [{ index: 0, message, finish_reason }] }) };
}

const called = (...calls: JsonObject[]): JsonObject => ({ tool_calls: calls });
const call = (fields: JsonObject, name: Json | undefined, written: Json | undefined): JsonObject => ({
  ...fields,
  type: 'function',
  function: { ...(name !== undefined && { name }), ...(written !== undefined && { arguments: written }) },
});

interface Expected {
  readonly name: string;
  readonly input?: JsonObject;
  readonly input_text?: string;
  readonly id?: string;
}

const two: readonly Expected[] = [
  { name: 'search', input: { q: 'a' } },
  { name: 'search', input: { q: 'b' } },
];

describe('a server that wants thoughts back', () => {
  const history: readonly Message[] = [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', text: 'I look.' },
        { type: 'tool_use', id: 'c1', name: 'search', input: { q: 'a' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', name: 'search', content: 'found' }] },
    { role: 'assistant', content: 'Anything else?' },
    { role: 'user', content: 'No' },
  ];
  // The two wordings DeepSeek has had.
  test.each([
    'The reasoning_content in the thinking mode must be passed back to the API.',
    'Missing `reasoning_content` field in the assistant message at message index 2.',
  ])('gets them once it has said so: %s', async (message) => {
    const { client, server } = await connect(({ body }) => {
      const answers = (body.messages as readonly JsonObject[]).filter(({ role }) => role === 'assistant');
      return answers.every((answer) => typeof answer.reasoning_content === 'string')
        ? { text: 'Good.' }
        : { status: 400, error: { message } };
    });
    const request = { ...ask, messages: history };
    expect((await client.call(request)).text).toBe('Good.');
    expect((await client.call(request)).text).toBe('Good.');
    const sent = server.requests.map(({ body }) => (body.messages as readonly JsonObject[]).map((each) => each.reasoning_content));
    const none = undefined;
    const whole = [none, 'I look.', none, '', none];
    expect(sent).toEqual([[none, none, none, none, none], whole, whole]);
  });

  test('is not asked a third time when it still refuses', async () => {
    const { client, server } = await connect({ status: 400, error: { message: 'reasoning_content must be passed back' } });
    await expect(client.call({ ...ask, messages: history })).rejects.toThrow('reasoning_content');
    expect(server.requests).toHaveLength(2);
  });
});

describe('deltas of tool calls', () => {
  test.each<[string, readonly Json[], readonly Expected[]]>([
    [
      'in small pieces, two calls interleaved',
      [
        called(call({ index: 0, id: 'a' }, 'search', '')),
        called(call({ index: 1, id: 'b' }, 'search', '')),
        called({ index: 1, function: { arguments: '{"q"' } }),
        called({ index: 0, function: { arguments: '{"q":"' } }, { index: 1, function: { arguments: ':"b"}' } }),
        called({ index: 0, function: { arguments: 'a"}' } }),
      ],
      [{ ...two[0]!, id: 'a' } as Expected, { ...two[1]!, id: 'b' } as Expected],
    ],
    ['without ids', [called(call({ index: 0 }, 'search', '{"q":"a"}')), called(call({ index: 1 }, 'search', '{"q":"b"}'))], two],
    [
      'with empty ids, repeated in every delta',
      [called(call({ index: 0, id: '' }, 'search', '{"q":')), called(call({ index: 0, id: '' }, '', '"a"}'))],
      [two[0]!],
    ],
    [
      'with null for what is missing',
      [
        called({ index: 0, id: 'a', type: null, function: { name: 'search', arguments: null } }),
        { content: null, tool_calls: [{ index: 0, id: null, function: { name: null, arguments: '{"q":"a"}' } }] },
        { tool_calls: null },
      ],
      [{ ...two[0]!, id: 'a' } as Expected],
    ],
    [
      'with index 0 for every call, whole, each with its id',
      [called(call({ index: 0, id: 'a' }, 'search', '{"q":"a"}')), called(call({ index: 0, id: 'b' }, 'search', '{"q":"b"}'))],
      two,
    ],
    [
      'with index 0 for every call, whole, without ids',
      [called(call({ index: 0 }, 'search', '{"q":"a"}')), called(call({ index: 0 }, 'search', '{"q":"b"}'))],
      two,
    ],
    ['without an index, in one delta', [called(call({ id: 'a' }, 'search', '{"q":"a"}'), call({ id: 'b' }, 'search', '{"q":"b"}'))], two],
    ['without index and ids', [called(call({}, 'search', '{"q":"a"}'), call({}, 'search', '{"q":"b"}'))], two],
    ['without an index, in pieces', [called(call({ id: 'a' }, 'search', '{"q"')), called({ function: { arguments: ':"a"}' } })], [two[0]!]],
    [
      'with id and name in every delta',
      [called(call({ index: 0, id: 'a' }, 'search', '{"q"')), called(call({ index: 0, id: 'a' }, 'search', ':"a"}'))],
      [two[0]!],
    ],
    [
      'with the name in every delta and no id',
      [
        called(call({ index: 0 }, 'search', '{"q"')),
        called(call({ index: 0 }, 'search', ':"a"}')),
        called(call({ index: 0 }, 'search', '')),
      ],
      [two[0]!],
    ],
    ['with an object for arguments', [called(call({ index: 0, id: 'a' }, 'search', { q: 'a' }))], [two[0]!]],
    [
      'in the form before tools',
      [{ function_call: { name: 'search', arguments: '{"q"' } }, { function_call: { arguments: ':"a"}' } }],
      [two[0]!],
    ],
    ['that begin at index 1', [called(call({ index: 1, id: 'a' }, 'search', '{"q":"a"}'))], [two[0]!]],
    [
      'with arguments cut off',
      [called(call({ index: 0, id: 'a' }, 'search', '{"q":"a'))],
      [{ name: 'search', input: {}, input_text: '{"q":"a' }],
    ],
    [
      'with arguments that are a list',
      [called(call({ index: 0, id: 'a' }, 'search', '["a"]'))],
      [{ name: 'search', input: {}, input_text: '["a"]' }],
    ],
    ['with a number for arguments', [called(call({ index: 0, id: 'a' }, 'search', 7))], [{ name: 'search', input: {}, input_text: '7' }]],
    ['with no arguments at all', [called(call({ index: 0, id: 'a' }, 'search', undefined))], [{ name: 'search', input: {} }]],
    ['with blank arguments', [called(call({ index: 0, id: 'a' }, 'search', ' \n'))], [{ name: 'search', input: {} }]],
    [
      'with names of every object among the arguments',
      [called(call({ index: 0, id: 'a' }, '__proto__', '{"__proto__":{"x":1},"constructor":2}'))],
      [{ name: '__proto__', input: JSON.parse('{"__proto__":{"x":1},"constructor":2}') as JsonObject }],
    ],
    [
      'with things that are none among them',
      [called('x' as unknown as JsonObject, null as unknown as JsonObject, call({ index: 0, id: 'a' }, 'search', '{"q":"a"}'))],
      [two[0]!],
    ],
  ])('%s make the calls that were meant', async (_, deltas, expected) => {
    const { client } = await connect(streamOf(deltas));
    const { completion, error } = await readStream(client, ask);
    expect(error).toBeUndefined();
    expect(completion?.finish_reason).toBe('tool_use');
    const blocks = completion?.blocks ?? [];
    expect(blocks.map((block) => ('input' in block ? JSON.stringify(block.input) : ''))).toEqual(
      expected.map(({ input }) => JSON.stringify(input)),
    );
    expect(blocks).toMatchObject(
      expected.map(({ name, id, input_text }) => ({ type: 'tool_use', name, ...(id && { id }), ...(input_text && { input_text }) })),
    );
    const ids = blocks.map((block) => ('id' in block ? block.id : ''));
    expect(new Set(ids).size).toBe(expected.length);
    expect(ids).not.toContain('');
  });

  test('beside a text that is always the same count every time', async () => {
    const delta = (piece: string) => ({ content: 'x', tool_calls: [{ index: 0, function: { arguments: piece } }] });
    const { client } = await connect(
      streamOf([
        { content: 'x', ...called(call({ index: 0, id: 'a' }, 'search', '{"q":"')) },
        delta('z'),
        delta('z'),
        delta('z'),
        called({ index: 0, function: { arguments: '"}' } }),
      ]),
    );
    expect((await readStream(client, ask)).completion).toMatchObject({
      text: 'xxxx',
      blocks: [{ type: 'text', text: 'xxxx' }, { input: { q: 'zzz' } }],
    });
  });

  test('that are alike but for nothing are as many as were sent', async () => {
    const same = { function: { name: 'search', arguments: '' } };
    const message = { role: 'assistant', content: null, tool_calls: [same, same, { ...same, index: 0 }, { ...same, index: 0 }] };
    expect((await (await connect(wholeOf(message))).client.call(ask)).blocks).toHaveLength(4);
    expect((await readStream((await connect(streamOf([called(same, same)]))).client, ask)).completion?.blocks).toHaveLength(2);
  });

  test('are tool use although the answer ends with stop', async () => {
    const finish = 'stop';
    const deltas = [called(call({ index: 0, id: 'a' }, 'search', '{"q":"a"}'))];
    expect((await readStream((await connect(streamOf(deltas, finish))).client, ask)).completion).toMatchObject({
      finish_reason: 'tool_use',
    });
    const message = { role: 'assistant', content: null, ...(deltas[0] as JsonObject) };
    expect(await (await connect(wholeOf(message, finish))).client.call(ask)).toMatchObject({ finish_reason: 'tool_use' });
  });

  test('cut by the output limit stay cut', async () => {
    const { client } = await connect(streamOf([called(call({ index: 0, id: 'a' }, 'search', '{"q":"a'))], 'length'));
    expect((await readStream(client, ask)).completion).toMatchObject({ finish_reason: 'length', blocks: [{ input_text: '{"q":"a' }] });
  });
});

test('a call gets another id when its own is taken in the conversation', async () => {
  const messages: Message[] = [
    ...ask.messages,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_0', name: 'search', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_0', name: 'search', content: 'none' }] },
  ];
  const { client } = await connect(
    streamOf([called(call({ index: 0, id: 'call_0' }, 'search', '{}'), call({ index: 1, id: 'call_0' }, 'search', '{}'))]),
  );
  const { completion } = await readStream(client, { ...ask, messages });
  expect(completion?.blocks?.map((block) => 'id' in block && block.id)).toEqual(['call_2', 'call_3']);
});

describe('a request', () => {
  test('has tools, results and calls in the published shape', async () => {
    const messages: Message[] = [
      { role: 'system', content: 'You search.' },
      { role: 'user', content: 'Find a and b.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', text: 'Two searches.', signature: 'xyz' },
          { type: 'text', text: 'I search.' },
          { type: 'tool_use', id: 'call_1', name: 'search', input: { q: 'a' } },
          { type: 'tool_use', id: 'call_2', name: 'search', input: { q: 'b' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Be quick.' },
          { type: 'tool_result', tool_use_id: 'call_1', name: 'search', content: 'found' },
          { type: 'tool_result', tool_use_id: 'call_2', name: 'search', content: '', is_error: true },
        ],
      },
    ];
    const { client, server } = await connect({ text: 'ok' }, 'openai');
    await client.call({ ...ask, messages, stop: ['\nObservation:'] });
    const asked = (id: string, q: string) => ({ id, type: 'function', function: { name: 'search', arguments: JSON.stringify({ q }) } });
    expect(server.requests[0]?.body).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'You search.' },
        { role: 'user', content: 'Find a and b.' },
        { role: 'assistant', content: 'I search.', tool_calls: [asked('call_1', 'a'), asked('call_2', 'b')] },
        { role: 'tool', tool_call_id: 'call_1', content: 'found' },
        { role: 'tool', tool_call_id: 'call_2', content: '' },
        { role: 'user', content: 'Be quick.' },
      ],
      tools: [{ type: 'function', function: { name: 'search', description: 'Searches.', parameters: search.parameters } }],
      stop: ['\nObservation:'],
    });
  });

  test('carries what options say about tools', async () => {
    const server = await startLoopbackOpenAi({ text: 'ok' });
    servers.push(server);
    const options = { parallel_tool_calls: false, tool_choice: 'required' };
    await testClient({ provider: 'openai', base_url: server.url, options }).call(ask);
    expect(server.requests[0]?.body).toMatchObject(options);
  });

  test('leaves texts that end an answer out where the model does not take them, without a word', async () => {
    const refusing: LoopbackScript = ({ body }) =>
      Object.hasOwn(body, 'stop')
        ? {
            error: {
              message: "Unsupported parameter: 'stop' is not supported with this model.",
              code: 'unsupported_parameter',
              param: 'stop',
            },
          }
        : { text: 'ok' };
    for (const provider of ['openai', 'openai_compatible']) {
      const { client, server } = await connect(refusing, provider);
      expect(await client.call({ ...ask, stop: ['x'] })).toMatchObject({ text: 'ok', left_out: [], attempts: 1 });
      expect(server.requests).toHaveLength(2);
    }
  });

  test('with schemas that the API refuses are sent in a form it takes', async () => {
    const { client, server } = await connect({ text: 'ok' }, 'openai');
    const list = { type: 'object', properties: { tags: { type: 'array' }, rows: { type: 'array', items: { type: 'array' } } } };
    const tools = [
      { name: 'nothing', description: '', parameters: { type: 'object' } },
      { name: 'list', description: '', parameters: list },
      { name: 'either', description: '', parameters: { type: 'object', properties: {}, anyOf: [{ required: ['a'] }] } },
    ];
    await readStream(client, { ...ask, tools });
    const sent = (server.requests[0]!.body.tools as readonly { function: { parameters: JsonObject } }[]).map(
      (tool) => tool.function.parameters,
    );
    expect(sent).toEqual([
      { type: 'object', properties: {} },
      { type: 'object', properties: { tags: { type: 'array', items: {} }, rows: { type: 'array', items: { type: 'array', items: {} } } } },
      { type: 'object', properties: {} },
    ]);
  });
});

describe('thoughts', () => {
  test.each<[string, readonly JsonObject[]]>([
    ['reasoning_content', [{ reasoning_content: 'Let ' }, { reasoning_content: 'me.' }]],
    [
      'reasoning',
      [
        { content: '', reasoning: 'Let ' },
        { content: '', reasoning: 'me.' },
      ],
    ],
    [
      'both, with the same text',
      [
        { reasoning: 'Let ', reasoning_content: 'Let ' },
        { reasoning: 'me.', reasoning_content: 'me.' },
      ],
    ],
    [
      'content parts with a text',
      [{ content: [{ type: 'thinking', thinking: 'Let ' }] }, { content: [{ type: 'thinking', thinking: 'me.' }] }],
    ],
    [
      'content parts with parts',
      [
        {
          content: [
            {
              type: 'thinking',
              thinking: [
                { type: 'text', text: 'Let ' },
                { type: 'text', text: 'me.' },
              ],
            },
          ],
        },
      ],
    ],
  ])('come as %s', async (_, deltas) => {
    const { client } = await connect(streamOf([...deltas, { content: 'Yes.' }], 'stop'));
    const parts: StreamPart[] = [];
    for await (const part of client.stream(ask)) parts.push(part);
    expect(parts.map((part) => (part.type === 'completion' ? 'end' : 'text' in part && part.text)).join('|')).toMatch(
      /^Let ?\|?.*me\.\|Yes\.\|end$/,
    );
    expect(parts.at(-1)).toMatchObject({
      completion: {
        text: 'Yes.',
        finish_reason: 'stop',
        blocks: [
          { type: 'thinking', text: 'Let me.' },
          { type: 'text', text: 'Yes.' },
        ],
      },
    });
  });

  test('between texts stay where they came', async () => {
    const { client } = await connect(
      streamOf([{ reasoning: '1' }, { content: 'a' }, { content: 'b' }, { reasoning: '2' }, { reasoning: '3' }, { content: 'c' }], 'stop'),
    );
    expect((await readStream(client, ask)).completion?.blocks).toEqual([
      { type: 'thinking', text: '1' },
      { type: 'text', text: 'ab' },
      { type: 'thinking', text: '23' },
      { type: 'text', text: 'c' },
    ]);
  });

  test('of an answer in one piece come before it', async () => {
    const { client } = await connect({
      ...wholeOf({ role: 'assistant', content: 'Yes.', reasoning: 'Hm.' }, 'stop'),
      headers: { 'content-type': 'application/json' },
    });
    const parts: StreamPart[] = [];
    for await (const part of client.stream(ask)) parts.push(part);
    expect(parts.map(({ type }) => type)).toEqual(['thinking', 'text', 'completion']);
  });

  test('that have come are not said again: the stream is not tried a second time', async () => {
    const { client, server } = await connect(streamOf([{ reasoning: 'Hm.' }], null));
    const half = testClient({ provider: 'openai', base_url: server.url });
    expect((await readStream(half, ask)).error).toMatchObject({ reason: 'network', attempts: 1 });
    expect((await readStream(client, ask)).error).toMatchObject({ reason: 'incomplete', attempts: 1 });
  });
});

describe('usage', () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      'as OpenAI counts',
      { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, prompt_tokens_details: { cached_tokens: 8 } },
      { cached_tokens: 8, total_tokens: 15 },
    ],
    [
      'as DeepSeek counts',
      { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 },
      { cached_tokens: 6 },
    ],
    [
      'with cached tokens beside the others',
      { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cached_tokens: 7 },
      { cached_tokens: 7 },
    ],
    [
      'with more cached than sent',
      { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 99 } },
      { cached_tokens: 10, total_tokens: 15 },
    ],
    [
      'with thoughts in the answer',
      { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, completion_tokens_details: { reasoning_tokens: 4 } },
      { completion_tokens: 5, total_tokens: 15 },
    ],
    [
      'with thoughts beside the answer',
      { prompt_tokens: 10, completion_tokens: 5, total_tokens: 19, completion_tokens_details: { reasoning_tokens: 4 } },
      { completion_tokens: 9, total_tokens: 19 },
    ],
  ])('%s is read as it is meant', async (_, usage, expected) => {
    const { client } = await connect({ body: JSON.stringify({ choices: [{ message: { content: 'a' }, finish_reason: 'stop' }], usage }) });
    expect((await client.call(ask)).usage).toMatchObject({ prompt_tokens: 10, ...expected });
  });
});
