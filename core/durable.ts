/**
 * Work that outlives its process. A run made of steps can begin in one process and end in another: the result of a finished step is kept and
 * returned instead of doing it again. The embedded journal and the distributed engine are two implementations of this one interface.
 *
 * Callers keep two promises. A name is unique in its run. In one scope, the order in which steps begin depends on nothing but the results of
 * steps that were awaited before: never on which of two parallel ones is faster. Engines may number steps.
 */
export interface DurableSteps {
  /**
   * What `work` yields, at most once per run when it succeeds: a later process gets the kept value back. The value goes through JSON. What
   * `work` throws is not kept: the step is then done again.
   *
   * @param name unique in its scope, such as `llm/3` or `tool/2/call_7`
   * @throws what `work` throws, StorageError when the value could not be kept, UnfinishedStepError (see `once`)
   */
  step<Value>(name: string, work: () => Promise<Value>, options?: StepOptions): Promise<Value>;
  /** Steps under a name of their own, with an order of their own: what runs beside other work gets a scope. */
  scope(name: string): DurableSteps;
}

export interface StepOptions {
  /**
   * Doing it twice may do harm. Its beginning is kept before it begins. Where a process ended in between, it is unknown whether it happened, and
   * it is not done again until a person decides so, who is shown what `describe` gives. Default: it is done again.
   */
  readonly once?: { readonly describe: () => UnfinishedStep };
  /**
   * The work is itself made of steps of this scope. Where it is kept, none of them is begun again. An engine that cannot put steps into each
   * other may keep those inside alone. Default false.
   */
  readonly isComposite?: boolean;
}

/** A call that an earlier process began and did not see the end of. */
export interface UnfinishedStep {
  /** Set by the engine: the step's full name. */
  readonly step?: string;
  readonly tool: string;
  /** Without secrets. */
  readonly input: unknown;
  readonly team?: string;
  readonly task?: string;
}

/** What becomes of an unfinished step: `repeat` does it again, `skip` treats it as failed. */
export type UnfinishedAnswer = 'repeat' | 'skip';

/** Asks a person. Undefined: there is no answer, so the run stops there and can be resumed again. */
export type AskUnfinished = (step: UnfinishedStep) => Promise<UnfinishedAnswer | undefined>;
