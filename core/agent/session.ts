import { abortable } from '../abort.js';
import type { PromptMessage } from '../prompt/types.js';
import { coverAll } from '../secrets/coverValue.js';
import type { Conversation, Part } from './conversation.js';
import type { RunRecord } from './runRecord.js';
import type { Turn } from './turn.js';
import type { SessionMessage } from './types.js';

/** The session a run belongs to. */
export interface Session {
  /** The messages of earlier runs, oldest first. */
  readonly messages: readonly SessionMessage[];
  /** Whether they hold what tools answered. */
  readonly hasResults: boolean;
  /** Stores messages as they happen. A failure is in the result; the run continues, and nothing more is stored. */
  add(...messages: readonly (SessionMessage | undefined)[]): Promise<void>;
}

/** Undefined if the agent has no history, or the run has no session. @throws StorageError if the session cannot be read */
export async function openSession({ request, record, signal }: Turn): Promise<Session | undefined> {
  const { agent, sessions } = request;
  const { session_id } = record.context;
  if (!agent.resolved.config.include_history || !sessions || session_id === undefined) return undefined;
  const { steps } = request;
  const load = () => abortable(sessions.load(session_id), signal);
  // When a run is resumed in another process, the session already has the messages of the first one.
  const messages = await (steps ? steps.step('session/load', load) : load());
  let additions = 0;
  return {
    messages,
    hasResults: messages.some((message) => partOf(message) === 'results'),
    async add(...newMessages) {
      const added = coverAll(
        newMessages.filter((message) => message !== undefined),
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
 * Assembles the messages of a run: system, the session's history, the prompt of this run. Returns the part of the prompt that the session stores.
 *
 * @param history as stored, and as sent to this model; a message that is not sent is left out
 */
export function addHistory(
  composed: readonly PromptMessage[],
  history: readonly { readonly message: SessionMessage; readonly recalled: SessionMessage | undefined }[],
  conversation: Conversation,
  record: RunRecord,
): readonly SessionMessage[] {
  const system = composed.filter(({ role }) => role === 'system');
  const prompts = composed.flatMap(({ role, content }): SessionMessage[] => (role === 'user' ? [{ role, content }] : []));
  for (const message of system) conversation.add(message, 'system');
  for (const { message, recalled } of history) if (recalled) conversation.add(recalled, partOf(message));
  for (const message of prompts) conversation.add(message, 'prompt');
  record.prompt(system);
  record.history(history.flatMap(({ message, recalled }) => (recalled ? [message] : [])));
  record.history(prompts);
  return prompts;
}

function partOf({ role, content }: SessionMessage): Part {
  if (role === 'assistant') return 'answer';
  return typeof content !== 'string' && content.some(({ type }) => type === 'tool_result') ? 'results' : 'prompt';
}
