import type { DurableSteps, StepOptions, UnfinishedAnswer } from '../../core/durable.js';
import { StepSkippedError, UnfinishedStepError } from '../../core/errors.js';

/** What the processes of a run have kept so far: a value as JSON, or that a step has begun. */
export type KeptValues = Map<string, { readonly value: string } | 'begun'>;

export interface KeptSteps extends DurableSteps {
  /** Resolves when the process is cut. */
  readonly isCut: Promise<void>;
  /** Steps whose work was begun in this process, in order. */
  readonly worked: readonly string[];
}

/** Every name of a scope in the order begun, over all processes. */
export type KeptOrder = Map<string, string[]>;

export interface KeptOptions {
  /** The process ends once it has kept this many things: from then on no step comes back. Default: never. */
  readonly cutAfter?: number;
  /** About steps that must not silently be repeated. Default: no answer. */
  readonly unfinished?: UnfinishedAnswer;
}

/**
 * One process of a run that is made of steps, over what earlier ones kept. Holds callers to their promises: a name is unique, and the
 * order of a scope is that of every process before.
 */
export function keptSteps(
  values: KeptValues,
  order: KeptOrder,
  { cutAfter = Number.POSITIVE_INFINITY, unfinished }: KeptOptions = {},
): KeptSteps {
  const begun = new Set<string>();
  const places = new Map<string, number>();
  const worked: string[] = [];
  let kept = 0;
  let cut = (): void => undefined;
  const isCut = new Promise<void>((resolve) => {
    cut = resolve;
  });

  async function keep(name: string, entry: { readonly value: string } | 'begun'): Promise<void> {
    if (kept >= cutAfter) return forever();
    values.set(name, entry);
    kept += 1;
    if (kept < cutAfter) return;
    cut();
    return forever();
  }

  function checkOrder(scope: string, name: string): void {
    if (begun.has(name)) throw new Error(`The step ${name} is begun twice.`);
    begun.add(name);
    const names = order.get(scope) ?? [];
    order.set(scope, names);
    const place = places.get(scope) ?? 0;
    places.set(scope, place + 1);
    if (names[place] !== undefined && names[place] !== name)
      throw new Error(`Step ${place} of ${scope} was ${names[place]}, and now is ${name}.`);
    names[place] = name;
  }

  async function step<Value>(scope: string, name: string, work: () => Promise<Value>, options: StepOptions): Promise<Value> {
    checkOrder(scope, name);
    if (kept >= cutAfter) return forever();
    const earlier = values.get(name);
    if (typeof earlier === 'object') return JSON.parse(earlier.value) as Value;
    if (options.once) {
      const described = { ...options.once.describe(), step: name };
      if (earlier === undefined) await keep(name, 'begun');
      else if (unfinished === 'skip') throw new StepSkippedError(`Whether ${described.tool} was done is not known.`);
      else if (unfinished === undefined) throw new UnfinishedStepError(`Whether ${described.tool} was done is not known.`, described);
    }
    worked.push(name);
    const value = await work();
    const text = JSON.stringify(value);
    if (text === undefined) throw new Error(`The step ${name} gives what JSON cannot hold.`);
    await keep(name, { value: text });
    return value;
  }

  const under = (scope: string): DurableSteps => ({
    step: (name, work, options = {}) => step(scope, scope + name, work, options),
    scope: (name) => under(`${scope}${name}/`),
  });
  return { ...under(''), isCut, worked };
}

function forever(): Promise<never> {
  return new Promise(() => undefined);
}
