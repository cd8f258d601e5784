import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import type { LlmProvider } from '../../core/llm/providers/provider.js';
import type { Completion, LlmRequest } from '../../core/llm/types.js';
import { type OpenProjectOptions, openProject } from '../../core/node/openProject.js';
import type { Project } from '../../core/project/types.js';
import { defineTool } from '../../core/tools/registry.js';
import { temporaryProject } from '../cli/command.js';
import { temporaryFolder } from '../support/temporaryFolder.js';

const parameters = { type: 'object', properties: { item: { type: 'string' } }, required: ['item'], additionalProperties: false } as const;
const words = { type: 'object', properties: { words: { type: 'string' } }, required: ['words'], additionalProperties: false };
const tools = {
  stock: { description: 'Tells how many of an item there are.', parameters, idempotent: true, side_effects: false },
  order: { description: 'Orders an item.', parameters, idempotent: false, side_effects: true },
};
const model = { provider: 'openai', model_name: 'script' };
const single = { version: 'v1', mode: 'Writer', purpose_text: 'Write.', output_schema: words, ...model };

const files = {
  'agentstack.json': { skills: tools },
  'config/agents/Counter/v1.json': {
    agent_name: 'Counter',
    version: 'v1',
    agent_type: 'react',
    system_text: 'Counter',
    enabled_tools: ['stock'],
    ...model,
  },
  'config/agents/Buyer/v1.json': {
    agent_name: 'Buyer',
    version: 'v1',
    agent_type: 'react',
    system_text: 'Buyer',
    enabled_tools: ['order'],
    ...model,
  },
  'config/agents/Writer/v1.json': { agent_name: 'Writer', system_text: 'Writer', ...single },
  'config/orchestrations/supply.json': {
    name: 'supply',
    entry_team: 'look',
    context: { item: 'bolts' },
    teams: {
      look: {
        name: 'Look',
        tasks: [
          { name: 'count', agent: 'Counter@v1', depends_on: [] },
          { name: 'note', agent: 'Writer@v1', depends_on: [] },
          { name: 'sum', agent: 'Writer@v1', depends_on: ['count', 'note'], input: { note: '{{tasks.note.output.words}}' } },
        ],
        routing: {
          rules: [
            { condition: { task: 'sum', status: 'success' }, next_team: 'buy', context_updates: { said: '{{tasks.sum.output.words}}' } },
          ],
        },
      },
      buy: { name: 'Buy', tasks: [{ name: 'order', agent: 'Buyer@v1' }], routing: { default: null } },
    },
  },
};

/** What was done outside: who asked a model how often (with how many messages), and which tools were called. */
export interface Outside {
  readonly requests: string[];
  readonly calls: string[];
}

/** How a tool call ends that is to be interrupted. */
export interface Hold {
  /** Tool whose calls never answer; called when one begins. */
  readonly tool: string;
  readonly begun: () => void;
}

export interface DurableProject {
  readonly folder: string;
  readonly project: Project;
  /** What the project was opened with. */
  readonly options: OpenProjectOptions;
  readonly outside: Outside;
}

/** A project with the orchestration `supply`: two teams, tasks side by side, a tool that may be called twice and one that may not. */
export function durableProject(hold?: Hold, ports?: OpenProjectOptions['ports']): DurableProject {
  return openAt(temporaryProject(files), hold, ports);
}

/** What a crash at this moment leaves on the disk, as another project. Its lock goes, as it would with the process. */
export function crashed({ folder }: DurableProject): DurableProject {
  return openAt(copyOfCrash(folder));
}

/** The folder of a project as a crash at this moment leaves it. */
export function copyOfCrash(folder: string): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  for (const name of readdirSync(copy, { recursive: true, encoding: 'utf8' })) if (/lock-\d+\.json$/.test(name)) rmSync(join(copy, name));
  return copy;
}

function openAt(folder: string, hold?: Hold, ports: OpenProjectOptions['ports'] = {}): DurableProject {
  const outside: Outside = { requests: [], calls: [] };
  const skills = Object.entries(tools).map(([name, declared]) =>
    defineTool({
      name,
      ...declared,
      call: ({ item }) => {
        outside.calls.push(`${name} ${String(item)}`);
        if (hold?.tool === name) {
          hold.begun();
          return new Promise(() => undefined);
        }
        return `${name}: ${String(item)}`;
      },
    }),
  );
  const options: OpenProjectOptions = { providers: [provider(outside)], tools: skills, ports };
  return { folder, outside, options, project: openProject(folder, options) };
}

/** Answers from the request alone, so that a run goes the same way every time: agents with tools call one, then speak. */
function provider({ requests }: Outside): LlmProvider {
  const answer = (request: LlmRequest): Completion => {
    const system = String(request.messages[0]?.content).split('\n')[0] ?? '';
    requests.push(`${system} ${request.messages.length} ${JSON.stringify(request.messages[1]?.content).length}`);
    const [tool] = request.tools ?? [];
    const isTold = request.messages.some(
      ({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'tool_result'),
    );
    const common = {
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15, cached_tokens: 0 },
      model: request.model,
      id: `answer-${requests.length}`,
      left_out: [],
      simulated: false,
      attempts: 1,
      latency_ms: 1,
    };
    if (tool && !isTold) {
      const blocks = [{ type: 'tool_use', id: 'use_1', name: tool.name, input: { item: 'bolts' } }] as const;
      return { ...common, text: '', blocks, finish_reason: 'tool_use' };
    }
    return { ...common, text: tool ? 'Done.' : '{"words": "enough bolts"}', finish_reason: 'stop' };
  };
  return {
    name: 'openai',
    connect: () => ({
      call: async (request) => answer(request),
      async *stream(request) {
        const completion = answer(request);
        await new Promise(setImmediate);
        if (completion.text !== '') yield { type: 'text', text: completion.text };
        yield { type: 'completion', completion };
      },
    }),
  };
}

/** Reads a run to its end. */
export async function readAll(events: AsyncIterable<AgentEvent>): Promise<{ readonly events: AgentEvent[]; readonly result: RunResult }> {
  const read: AgentEvent[] = [];
  for await (const event of events) read.push(event);
  const last = read.at(-1);
  if (!last?.final) throw new Error('The run ended without a final event.');
  return { events: read, result: last.result };
}

/**
 * A result without what may differ between a run and the same run after a crash, or replayed: ids, times and durations; a replay with the cost of
 * what it stands for.
 */
export function comparable(result: RunResult): unknown {
  const asRecorded = ({ recorded_cost_usd, ...metadata }: Record<string, unknown>) => ({
    ...metadata,
    estimated_cost_usd: recorded_cost_usd,
  });
  const inResult = JSON.stringify(result, (_key, value) => (value?.recorded_cost_usd === undefined ? value : asRecorded(value)));
  return JSON.parse(
    JSON.stringify(JSON.parse(inResult), (key, value) =>
      ['run_id', 'id', 'timestamp', 'execution_time_ms', 'trace_id', 'correlation_id', 'snapshot_path', 'latency_ms'].includes(key)
        ? undefined
        : value,
    ),
  );
}
