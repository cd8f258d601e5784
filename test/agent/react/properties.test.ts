import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../../core/agent/events.js';
import type { SessionMessage } from '../../../core/agent/types.js';
import { LlmError } from '../../../core/errors.js';
import type { JsonObject } from '../../../core/json.js';
import type { ScriptedAnswer } from '../../support/scriptedModel.js';
import type { ScriptedTool } from '../../support/scriptedTools.js';
import { checkRun } from '../collectRun.js';
import { good, prepareReact } from './reactRun.js';

const names = fc.constantFrom('calm', 'failing', 'throwing', 'slow', 'odd', 'valid', 'guarded', 'unknown', '__proto__');
const inputs: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ q: fc.constantFrom('a', 'b', 'c') }),
  fc.dictionary(fc.constantFrom('q', '__proto__', 'z'), fc.constantFrom('a', 1, null, true), { maxKeys: 2 }),
);
const texts = fc.oneof(
  fc.constantFrom(
    good,
    '',
    ' ',
    '{"label": "wish"}',
    '{"label": "bug"',
    'Final Answer: 42',
    `Final Answer: ${good}`,
    'Thought: hm',
    'Action: calm',
  ),
  fc.tuple(names, inputs).map(([name, input]) => `Thought: I try.\nAction: ${name}\nAction Input: ${JSON.stringify(input)}`),
  fc.string({ maxLength: 30 }),
);
const calls = fc.array(
  fc.record({ name: names, input: inputs, input_text: fc.constantFrom('[1', 'plain', '{"q": "a"') }, { requiredKeys: ['name', 'input'] }),
  { minLength: 1, maxLength: 4 },
);
const answers: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ chunks: fc.tuple(texts), calls }) },
  { weight: 4, arbitrary: fc.record({ chunks: fc.tuple(texts), thoughts: fc.constantFrom(['Hm.'], []) }) },
  {
    weight: 1,
    arbitrary: fc.record({ chunks: fc.tuple(texts), finish_reason: fc.constant('length' as const), usage: fc.constant(undefined) }),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('context-length' as const, 'network' as const)
      .map((reason) => ({ chunks: [], error: new LlmError(reason, 'No.') })),
  },
);

const tools: readonly ScriptedTool[] = [
  { name: 'calm', dependencies: ['slow'] },
  { name: 'failing', call: () => ({ content: 'no', is_error: true, can_retry: true }) },
  {
    name: 'throwing',
    call: () => {
      throw new Error('broken');
    },
  },
  { name: 'slow', timeout_ms: 300, dependencies: ['calm'], call: () => new Promise<never>(() => undefined) },
  { name: 'odd', call: () => null as never },
  {
    name: 'valid',
    call: ({ q }) => ({ content: `${q}`, hints: { validity_period_ms: 5000, dependencies: ['odd'] }, documents: [{ id: `${q}` }] }),
  },
  { name: 'guarded', needs_approval: true },
];

test('with any behaviour of model, tools and caller, a run ends once, as its schema says, and leaves nothing behind', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(answers, { minLength: 1, maxLength: 7 }),
      fc.constantFrom('native', 'text'),
      fc.option(fc.nat({ max: 25 })),
      fc.constantFrom('allow' as const, 'deny' as const),
      async (script, tool_protocol, stopAt, verdict) => {
        const kept: SessionMessage[] = [];
        const controller = new AbortController();
        const { run, ports, seen } = await prepareReact({
          answers: [...script, ...Array.from({ length: 8 }, () => ({ chunks: [`Final Answer: ${good}`] }))],
          tools,
          agent: { tool_protocol, max_iterations: 8, include_history: true, timeout_ms: 3_600_000 },
          options: {
            signal: controller.signal,
            approve: async () => verdict,
            context: { session_id: 's' },
            sessions: { load: async () => [], append: async (_session, _run, messages) => void kept.push(...messages) },
          },
        });
        const events: AgentEvent[] = [];
        let ended = false;
        const reading = (async () => {
          for await (const event of run) {
            events.push(event);
            if (event.seq === stopAt) controller.abort();
          }
          ended = true;
        })();
        while (!ended) {
          await new Promise((resolve) => setImmediate(resolve));
          await ports.clock.pass(400);
        }
        await reading;
        const result = checkRun(events);
        expect(result.error?.code).not.toBe('internal');
        expect(seen.closed).toBe(seen.opened);
        expect(ports.clock.sleeping).toBe(0);
        expect(JSON.stringify(events)).not.toContain('signature-');
        const asked = kept.flatMap(({ content }) =>
          typeof content === 'string' ? [] : content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
        );
        const told = kept.flatMap(({ content }) =>
          typeof content === 'string' ? [] : content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
        );
        // A turn that was broken off is the last one.
        expect(asked.slice(0, told.length)).toEqual(told);
        if (result.success) expect(told).toEqual(asked);
      },
    ),
    { numRuns: 150 },
  );
});
