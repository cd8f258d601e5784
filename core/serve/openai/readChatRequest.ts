import { isObject, type Json } from '../../json.js';
import { requestError } from './chatError.js';

/** The used parts of a request; the agent's config decides everything else (temperature, tools, response_format). */
export interface ChatRequest {
  readonly model: string;
  /** The last message of the user, its text parts joined. */
  readonly text: string;
  readonly stream: boolean;
  /** `stream_options.include_usage`. */
  readonly include_usage: boolean;
  /** `metadata.session_id`. */
  readonly session_id: string | undefined;
}

/** @throws ChatError naming the fault */
export function readChatRequest(body: unknown): ChatRequest {
  if (!isObject(body)) throw requestError('The body must be a JSON object with "model" and "messages".');
  const { model, messages, stream, stream_options, metadata, n } = body;
  if (typeof model !== 'string' || model === '')
    throw requestError('"model" must name an agent or orchestration; GET /v1/models lists them.', 'model');
  if (!Array.isArray(messages)) throw requestError('"messages" must be a list of messages.', 'messages');
  if (n !== undefined && n !== null && n !== 1)
    throw requestError('"n" must be 1: an agent gives one answer. Send the request again for another.', 'n');
  if (stream !== undefined && stream !== null && typeof stream !== 'boolean')
    throw requestError('"stream" must be true or false.', 'stream');
  const session_id = isObject(metadata) ? metadata.session_id : undefined;
  if (session_id !== undefined && typeof session_id !== 'string') throw requestError('"metadata.session_id" must be a text.', 'metadata');
  const at = (messages as readonly Json[]).findLastIndex((message) => isObject(message) && message.role === 'user');
  if (at < 0) throw requestError('"messages" has no message with the role "user", whose content is the input of the agent.', 'messages');
  const message = messages[at];
  const text = contentText(isObject(message) ? message.content : undefined, `messages[${at}].content`);
  const include_usage = isObject(stream_options) && stream_options.include_usage === true;
  return { model, text, stream: stream === true, include_usage, session_id };
}

function contentText(content: Json | undefined, place: string): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw requestError(`"${place}" must be a text, or a list of text parts.`, place);
  const texts: string[] = [];
  for (const part of content) {
    if (!isObject(part) || part.type !== 'text' || typeof part.text !== 'string')
      throw requestError(`"${place}" has a part that is not text. Agents take only text and JSON.`, place);
    texts.push(part.text);
  }
  return texts.join('\n');
}
