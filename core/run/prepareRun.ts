import type { Agent, RunRequest } from '../agent/types.js';
import { type ConnectOptions, connectAgents } from './connectAgents.js';
import { createSessionStore, sessionPath } from './sessionStore.js';

export interface PrepareOptions extends ConnectOptions {
  readonly session_id?: string | undefined;
  /** `none`: the session is read, and nothing is added to it. */
  readonly keep: 'folder' | 'none';
}

/** Everything outside that the run of an agent talks to. */
export type PreparedRun = Pick<RunRequest, 'llm' | 'openTools' | 'approve' | 'sessions' | 'connectAgent'> &
  Partial<Pick<RunRequest, 'ports' | 'signal'>>;

/**
 * Connects an agent, and those that its plan calls, to models, tools and its session.
 *
 * @throws InputInvalidError for a session id that is no legal name
 */
export async function prepareRun(agent: Agent, options: PrepareOptions): Promise<PreparedRun> {
  const { ports, session_id, keep } = options;
  if (session_id !== undefined) sessionPath(session_id);
  const connectAgent = connectAgents(options);
  const store = createSessionStore(ports);
  return {
    ...(await connectAgent(agent)),
    sessions: keep === 'none' ? { ...store, append: async () => undefined } : store,
    ...(agent.agents && { connectAgent }),
  };
}
