/**
 * Work that outlives its process. A run made of steps can begin in one process and end in another: the result of a finished step is kept and
 * returned instead of doing it again. The embedded journal and the distributed engine are two implementations of this one interface.
 *
 * Callers guarantee two things. A name is unique in its run. In one scope, the order in which steps begin depends only on the results of awaited
 * steps, never on which of two parallel ones is faster. Engines may number steps.
 */
export interface DurableSteps {
  /**
   * The result of `work`, which succeeds at most once per run: a later process gets the kept value, as JSON. Errors of `work` are not kept: the step
   * is then done again.
   *
   * @param name unique in its scope, such as `llm/3` or `tool/2/call_7`
   * @throws the error of `work`, StorageError if the value could not be kept, UnfinishedStepError (see `once`)
   */
  step<Value>(name: string, work: () => Promise<Value>, options?: StepOptions): Promise<Value>;
  /** Steps under a common name, with a separate order: concurrent work gets a scope. @param beside whether the work goes on beside others */
  scope(name: string, beside?: 'beside'): DurableSteps;
  /** The steps are only looked at later: the run works with its values as they are, and is never resumed. Default: with those that were kept. */
  readonly isOnlyKept?: true;
  /** What an earlier process has kept. Absent in a new run, and for engines whose runs cannot stop. */
  readonly earlier?: EarlierSteps;
}

/** The steps that an earlier process has kept and this one has not reached. */
export interface EarlierSteps {
  has(name: string): boolean;
  /** Whether any are left of the run, or of the innermost scope that goes on beside others: the earlier process came further than this one is. */
  isAhead(): boolean;
}

export interface StepOptions {
  /**
   * For work that must not be repeated without asking. Its start is kept first. If a process ended in between, it is unknown whether it happened,
   * and a person decides, who gets the result of `describe`. Default: it is done again.
   */
  readonly once?: { readonly describe: () => UnfinishedStep };
  /**
   * The work consists of steps in this scope. Once it is kept, none of them begins again. An engine without nested steps may keep only the inner
   * ones. Default false.
   */
  readonly isComposite?: boolean;
}

/** Steps of which each gets its full name: those of its scopes, and its own. */
export function scopedSteps(step: DurableSteps['step'], prefix = ''): DurableSteps {
  return {
    step: (name, work, options) => step(prefix + name, work, options),
    scope: (name) => scopedSteps(step, `${prefix}${name}/`),
  };
}

/** A call that an earlier process began and did not finish. */
export interface UnfinishedStep {
  /** Set by the engine: the step's full name. */
  readonly step?: string;
  readonly tool: string;
  /** Without secrets. */
  readonly input: unknown;
  readonly team?: string;
  readonly task?: string;
}

/** The decision about an unfinished step: `repeat` does it again, `skip` treats it as failed. */
export type UnfinishedAnswer = 'repeat' | 'skip';

/** Asks a person. Undefined: there is no answer, so the run stops there and can be resumed again. */
export type AskUnfinished = (step: UnfinishedStep) => Promise<UnfinishedAnswer | undefined>;
