import type { FeatureContext } from '../feature.js';

/** Every command: one line here, one file beside it, loaded only when it is used. */
export const commands: readonly Command[] = [
  { id: 'agentStack.server.compose', run: async (argument, context) => (await import('./compose.js')).compose(argument, context) },
  { id: 'agentStack.server.draft', run: async (argument, context) => (await import('./draft.js')).draft(argument, context) },
  {
    id: 'agentStack.server.effectiveConfig',
    run: async (argument, context) => (await import('./effectiveConfig.js')).effectiveConfig(argument, context),
  },
  {
    id: 'agentStack.server.orchestrationGraph',
    run: async (argument, context) => (await import('./orchestrationGraph.js')).orchestrationGraph(argument, context),
  },
];

/** One `agentStack.server.*` command: it answers with data, and changes nothing. */
interface Command {
  readonly id: string;
  /** @param argument the one object of `arguments`; may be anything @throws ResponseError that says what it must be */
  run(argument: unknown, context: FeatureContext): Promise<unknown>;
}
