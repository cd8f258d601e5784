import { describe, expect, test } from 'vitest';
import { type AskedMix, type BlameResult, findBlame, type Mix, mostMixes } from '../../core/diff/blame.js';
import { type Random, randomOf } from '../../core/eval/statistics/random.js';

interface Model {
  readonly fields: number;
  readonly cases?: number;
  readonly repeats?: number;
  /** The probability that a case passes. @param mix what is as after the change */
  readonly rate: (mix: ReadonlySet<number>, tested: number) => number;
  readonly faultOf?: (mix: ReadonlySet<number>) => string | undefined;
  readonly seed?: number;
  /** Rounds after which nothing more may be asked. */
  readonly rounds?: number;
  readonly carried?: boolean;
}

/** Asks a scripted model. */
async function search({ fields, cases = 40, repeats = 1, rate, faultOf, seed = 1, rounds = 99, carried = false }: Model) {
  const random: Random = randomOf(seed);
  const asked: Mix[][] = [];
  const result = await findBlame({
    fields,
    async ask(mixes, mayCarry) {
      if (asked.length >= rounds) return undefined;
      asked.push([...mixes]);
      return mixes.map((mix): AskedMix => {
        const taken = new Set(mix);
        const fault = faultOf?.(taken);
        if (fault !== undefined) return { fault };
        const counts = Array.from({ length: cases }, (_, tested) => {
          const passes = Array.from({ length: repeats }, () => random() < rate(taken, tested)).filter(Boolean).length;
          return [`case ${tested}`, { passes, repeats }] as const;
        });
        return { cases: new Map(counts), isCarried: carried && mayCarry && mix.length === 0 };
      });
    },
  });
  return { result, asked };
}

/** `moved 1`, `moved 1+2` together, `moved 1|2` one of them; not_moved and cannot_tell by their fields. */
function told({ whole, findings }: BlameResult): readonly string[] {
  return [whole.outcome, ...findings.map(({ outcome, parts }) => `${outcome} ${parts.map((part) => part.join('|')).join('+')}`)];
}

const culprit = (field: number) => (mix: ReadonlySet<number>) => (mix.has(field) ? 0.2 : 1);

