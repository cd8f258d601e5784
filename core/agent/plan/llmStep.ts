import { checkBudget } from '../checkBudget.js';
import { Conversation } from '../conversation.js';
import { cutOff, emptyAnswer, strayCall } from '../correction.js';
import { callModel, llmRequest } from '../modelCall.js';
import { stopAtBudget, stopAtRetries } from '../stopAtFinding.js';
import { stopAfterAnswer, stopBeforeModel } from '../stopRun.js';
import type { Turn } from '../turn.js';
import type { PlanRun } from './planRun.js';
import type { Execution, StepWork } from './stepWork.js';

/**
 * Calls the agent's own model in a separate conversation: the agent's system text, then the prompt. The output is the text of the answer.
 * @throws InputInvalidError, LlmError; BudgetExceededError, which ends the run
 */
export async function* llmStep(run: PlanRun, prompt: string, { number, steps, begin }: Execution): StepWork {
  const { request, record } = run.turn;
  const text = run.renderText(prompt);
  begin('llm', text);
  const conversation = new Conversation();
  for (const message of request.agent.prompt.compose(request.payload).messages) {
    if (message.role !== 'system' || message.content === '') continue;
    conversation.add({ role: 'system', content: message.content }, 'system');
    record.promptOnce(message);
  }
  const userMessage = { role: 'user', content: text } as const;
  conversation.add(userMessage, 'prompt');
  record.feedback(userMessage);
  const turn: Turn = steps ? { ...run.turn, request: { ...request, steps } } : run.turn;
  const { gate } = request;
  if (gate) yield* stopBeforeModel(turn, gate, { conversation, fields: {}, step: number });
  const budget = checkBudget(turn, conversation);
  const call = callModel(turn, llmRequest(turn, conversation.messages, {}), budget);
  const parts = gate ? stopAtRetries(turn, gate, number, call.parts) : call.parts;
  for await (const part of parts) for (const event of call.take(part)) yield event;
  const completion = call.completion();
  if (gate) await stopAfterAnswer(turn, gate, number, completion);
  const spent = gate ? record.usage.cost : null;
  record.completion(completion);
  if (gate) await stopAtBudget(turn, gate, number, spent);
  const { text: answer, finish_reason, usage = null } = completion;
  if (finish_reason === 'length') throw cutOff(completion);
  const stray = strayCall(completion);
  if (stray !== undefined) throw stray;
  if (answer.trim() === '') throw emptyAnswer(completion);
  return { output: answer, usage };
}
