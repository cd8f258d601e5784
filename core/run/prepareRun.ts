import type { Agent, RunRequest, SessionStore } from '../agent/types.js';
import { InputInvalidError } from '../errors.js';
import type { KnownSecrets } from '../ports.js';
import { coverText } from '../secrets/coverValue.js';
import { type ConnectOptions, connectAgents } from './connectAgents.js';
import { createSessionStore, sessionPath } from './sessionStore.js';

export interface PrepareOptions extends ConnectOptions {
  readonly session_id?: string | undefined;
  /** Default: the sessions of the project. */
  readonly sessions?: SessionStore | undefined;
}

/** The connections of an agent's run: model, tools, approval, session. */
export type PreparedRun = Pick<RunRequest, 'llm' | 'openTools' | 'approve' | 'sessions' | 'connectAgent' | 'isReplay' | 'edits'> &
  Partial<Pick<RunRequest, 'ports' | 'signal'>>;

/**
 * Connects an agent, and those that its plan calls, to models, tools and its session.
 *
 * @throws InputInvalidError if the session id is not a legal name or contains a secret
 */
export async function prepareRun(agent: Agent, options: PrepareOptions): Promise<PreparedRun> {
  const { ports, session_id, sessions } = options;
  if (session_id !== undefined) checkSessionId(session_id, ports.knownSecrets);
  const connectAgent = connectAgents(options);
  return {
    ...(await connectAgent(agent)),
    sessions: sessions ?? createSessionStore(ports),
    ...(agent.agents && { connectAgent }),
  };
}

/** The id becomes a file name, in which a secret could not be masked. */
function checkSessionId(session_id: string, secrets: KnownSecrets | undefined): void {
  sessionPath(session_id);
  if (coverText(session_id, secrets) === session_id) return;
  const message = 'The session id holds a secret, and it names the file of the session. Choose another id.';
  throw new InputInvalidError(message, [{ path: '/context/session_id', keyword: 'secret', message }]);
}
