import { AgentPromptValidationError, LlmError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { ParsedOutput } from '../prompt/types.js';
import { askModel } from './askModel.js';
import { checkBudget } from './checkBudget.js';
import { contextRoom } from './contextRoom.js';
import { Conversation } from './conversation.js';
import type { EventBody } from './events.js';
import { llmRequest } from './llmRequest.js';
import { recallTexts, toSessionMessage } from './react/recall.js';
import { addHistory, openSession } from './session.js';
import { toIssue } from './toIssue.js';
import type { Turn } from './turn.js';

/** `single_shot`: compose, one model call, parse and validate. */
export async function* singleShot(turn: Turn): AsyncGenerator<EventBody, JsonObject, undefined> {
  const { request, record } = turn;
  const { agent, payload } = request;
  const { prompt } = agent;
  const session = await openSession(turn);
  const { messages, response_format } = prompt.compose(payload);
  const conversation = new Conversation([], response_format);
  const history = (session?.messages ?? []).map((message) => ({ message, said: recallTexts(message) }));
  const prompts = addHistory(messages, history, conversation, record);
  const room = contextRoom(agent);
  if (room !== undefined && history.length > 0) record.dropped(conversation.fit(room));
  const worst = checkBudget(turn, conversation);

  record.trace.begin(1);
  yield { type: 'step_start', step: 1 };
  const call = askModel(turn, llmRequest(turn, conversation.messages, { ...(response_format && { response_format }) }), worst);
  for await (const part of call.parts) for (const event of call.take(part)) yield event;
  const completion = call.completion();
  record.completion(completion);
  record.trace.end();
  await session?.add(...prompts, toSessionMessage(completion.blocks ?? [{ type: 'text', text: completion.text }]));

  let parsed: ParsedOutput | undefined;
  let refused: unknown;
  try {
    parsed = prompt.parseAndValidate(completion);
  } catch (error) {
    refused = error;
  }
  if (parsed && parsed.repairs.length > 0) yield { type: 'repair', issues: record.repaired(parsed.repairs.map(toIssue)) };
  yield { type: 'step_end', step: 1, usage: completion.usage ?? null };
  if (parsed) return parsed.output;
  if (completion.finish_reason === 'length' && refused instanceof AgentPromptValidationError) {
    throw new LlmError('length', 'The answer was cut off because it reached the output limit. Raise max_output_tokens, or ask for less.', {
      cause: refused,
    });
  }
  throw refused;
}
