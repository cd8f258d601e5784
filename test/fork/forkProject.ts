import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import { openProject } from '../../core/node/openProject.js';
import { defineTool } from '../../core/tools/registry.js';
import { temporaryProject, write } from '../cli/command.js';
import { type LoopbackReply, type LoopbackRequest, startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

const key = 'sk-test-0123456789abcdef';
export const env = { OPENAI_API_KEY: key, NO_PROXY: '*' };
const parameters = { type: 'object', properties: { item: { type: 'string' } }, required: ['item'], additionalProperties: false } as const;
export const usage = { prompt_tokens: 1000, completion_tokens: 100 };

const skills = {
  stock: { description: 'Tells how many of an item there are.', parameters, idempotent: true, side_effects: false },
  order: { description: 'Orders an item.', parameters, idempotent: false, side_effects: true },
};
const profile = { llm_config_id: 'real' };
const words = { type: 'object', properties: { words: { type: 'string' } }, required: ['words'], additionalProperties: false };
export const single = (agent_name: string) => ({
  agent_name,
  version: 'v1',
  mode: 'Writer',
  system_text: agent_name,
  purpose_text: `${agent_name} writes.`,
  output_schema: words,
  ...profile,
});
export const buyer = {
  agent_name: 'Buyer',
  version: 'v1',
  agent_type: 'react',
  system_text: 'Buyer',
  enabled_tools: ['stock', 'order'],
  input_keys: ['item'],
  ...profile,
};
export const planner = {
  agent_name: 'Planner',
  version: 'v1',
  agent_type: 'orchestrating',
  input_keys: ['item'],
  execution_plan: {
    steps: [
      { name: 'read', agent: 'Reader@v1', input: { topic: '{{input.item}}' } },
      { name: 'edit', agent: 'Editor@v1', input: { topic: '{{steps.read.output.words}}' } },
      { name: 'write', agent: 'Writer@v1', input: { topic: '{{steps.edit.output.words}}' } },
    ],
    output: '{{steps.write.output.words}}',
  },
  ...profile,
};
export const team = {
  name: 'supply',
  entry_team: 'look',
  context: { item: 'bolts' },
  teams: {
    look: {
      name: 'Look',
      tasks: [
        { name: 'x', agent: 'Reader@v1', depends_on: [], input: { topic: 'x' } },
        { name: 'y', agent: 'Editor@v1', depends_on: [], input: { topic: 'y' } },
        { name: 'sum', agent: 'Writer@v1', depends_on: ['x', 'y'], input: { topic: '{{tasks.x.output.words}}' } },
      ],
      routing: { rules: [{ condition: { task: 'sum', status: 'success' }, next_team: 'buy' }] },
    },
    buy: { name: 'Buy', tasks: [{ name: 'end', agent: 'Reader@v1', input: { topic: 'end' } }], routing: { default: null } },
  },
};

/** An answer that calls a tool, as Chat Completions streams it. */
export function calls(name: string, item: string, id = `call_${name}_${item}`): LoopbackReply {
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1-mini', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  const tool_calls = [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify({ item }) } }];
  const last = `data: ${JSON.stringify({ id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1-mini', choices: [], usage: { ...usage, total_tokens: 1100 } })}\n\n`;
  const body = [
    chunk({ role: 'assistant', content: '' }, null),
    chunk({ tool_calls }, null),
    chunk({}, 'tool_calls'),
    last,
    'data: [DONE]\n\n',
  ];
  return { body: body.join(''), headers: { 'content-type': 'text/event-stream' } };
}

/** What a model of this project answers: agents of one call say who they are and how often anyone was asked, the buyer buys. */
export function answer({ body }: LoopbackRequest, index: number): LoopbackReply {
  const messages = body.messages as { role: string; content: string }[];
  const [system = ''] = String(messages[0]?.content).split('\n');
  if (system !== 'Buyer') return { text: JSON.stringify({ words: `${system} ${index}` }), usage };
  const told = messages.filter(({ role }) => role === 'tool').length;
  return [calls('stock', 'bolts'), calls('stock', 'nuts'), calls('order', 'bolts')][told] ?? { text: `Done ${index}.`, usage };
}

/** A project whose models are a server on this machine, and whose tools note their calls. */
export async function forkProject(files: Readonly<Record<string, unknown>> = {}, script = answer) {
  const server = await startLoopbackOpenAi(script, { key });
  onTestFinished(() => server.close());
  const folder = temporaryProject({
    'agentstack.json': {},
    'config/llms/real.json': {
      llm_id: 'real',
      provider: 'openai',
      model_name: 'gpt-4.1-mini',
      base_url: server.url,
      api_key: 'secret://openai_api_key',
      retry_attempts: 1,
    },
    'config/agents/Reader/v1.json': single('Reader'),
    'config/agents/Editor/v1.json': single('Editor'),
    'config/agents/Writer/v1.json': single('Writer'),
    'config/agents/Buyer/v1.json': buyer,
    'config/agents/Planner/v1.json': planner,
    'config/orchestrations/supply.json': team,
    ...files,
  });
  const toolCalls: string[] = [];
  const tools = Object.entries(skills).map(([name, declared]) =>
    defineTool({
      name,
      ...declared,
      call: ({ item }) => {
        toolCalls.push(`${name} ${String(item)}`);
        return `${name}: ${String(item)}`;
      },
    }),
  );
  const environment = { get: (name: string) => (env as Record<string, string>)[name], names: () => Object.keys(env) };
  const options = { tools, ports: { environment } };
  const project = openProject(folder, options);
  return {
    folder,
    options,
    project,
    server,
    toolCalls,
    record: join(temporaryFolder(), 'run.jsonl'),
    write: (path: string, content: unknown) => write(folder, path, content),
    /** Requests since the last call. */
    asked: counterOf(server.requests),
  };
}

function counterOf(requests: readonly LoopbackRequest[]): () => readonly string[] {
  let seen = 0;
  return () => {
    const since = requests.slice(seen).map(({ body }) => String((body.messages as { content: string }[])[0]?.content).split('\n')[0] ?? '');
    seen = requests.length;
    return since;
  };
}

export async function readAll(events: AsyncIterable<AgentEvent>): Promise<{ readonly events: AgentEvent[]; readonly result: RunResult }> {
  const read: AgentEvent[] = [];
  for await (const event of events) read.push(event);
  const last = read.at(-1);
  if (!last?.final) throw new Error('The run ended without a final event.');
  return { events: read, result: last.result };
}
