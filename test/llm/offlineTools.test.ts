import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseReply } from '../../core/agent/react/parseReply.js';
import { text as textProtocol } from '../../core/agent/react/text.js';
import type { JsonObject } from '../../core/json.js';
import { createLlmClient } from '../../core/llm/llmClient.js';
import type { AssistantBlock, LlmRequest, Message, StreamPart, ToolDefinition, ToolUseBlock } from '../../core/llm/types.js';
import { createAgentPrompt } from '../../core/prompt/agentPrompt.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import type { FrozenTool } from '../../core/snapshot/agentTools.js';
import { agentConfig } from '../prompt/agentConfig.js';
import { noSchemas } from '../prompt/noSchemas.js';
import { testPorts } from '../support/testPorts.js';

const closed = {
  secrets: { get: () => expect.fail('the offline provider looked for a key') },
  environment: { get: () => expect.fail('the offline provider looked at the environment') },
  fetch: () => expect.fail('the offline provider used the network'),
};
const client = createLlmClient({ provider: 'offline' }, { ...testPorts(), ...closed });
const schemas = await loadSchemaCompiler();

function tool(name: string, properties: JsonObject, required = Object.keys(properties)): ToolDefinition {
  return { name, description: `Does ${name}.`, parameters: { type: 'object', properties, required, additionalProperties: false } };
}
const search = tool('search_files', { query: { type: 'string', minLength: 1 }, limit: { type: 'integer', minimum: 1, maximum: 9 } });
const weather = tool('get_weather', { place: { type: 'string', enum: ['London', 'Paris', 'Rome'] } });
const impossible = tool('open_door', { key: { type: 'string', minLength: 5, maxLength: 2 } });
const user = 'task = "Write about Paris"\nquery = "river"';

function ask(tools: readonly ToolDefinition[], more: readonly Message[] = [], fields: Partial<LlmRequest> = {}): LlmRequest {
  return { model: 'any', messages: [{ role: 'system', content: 'You help.' }, { role: 'user', content: user }, ...more], tools, ...fields };
}

function useIn(blocks: readonly AssistantBlock[] | undefined): ToolUseBlock | undefined {
  return blocks?.find((block) => block.type === 'tool_use');
}

function resultOf({ id, name }: ToolUseBlock, content: string): Message {
  return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, name, content }] };
}

