import type { JsonObject } from '../../../core/json.js';
import type { LoopbackReply } from '../../support/loopbackOpenAi.js';

/** A tool that a scripted model asks for, and what it says before. */
export interface ScriptedCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly thought?: string;
}

/** The results of tool calls since the last message of the user, in order. */
export function resultsIn({ messages }: JsonObject): readonly string[] {
  const all = Array.isArray(messages) ? (messages as readonly JsonObject[]) : [];
  const said = all.findLastIndex(({ role }) => role === 'user');
  return all
    .slice(said + 1)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content));
}

/** One call of a tool, streamed as Chat Completions do. */
export function toolCallReply({ name, args, thought = '' }: ScriptedCall, id: string, usage?: JsonObject): LoopbackReply {
  const chunk = (rest: JsonObject) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'tiny', ...rest })}\n\n`;
  const choice = (delta: JsonObject, finish_reason: string | null) => chunk({ choices: [{ index: 0, delta, finish_reason }] });
  const call = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  const parts = [choice({ role: 'assistant', content: thought }, null), choice({ tool_calls: [call] }, null), choice({}, 'tool_calls')];
  if (usage !== undefined) parts.push(chunk({ choices: [], usage }));
  return { headers: { 'content-type': 'text/event-stream' }, body: `${parts.join('')}data: [DONE]\n\n` };
}
