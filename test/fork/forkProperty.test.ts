import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import { runAgent } from '../../core/agent/runAgent.js';
import type { Agent, RunRequest } from '../../core/agent/types.js';
import type { JsonObject } from '../../core/json.js';
import type { Clock } from '../../core/ports.js';
import { parseRecording, type RunRecording } from '../../core/run/readRecording.js';
import { recordRun } from '../../core/run/recording.js';
import type { RecordLine } from '../../core/run/recordLines.js';
import { replayRun } from '../../core/run/replay.js';
import type { Divergence } from '../../core/run/takeOver.js';
import { sampleProject } from '../agent/sampleProject.js';
import { type ScriptedAnswer, scriptedModel } from '../support/scriptedModel.js';
import { scriptedTools } from '../support/scriptedTools.js';
import { countingRandom, standingClock } from '../support/testPorts.js';

const reacts = { agent_type: 'react', mode: undefined, output_schema: undefined, enums: undefined, defaults: undefined, max_iterations: 9 };
const clock: Clock = { ...standingClock(), sleep: async (_milliseconds, signal) => signal?.throwIfAborted() };

async function run(agent: Agent, parts: Partial<RunRequest> & Pick<RunRequest, 'llm'>): Promise<readonly AgentEvent[]> {
  const ports = { clock, random: countingRandom(), logger: { log: () => undefined } };
  const events: AgentEvent[] = [];
  for await (const event of runAgent({ agent, payload: { title: 'x' }, ports, ...parts })) events.push(event);
  return events;
}

const identityOf = ({ resolved: { config }, snapshot }: Agent) => ({
  agent_name: config.agent_name,
  version: config.version,
  snapshot_hash: snapshot.hash,
  cancel: () => undefined,
});

/** What became of the record, or of what leads to its requests. */
type Change = { readonly at: number; readonly kind: 'request' | 'outcome' | 'cut' | 'none' };

function changed(recording: RunRecording, { at, kind }: Change): RunRecording {
  const place = at % recording.lines.length;
  if (kind === 'cut') return { ...recording, lines: recording.lines.slice(0, place) };
  const lines = recording.lines.map((line, index): RecordLine => {
    if (index !== place) return line;
    if (kind === 'request' && 'llm' in line) return { llm: { ...line.llm, request: { ...line.llm.request, temperature: 0.123 } } };
    const outcome = kind === 'outcome' && 'tool' in line ? line.tool.outcome : undefined;
    return outcome && 'tool' in line ? { tool: { ...line.tool, outcome: { ...outcome, content: `${outcome.content}, changed` } } } : line;
  });
  return { ...recording, lines };
}

test('nothing is called before the first request that differs, and what is answered before is what was recorded', async () => {
  const agent = await sampleProject(reacts as unknown as JsonObject).factory.load('Labels', 'v1');
  const call = fc.record({ name: fc.constantFrom('look', 'find'), input: fc.record({ q: fc.constantFrom('a', 'b', 'c') }) });
  const asks: fc.Arbitrary<ScriptedAnswer> = fc.record({
    chunks: fc.constant(['I look.']),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  });
  const change: fc.Arbitrary<Change> = fc.record({ at: fc.nat(20), kind: fc.constantFrom('request', 'outcome', 'cut', 'none') });
  await fc.assert(
    fc.asyncProperty(fc.array(asks, { minLength: 1, maxLength: 5 }), change, async (turns, change) => {
      const answers = [...turns, { chunks: ['Done.'] }];
      const tools = () => scriptedTools({ name: 'look' }, { name: 'find' });
      let text = '';
      const recorder = recordRun(
        identityOf(agent),
        { llm: scriptedModel(...answers), openTools: tools().openTools },
        {
          append(line) {
            text += line;
          },
        },
      );
      const original = await run(agent, recorder.connections);
      const recording = changed(parseRecording(text) as RunRecording, change);

      // A plain replay ends at the first difference.
      const replayed = (await run(agent, replayRun(recording, identityOf(agent)))).at(-1);
      const mismatch = replayed?.final && replayed.result.error?.code === 'replay-mismatch' ? replayed.result.error : undefined;
      const differsAt = /^Model call (\d+) is not/.exec(mismatch?.message ?? '')?.[1];

      const divergences: Divergence[] = [];
      const model = scriptedModel(...answers.slice(Number(differsAt ?? 1) - 1), ...answers, ...answers);
      const live = tools();
      const asked: number[] = [];
      const events = await run(
        agent,
        replayRun(recording, {
          ...identityOf(agent),
          takeOver: {
            diverged(divergence) {
              divergences.push(divergence);
              asked.push(model.requests.length);
            },
            connect: async () => ({ llm: model, openTools: live.openTools, approve: async () => 'allow' }),
          },
        }),
      );
      expect(divergences.length).toBe(mismatch === undefined ? 0 : 1);
      if (mismatch === undefined) {
        expect(model.requests).toEqual([]);
        return;
      }
      expect(asked).toEqual([0]);
      const [{ answered, what } = { answered: 0, what: 'model' }] = divergences;
      if (differsAt !== undefined) expect(answered).toBe(Number(differsAt) - 1);
      const final = events.at(-1);
      if (!final?.final) throw new Error('no end');
      // Each answer came either from the record or from the model.
      expect(final.result.metadata.iterations).toBe(answered + model.requests.length);
      const from = events.findIndex((event) => event.type === 'step_start' && event.step > answered);
      const called = events.slice(from).flatMap((event) => (event.type === 'tool_call' ? event.tool_calls : []));
      if (what === 'model') expect(live.seen.calls).toHaveLength(called.length);
      const firstSteps = (all: readonly AgentEvent[]) => {
        const end = all.findIndex((event) => event.type === 'step_start' && event.step > (what === 'model' ? answered : answered - 1));
        const isTold = ({ type }: AgentEvent) => change.kind === 'outcome' && (type === 'tool_result' || type === 'step_end');
        return JSON.stringify(all.slice(1, end < 0 ? undefined : end).filter((event) => !isTold(event)));
      };
      expect(firstSteps(events)).toBe(firstSteps(original));
    }),
    { numRuns: 150 },
  );
});
