import { describe, expect, test } from 'vitest';
import { compareSuites } from '../../core/eval/report/compareSuites.js';
import { type Slot, slotKey, slotsOf } from '../../core/eval/runner/plan.js';
import { compareMeasures } from '../../core/eval/statistics/comparePaired.js';
import { type Random, randomOf } from '../../core/eval/statistics/random.js';
import type { CaseReport, SuiteReport } from '../../core/generated/types.js';
import { runs } from '../support/effort.js';

interface Answered {
  readonly uncached: number;
  readonly billed: number;
  readonly latency: number;
}

type Plan = Parameters<typeof slotsOf>[0];

/** Two profiles that are the same byte for byte. */
function planOf(cases: number, repeats: number): Plan {
  const planned = Array.from({ length: cases }, (_, index) => ({
    kind: 'agent',
    subject: 'Tone',
    file: 'f',
    name: `case ${index}`,
    repeats,
  }));
  return { cases: planned as unknown as Plan['cases'], llms: ['one', 'other'] };
}

/**
 * A provider whose cache keeps the beginning of all prompts and each prompt, and whose speed drifts and jumps for everyone. What a call meets follows
 * from how many there were before it and never from who asks.
 */
function answerAll(slots: readonly Slot[], random: Random): ReadonlyMap<string, Answered> {
  const warm = new Set<number>();
  let load = 0;
  const answered = new Map<string, Answered>();
  for (const slot of slots) {
    load = 0.97 * load + (random() - 0.5) * 80 + (random() < 0.02 ? 1500 : 0);
    const isWarm = warm.has(slot.case);
    const output = 0.000_2 + 0.000_1 * random();
    const input = 0.001 * (isWarm ? 0.1 : warm.size > 0 ? 0.7 : 1.25);
    warm.add(slot.case);
    answered.set(slotKey(slot), {
      uncached: 0.001 + output,
      billed: input + output,
      latency: Math.max(50, 800 + load + random() * 200 - (isWarm ? 400 : 0)),
    });
  }
  return answered;
}

function suitesOf({ cases, llms }: Plan, answered: ReadonlyMap<string, Answered>): readonly SuiteReport[] {
  return llms.map((llm, number) => {
    const reports = cases.map((planned, index) => {
      const own = Array.from({ length: planned.repeats }, (_, repeat) => answered.get(slotKey({ case: index, llm: number, repeat }))!);
      const meanOf = (of: (one: Answered) => number) => own.reduce((sum, one) => sum + of(one), 0) / own.length;
      return {
        file: planned.file,
        name: planned.name,
        passes: planned.repeats,
        judged: planned.repeats,
        mean_cost_usd: meanOf(({ billed }) => billed),
        mean_uncached_cost_usd: meanOf(({ uncached }) => uncached),
        mean_latency_ms: meanOf(({ latency }) => latency),
        runs: own.map(() => ({ process: 1 })),
      } as unknown as CaseReport;
    });
    return { kind: 'agent', name: 'Tone', version: 'v1', llm, simulated: false, cases: reports } as unknown as SuiteReport;
  });
}

/** Whether a report says of two same profiles that one is better or worse in anything. */
function saysWord(plan: Plan, order: Random, world: Random): boolean {
  const [before, after] = suitesOf(plan, answerAll([...slotsOf(plan, order)], world));
  const [comparison] = compareSuites([{ before: before!, after: after! }], { areInTurns: true });
  const { pass_rate, cost_usd, latency_ms } = comparison!;
  return [pass_rate, cost_usd, latency_ms].some((measure) => measure?.verdict !== 'no difference seen');
}

