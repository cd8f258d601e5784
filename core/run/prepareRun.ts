import type { Agent, RunRequest } from '../agent/types.js';
import { InputInvalidError } from '../errors.js';
import type { KnownSecrets } from '../ports.js';
import { coverText } from '../secrets/coverValue.js';
import { type ConnectOptions, connectAgents } from './connectAgents.js';
import { createSessionStore, sessionPath } from './sessionStore.js';

export interface PrepareOptions extends ConnectOptions {
  readonly session_id?: string | undefined;
}

/** Everything outside that the run of an agent talks to. */
export type PreparedRun = Pick<RunRequest, 'llm' | 'openTools' | 'approve' | 'sessions' | 'connectAgent' | 'isReplay'> &
  Partial<Pick<RunRequest, 'ports' | 'signal'>>;

/**
 * Connects an agent, and those that its plan calls, to models, tools and its session.
 *
 * @throws InputInvalidError for a session id that is not a legal name, or holds a secret
 */
export async function prepareRun(agent: Agent, options: PrepareOptions): Promise<PreparedRun> {
  const { ports, session_id } = options;
  if (session_id !== undefined) checkSessionId(session_id, ports.knownSecrets);
  const connectAgent = connectAgents(options);
  return {
    ...(await connectAgent(agent)),
    sessions: createSessionStore(ports),
    ...(agent.agents && { connectAgent }),
  };
}

/** The id names a file, and a file name can hold no covered secret. */
function checkSessionId(session_id: string, known: KnownSecrets | undefined): void {
  sessionPath(session_id);
  if (coverText(session_id, known) === session_id) return;
  const message = 'The session id holds a secret, and it names the file of the session. Choose another id.';
  throw new InputInvalidError(message, [{ path: '/context/session_id', keyword: 'secret', message }]);
}
