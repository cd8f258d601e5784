import type { FeatureContext } from '../feature.js';

/** One `agentStack.server.*` command: it answers with data, and changes nothing. */
export interface Command {
  readonly id: string;
  /** @param argument the one object of `arguments`; anything at all @throws ResponseError saying what it must be */
  run(argument: unknown, context: FeatureContext): Promise<unknown>;
}