describe('Two profiles that are the same', () => {
  test.each([1, 2, 3])(
    'differ by no more than chance in %i repeats, whichever of them came first: all orders of eight cases',
    (repeats) => {
      for (let world = 0; world < runs(2, 20); world++) {
        let words = 0;
        for (let coins = 0; coins < 256; coins++) {
          let drawn = 0;
          const order = () => (((coins >> drawn++) & 1) === 1 ? 0.75 : 0.25);
          if (saysWord(planOf(8, repeats), order, randomOf(world))) words++;
        }
        expect(words / 256, `world ${world}`).toBeLessThanOrEqual(0.05);
      }
    },
  );

  test('differ by no more than chance in other numbers of cases, with the order that a seed gives', () => {
    const worlds = runs(200, 4000);
    let words = 0;
    for (let world = 0; world < worlds; world++)
      if (saysWord(planOf(6 + (world % 25), 1 + (world % 4)), randomOf(2 ** 31 + world), randomOf(world))) words++;
    // Of a rate of 5 %, a sample has more than this once in a thousand times.
    expect(words / worlds).toBeLessThanOrEqual(0.05 + 3.1 * Math.sqrt((0.05 * 0.95) / worlds));
  });

  test('are not compared in latency where another process made some of the runs, or one was asked after the other', () => {
    const plan = planOf(8, 2);
    const [before, after] = suitesOf(plan, answerAll([...slotsOf(plan)], randomOf(1)));
    const latencyOf = (second: SuiteReport, areInTurns: boolean) =>
      compareSuites([{ before: before!, after: second }], { areInTurns })[0]?.latency_ms ?? null;
    const resumed = after!.cases.map((one) => ({ ...one, runs: one.runs.map((run, repeat) => ({ ...run, process: 1 + repeat })) }));
    expect(latencyOf(after!, true)).not.toBeNull();
    expect([latencyOf(after!, false), latencyOf({ ...after!, cases: resumed }, true)]).toEqual([null, null]);
  });

  test('differed in cost and latency, asked one after the other and compared by what was billed', () => {
    const plan = planOf(20, 1);
    const slots = plan.cases.flatMap((_, index) => [0, 1].map((llm) => ({ case: index, llm, repeat: 0 })));
    const [before, after] = suitesOf(plan, answerAll(slots, randomOf(1)));
    for (const key of ['mean_cost_usd', 'mean_latency_ms'] as const) {
      const pairs = before!.cases.map((one, index) => ({ before: one[key]!, after: after!.cases[index]![key]! }));
      expect(compareMeasures(pairs).p_value).toBeLessThan(0.001);
    }
  });
});

describe('The order of the runs', () => {
  test('goes case by case, takes turns with each repeat, and is the same for the same seed', () => {
    const plan = { ...planOf(40, 3), seed: 7 };
    const slots = [...slotsOf(plan)];
    expect(slots).toEqual([...slotsOf(plan)]);
    expect(slots).not.toEqual([...slotsOf({ ...plan, seed: 8 })]);
    const firsts = plan.cases.map((_, index) => {
      const own = slots.slice(index * 6, index * 6 + 6);
      expect(new Set(own.map((slot) => slot.case))).toEqual(new Set([index]));
      const llms = own.map(({ llm }) => llm);
      const [a, b] = llms;
      expect(llms).toEqual([a, b, b, a, a, b]);
      return a;
    });
    const ones = firsts.filter((llm) => llm === 0).length;
    expect(Math.min(ones, 40 - ones)).toBeGreaterThan(10);
  });

  test('puts the versions of an agent beside each other, and leaves carried verdicts out', () => {
    const caseOf = (version: string, name: string, states: readonly string[]) => ({
      kind: 'agent',
      subject: 'Tone',
      version,
      file: 'f',
      name,
      repeats: version === 'v1' ? 1 : 2,
      verdicts: states.map((state) => ({ state })),
    });
    const cases = [caseOf('v1', 'a', ['new', 'new']), caseOf('v1', 'b', ['carried', 'new']), caseOf('v2', 'a', ['new', 'new'])];
    const slots = [...slotsOf({ cases: cases as unknown as Plan['cases'], llms: [null, 'other'], seed: 3 })];
    expect(slots.map(slotKey).sort()).toEqual(['0/0/0', '0/1/0', '1/1/0', '2/0/0', '2/0/1', '2/1/0', '2/1/1']);
    expect(new Set(slots.slice(0, 6).map((slot) => slot.case))).toEqual(new Set([0, 2]));
  });
});