describe('the search', () => {
  test('asks both ends only where nothing moved', async () => {
    const { result, asked } = await search({ fields: 6, rate: () => 1 });
    expect(told(result)).toEqual(['not_moved']);
    expect(asked).toEqual([[[], [0, 1, 2, 3, 4, 5]]]);
  });

  test('cannot tell from few cases, and says how many more would', async () => {
    const { result } = await search({ fields: 2, cases: 4, rate: () => 1 });
    expect(result.whole).toMatchObject({ outcome: 'cannot_tell', more_cases: 28, evidence: { cases: 4, difference: 0 } });
    expect((await search({ fields: 2, cases: 4, rate: culprit(0) })).result.whole.outcome).toBe('cannot_tell');
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])('finds field %i of eight with six mixes', async (field) => {
    const { result, asked } = await search({ fields: 8, rate: culprit(field) });
    expect(result.findings.filter(({ outcome }) => outcome === 'moved')).toMatchObject([{ parts: [[field]], isAlone: true }]);
    expect(result.findings.flatMap(({ parts }) => parts.flat()).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(asked.flat().length).toBe(8);
  });

  test('finds a field that makes it better, and two that both do it', async () => {
    const { result } = await search({ fields: 4, rate: (mix) => (mix.has(3) ? 0.9 : 0.1) });
    expect(told(result)).toContain('moved 3');
    expect(result.findings.find(({ outcome }) => outcome === 'moved')?.evidence?.difference).toBeGreaterThan(0.5);
    const both = await search({ fields: 4, cases: 80, rate: (mix) => 1 - (mix.has(0) ? 0.45 : 0) - (mix.has(3) ? 0.45 : 0) });
    expect(told(both.result).filter((line) => line.startsWith('moved '))).toEqual(['moved 0', 'moved 3']);
  });

  test.each([
    [4, 0, 3],
    [4, 0, 1],
    [8, 1, 6],
    [2, 0, 1],
  ])('of %i fields, blames %i and %i together where neither does it alone', async (fields, one, other) => {
    const { result } = await search({ fields, rate: (mix) => (mix.has(one) && mix.has(other) ? 0.1 : 1) });
    expect(told(result).filter((line) => line.startsWith('moved '))).toEqual([`moved ${one}+${other}`]);
    expect(result.findings.find(({ outcome }) => outcome === 'moved')?.isAlone).toBe(true);
  });

  test('says that a field acts only with another one that acts alone', async () => {
    const { result } = await search({ fields: 2, cases: 80, rate: (mix) => (mix.has(0) ? (mix.has(1) ? 0.05 : 0.6) : 1) });
    expect(told(result)).toEqual(['moved', 'moved 0', 'moved 0+1']);
  });

  test('names no field where the cases do not show which', async () => {
    const { result } = await search({ fields: 4, cases: 12, rate: (mix, tested) => (tested < 6 && mix.size * 2 > tested ? 0 : 1) });
    for (const { outcome, parts } of result.findings) if (outcome === 'moved') expect(parts.flat().length).toBeGreaterThan(1);
  });

  test('takes what does not fit together for not known, with the reason', async () => {
    const faultOf = (mix: ReadonlySet<number>) => (mix.size === 1 || mix.size === 2 ? 'the prompt names another field' : undefined);
    const { result } = await search({ fields: 4, rate: culprit(2), faultOf });
    expect(result.findings).toMatchObject([{ outcome: 'moved', parts: [[0, 1, 2, 3]], fault: 'the prompt names another field' }]);
  });

  test('ends where nothing more may be asked, and blames nobody then', async () => {
    const { result } = await search({ fields: 8, rate: culprit(5), rounds: 1 });
    expect(result).toMatchObject({ isStopped: true, findings: [{ outcome: 'moved', parts: [[0, 1, 2, 3, 4, 5, 6, 7]] }] });
    const later = await search({ fields: 8, rate: culprit(5), rounds: 2 });
    expect(told(later.result)).toEqual(['moved', 'not_moved 0|1|2|3', 'moved 4|5|6|7']);
    expect((await search({ fields: 8, rate: culprit(5), rounds: 0 })).result).toMatchObject({
      isStopped: true,
      whole: { outcome: 'cannot_tell' },
    });
  });

  test('asks an end again whose verdicts were carried over, once it moved', async () => {
    const { asked } = await search({ fields: 2, rate: culprit(0), carried: true });
    expect(asked).toEqual([
      [[], [0, 1]],
      [[], [0], [1]],
    ]);
    const { asked: once } = await search({ fields: 2, rate: () => 1, carried: true });
    expect(once).toEqual([[[], [0, 1]]]);
  });

  test('asks no more mixes than it says', async () => {
    for (const fields of [1, 2, 3, 5, 8, 13]) {
      const { asked } = await search({ fields, cases: 60, carried: true, rate: (mix) => 1 - mix.size / fields });
      const all = asked.flat().map((mix) => mix.join());
      expect(all.length - 2).toBeLessThanOrEqual(mostMixes(fields));
      expect(new Set(all).size).toBeGreaterThanOrEqual(all.length - 1);
    }
  });
});

describe('in simulations', () => {
  const runs = 200;
  /** The shares of searches that blame what has no effect, and that name all that has, each by itself. */
  async function simulate(model: Omit<Model, 'seed'>, effective: readonly number[]) {
    let [wrong, found] = [0, 0];
    for (let seed = 1; seed <= runs; seed++) {
      const { findings } = (await search({ ...model, seed })).result;
      const parts = findings.flatMap((finding) => (finding.outcome === 'moved' ? finding.parts : []));
      if (parts.some((part) => !part.some((field) => effective.includes(field)))) wrong++;
      const names = parts.flatMap((part) => (part.length === 1 ? part : []));
      if (effective.length > 0 && effective.every((field) => names.includes(field))) found++;
    }
    return { wrong: wrong / runs, found: found / runs };
  }
  const noisy = (tested: number) => 0.5 + 0.4 * ((tested % 5) / 4);

  test.each<[string, Omit<Model, 'seed'>, readonly number[], number]>([
    ['nothing has an effect', { fields: 6, rate: (_, tested) => noisy(tested) }, [], 0],
    ['one of two has', { fields: 2, rate: (mix, tested) => (mix.has(1) ? 0.25 : 1) * noisy(tested) }, [1], 0.9],
    ['one of six has', { fields: 6, rate: (mix, tested) => (mix.has(4) ? 0.25 : 1) * noisy(tested) }, [4], 0.8],
    ['one has a small effect', { fields: 4, repeats: 3, rate: (mix, tested) => (mix.has(1) ? 0.75 : 1) * noisy(tested) }, [1], 0.3],
    ['two have', { fields: 5, cases: 60, rate: (mix) => 0.95 - (mix.has(0) ? 0.4 : 0) - (mix.has(4) ? 0.4 : 0) }, [0, 4], 0.8],
    ['two have together', { fields: 6, rate: (mix) => (mix.has(1) && mix.has(4) ? 0.15 : 0.9) }, [1, 4], 0.8],
    ['either of two does', { fields: 4, rate: (mix) => (mix.has(0) || mix.has(3) ? 0.15 : 0.9) }, [0, 3], 0.8],
    [
      'one takes back what another does',
      { fields: 4, rate: (mix) => (mix.has(0) && !mix.has(1) ? 0.2 : mix.has(2) ? 0.3 : 0.9) },
      [0, 1, 2],
      0,
    ],
  ])('where %s, a field without effect is blamed in at most 5 %%', async (_, model, effective, leastFound) => {
    const { wrong, found } = await simulate(model, effective);
    expect(wrong).toBeLessThanOrEqual(0.05);
    expect(found).toBeGreaterThanOrEqual(leastFound);
  });
});
