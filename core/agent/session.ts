import { abortable } from '../abort.js';
import type { PromptMessage } from '../prompt/types.js';
import { coverAll } from '../secrets/coverValue.js';
import type { Conversation, Part } from './conversation.js';
import type { RunRecord } from './runRecord.js';
import type { Turn } from './turn.js';
import type { SessionMessage } from './types.js';

/** The session a run belongs to. */
export interface Session {
  /** What earlier runs left, oldest first. */
  readonly messages: readonly SessionMessage[];
  /** Keeps messages as they happen. A failure is in the result; the run goes on, and nothing more is kept. */
  add(...messages: readonly (SessionMessage | undefined)[]): Promise<void>;
}

/** Undefined where the agent keeps no history, or the run has no session. @throws StorageError when what is there cannot be read */
export async function openSession({ request, record, signal }: Turn): Promise<Session | undefined> {
  const { agent, sessions } = request;
  const { session_id } = record.context;
  if (!agent.resolved.config.include_history || !sessions || session_id === undefined) return undefined;
  const { steps } = request;
  const load = () => abortable(sessions.load(session_id), signal);
  // By the time a run goes on in another process, the session holds what the first one left.
  const messages = await (steps ? steps.step('session/load', load) : load());
  let additions = 0;
  return {
    messages,
    async add(...given) {
      const added = coverAll(
        given.filter((message) => message !== undefined),
        request.ports.knownSecrets,
      );
      if (added.length === 0 || !record.canKeepSession) return;
      const append = async () => {
        await abortable(sessions.append(session_id, record.run_id, added), signal);
        return null;
      };
      additions += 1;
      try {
        await (steps ? steps.step(`session/add/${additions}`, append) : append());
      } catch (error) {
        if (signal.aborted) throw error;
        record.log('error', 'the session could not be kept', { session_id });
        record.sessionFailed(error);
      }
    },
  };
}

/**
 * Puts the messages of a run together: system, what the session remembers, the prompt of this run. Returns what the session is to keep of
 * the prompt.
 *
 * @param history as it was kept, and as it is said to this model; what is not said is left out
 */
export function addHistory(
  composed: readonly PromptMessage[],
  history: readonly { readonly message: SessionMessage; readonly said: SessionMessage | undefined }[],
  conversation: Conversation,
  record: RunRecord,
): readonly SessionMessage[] {
  const system = composed.filter(({ role }) => role === 'system');
  const prompts = composed.flatMap(({ role, content }): SessionMessage[] => (role === 'user' ? [{ role, content }] : []));
  for (const message of system) conversation.add(message, 'system');
  for (const { message, said } of history) if (said) conversation.add(said, partOf(message));
  for (const message of prompts) conversation.add(message, 'prompt');
  record.prompt(system);
  record.history(history.flatMap(({ message, said }) => (said ? [message] : [])));
  record.history(prompts);
  return prompts;
}

function partOf({ role, content }: SessionMessage): Part {
  if (role === 'assistant') return 'answer';
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool_result') ? 'results' : 'prompt';
}
