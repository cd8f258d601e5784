import { expect, test } from 'vitest';
import { createAgentFactory } from '../../core/agent/load/agentFactory.js';
import { runAgent } from '../../core/agent/runAgent.js';
import type { Agent, ConnectAgent } from '../../core/agent/types.js';
import type { Json, JsonObject } from '../../core/json.js';
import type { LlmClient, StreamPart } from '../../core/llm/types.js';
import { createFlowGraph } from '../../core/permits/flowGraph.js';
import { provePolicy } from '../../core/permits/prove.js';
import { toolId } from '../../core/permits/subject.js';
import { memoryFiles } from '../support/memoryFiles.js';
import { createRandom } from '../support/random.js';
import { scriptedTools } from '../support/scriptedTools.js';
import { testPorts } from '../support/testPorts.js';
import { fill, inhabitants } from './inhabitants.js';
import { randomProject } from './randomProject.js';
import { answerWith, text, tokensIn } from './runValues.js';
import { prover, subjectsOf } from './support.js';

const count = Number(process.env.PERMITS_REPLAYS ?? 40);

function fits(schema: JsonObject, value: Json): boolean {
  const compiled = prover.schemas.compile(schema);
  return compiled.ok && compiled.check(value).length === 0;
}

/** A model that calls all of its tools twice, with all that it has read, and answers with all that it has read. */
function copyingModel({ resolved }: Agent, random: () => number): LlmClient {
  let turn = 0;
  async function* stream(request: Parameters<LlmClient['stream']>[0]): AsyncGenerator<StreamPart, void, undefined> {
    const all = text(new Set(tokensIn(JSON.stringify(request.messages))));
    const tools = request.tools ?? [];
    const isCalling = tools.length > 0 && turn < 2;
    turn += 1;
    const { output_schema } = resolved.config;
    const answers = inhabitants(output_schema as JsonObject | undefined, fits);
    const answer = fill(answers[Math.floor(random() * answers.length)] ?? {}, all);
    const words = isCalling ? '' : typeof answer === 'string' ? answer || 'nothing' : JSON.stringify(answer);
    if (words !== '') yield { type: 'text', text: words };
    const calls = tools.map(({ name }) => ({ type: 'tool_use', id: `${name}_${turn}`, name, input: { text: all, turn } }) as const);
    yield {
      type: 'completion',
      completion: {
        text: words,
        ...(isCalling && { blocks: calls }),
        finish_reason: isCalling ? 'tool_use' : 'stop',
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, cached_tokens: 0 },
        model: request.model,
        id: 'copying',
        left_out: [],
        simulated: false,
        attempts: 1,
        latency_ms: 1,
      },
    };
  }
  return {
    stream,
    async call(request) {
      for await (const part of stream(request)) if (part.type === 'completion') return part.completion;
      throw new Error('There was no completion.');
    },
  };
}

test('what is refuted of an agent arrives in a run of it', { timeout: 600_000 }, async () => {
  const figures = { assertions: 0, arrived: 0 };
  const missing: string[] = [];
  const slipped: string[] = [];
  for (let seed = 500; figures.assertions < count; seed += 1) {
    const files = randomProject(createRandom(seed));
    const memory = memoryFiles(
      Object.fromEntries(Object.entries(files).map(([path, value]) => [`config/${path}.json`, JSON.stringify(value)])),
    );
    const ports = { ...testPorts(), files: memory, environment: { get: () => undefined } };
    const factory = createAgentFactory({ ports });
    for (const [name, subject] of await subjectsOf(files)) {
      if (subject.kind !== 'agent') continue;
      const graph = createFlowGraph([subject]);
      // Stores are of several runs.
      const ids = [...new Set(graph.tools.flatMap(({ id, open }) => (open === undefined ? [id] : [])))];
      const never = ids.flatMap((from) => ids.map((to) => ({ from, to })));
      const verdicts = provePolicy(graph, [subject], { never });
      const agent = await factory.load(subject.name, 'v1').catch(() => undefined);
      if (agent === undefined) continue;
      const arrived = new Set<string>();
      const random = createRandom(seed);
      for (let run = 0; run < 6; run += 1) {
        const connect = (each: Agent): Awaited<ReturnType<ConnectAgent>> => ({
          llm: copyingModel(each, random),
          openTools: scriptedTools(
            ...each.resolved.tools.map((tool) => ({
              ...tool,
              name: tool.name,
              needs_approval: false,
              parameters: { type: 'object' },
              call: (input: JsonObject) => {
                const id = toolId(tool);
                for (const token of tokensIn(input)) arrived.add(`${token} -> ${id}`);
                const all = id === 'calculator' ? text([id]) : text(new Set([id, ...tokensIn(input)]));
                return { content: all, value: answerWith(all) };
              },
            })),
          ).openTools,
        });
        const payload = run % 2 === 0 ? { k: { label: 'a', text: 'x', part: { label: 'a' } }, m: 'fixed' } : {};
        for await (const _ of runAgent({ agent, payload, ports, ...connect(agent), connectAgent: connect }));
      }
      for (const [index, { from, to }] of never.entries()) {
        const key = `${from} -> ${to}`;
        const verdict = verdicts[index];
        if (verdict?.outcome === 'proved' && arrived.has(key)) slipped.push(`seed ${seed} ${name}: ${key}`);
        const way = verdict?.offences[0]?.way ?? [];
        if (verdict?.outcome !== 'refuted' || way.some((id) => id.startsWith('store'))) continue;
        figures.assertions += 1;
        if (arrived.has(key)) figures.arrived += 1;
        else missing.push(`seed ${seed} ${name}: ${key}`);
      }
    }
  }
  if (process.env.PERMITS_REPLAYS !== undefined) console.log(JSON.stringify(figures), missing.slice(0, 8).join('\n'));
  expect(slipped).toEqual([]);
  expect(missing.length / figures.assertions).toBeLessThan(0.02);
});