describe('with tools, the offline provider', () => {
  test('asks for the first, with an input made of the payload, and says that it is simulated', async () => {
    const answer = await client.call(ask([search, tool('clock', {})]));
    expect(answer).toMatchObject({ finish_reason: 'tool_use', simulated: true });
    expect(answer.text).toContain('simulated');
    expect(useIn(answer.blocks)).toMatchObject({ name: 'search_files', input: { query: 'river' } });
    expect(answer.usage?.completion_tokens).toBeGreaterThan(answer.text.length / 4);
  });

  test('gives what must be given, and looks for a word rather than the whole question', async () => {
    const find = tool('find', { query: { type: 'string', minLength: 1, maxLength: 500 }, path: { type: 'string' } }, ['query']);
    const asked = await client.call({
      ...ask([find]),
      messages: [{ role: 'user', content: 'message = "Which exit codes are there for commands?"' }],
    });
    expect(useIn(asked.blocks)?.input).toEqual({ query: 'commands' });
    const said = 'Which exit codes are there for commands?\n\nReply with a single JSON object only, no extra text, matching the schema.';
    const plain = await client.call({ ...ask([find]), messages: [{ role: 'user', content: said }] });
    expect(useIn(plain.blocks)?.input).toEqual({ query: 'commands' });
    const any = tool('list', { folder: { type: 'string' }, deep: { type: 'boolean' } }, []);
    expect(Object.keys(useIn((await client.call(ask([any]))).blocks)?.input ?? {})).toEqual(['folder']);
  });

  test('prefers one whose name the payload speaks of, and passes over one that nothing fits', async () => {
    const asks = async (message: string) =>
      useIn((await client.call({ ...ask([impossible, search, weather]), messages: [{ role: 'user', content: message }] })).blocks);
    expect(await asks('task = "Tell the weather in Rome"')).toMatchObject({ name: 'get_weather', input: { place: 'Rome' } });
    expect(await asks('task = "Open the door"')).toMatchObject({ name: 'search_files' });
    expect(useIn((await client.call(ask([impossible]))).blocks)).toBeUndefined();
  });

  test('answers when the result is there, with what it says', async () => {
    const first = await client.call(ask([search]));
    const use = useIn(first.blocks)!;
    const after = [{ role: 'assistant', content: first.blocks! } as const, resultOf(use, '{"temperature": 21}')];
    const plain = await client.call(ask([search], after));
    expect(plain).toMatchObject({ finish_reason: 'stop', simulated: true });
    expect(plain.blocks).toBeUndefined();
    expect(plain.text).toBe(
      'This is a simulated answer. The input speaks of: Write about Paris river search_files said: {"temperature": 21}',
    );
    const schema = {
      type: 'object',
      properties: { temperature: { type: 'number' }, place: { enum: ['Rome', 'Paris'] } },
      required: ['temperature', 'place'],
    };
    const response_format = { type: 'json_schema', json_schema: { name: 'a', schema, strict: false } } as const;
    expect(JSON.parse((await client.call(ask([search], after, { response_format }))).text)).toEqual({ temperature: 21, place: 'Paris' });
  });

  test('asks again for a new question, under a new id', async () => {
    const first = await client.call(ask([search]));
    const use = useIn(first.blocks)!;
    const before: Message[] = [
      { role: 'assistant', content: first.blocks! },
      resultOf(use, 'found'),
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'query = "bridge"' },
    ];
    const second = useIn((await client.call(ask([search], before))).blocks);
    expect(second).toMatchObject({ input: { query: 'bridge' } });
    expect(second?.id).not.toBe(use.id);
    const corrected: Message[] = [
      ...before.slice(0, 2),
      { role: 'assistant', content: '{}' },
      { role: 'user', content: 'The answer lacks a field.' },
    ];
    expect((await client.call(ask([search], corrected))).finish_reason).toBe('stop');
  });

  test('streams what it says, then the call', async () => {
    const parts: StreamPart[] = [];
    for await (const part of client.stream(ask([search]))) parts.push(part);
    const said = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(parts.at(-1)).toMatchObject({
      type: 'completion',
      completion: { text: said, blocks: [{ type: 'text', text: said }, { type: 'tool_use' }] },
    });
  });

  test('says the same every time, and makes inputs that every schema takes', async () => {
    const property = fc.oneof(
      fc.constantFrom<JsonObject>(
        { type: 'string' },
        { type: 'boolean' },
        { type: 'array', items: { type: 'string' }, minItems: 1 },
        { enum: ['a', 'b'] },
      ),
      fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -5, max: 5 }) }),
    );
    const made = fc
      .dictionary(fc.stringMatching(/^[a-z_]{1,10}$/), property, { maxKeys: 5 })
      .map((properties) => tool('any_tool', properties));
    await fc.assert(
      fc.asyncProperty(made, async (each) => {
        const [one, two] = await Promise.all([client.call(ask([each])), client.call(ask([each]))]);
        expect(one.blocks).toEqual(two.blocks);
        const compiled = schemas.compile(each.parameters);
        expect(compiled.ok && compiled.check(useIn(one.blocks)!.input)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('with the text protocol, the offline provider', () => {
  const frozen = (given: ToolDefinition): FrozenTool => ({ ...given, origin: { type: 'built-in' }, source: null });
  const composed = (tools: readonly ToolDefinition[], output_schema?: JsonObject): readonly Message[] => {
    const config = agentConfig({
      agent_type: 'react',
      tool_protocol: 'text',
      system_text: 'You help.',
      ...(output_schema && { output_schema }),
    });
    return createAgentPrompt({ config, tools: tools.map(frozen), schemas: noSchemas }).compose({ task: 'Tell the weather in Rome' })
      .messages;
  };
  const asked = (messages: readonly Message[]) => client.call({ model: 'any', messages, stop: ['\nObservation:'] });

  test('writes an action for a tool of the prompt, then a final answer', async () => {
    const messages = composed([search, weather]);
    const first = await asked(messages);
    expect(first).toMatchObject({ finish_reason: 'stop', simulated: true });
    const reply = parseReply(first.text);
    expect(reply).toMatchObject({ actions: [{ tool: 'get_weather', input: { place: 'Rome' } }], answer: undefined });
    expect(reply.thought).toContain('simulated');
    const observed = textProtocol.observe([
      { call: { id: 'call_1', name: 'get_weather', input: {} }, text: '21 degrees', is_error: false },
    ]);
    const second = parseReply((await asked([...messages, { role: 'assistant', content: first.text }, observed])).text);
    expect(second.actions).toEqual([]);
    expect(second.answer).toContain('21 degrees');
  });

  test('answers at once where there are no tools, by the schema in the prompt', async () => {
    const schema = { type: 'object', properties: { place: { enum: ['Paris', 'Rome'] } }, required: ['place'] };
    const reply = parseReply((await asked(composed([], schema))).text);
    expect(JSON.parse(reply.answer ?? '')).toEqual({ place: 'Rome' });
  });
});
