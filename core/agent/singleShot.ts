import { AgentPromptValidationError } from '../errors.js';
import type { Json } from '../json.js';
import type { Completion } from '../llm/types.js';
import type { AgentPrompt } from '../prompt/agentPrompt.js';
import type { ParsedOutput } from '../prompt/types.js';
import { checkBudget } from './checkBudget.js';
import { Conversation, contextRoom } from './conversation.js';
import { correctionOf, cutOff, emptyAnswer, shorterWords, strayCall, toIssue } from './correction.js';
import type { EventBody } from './events.js';
import { recallTexts, toSessionMessage } from './messageContent.js';
import { callModel, llmRequest } from './modelCall.js';
import { addHistory, openSession } from './session.js';
import { stopAtBudget, stopAtRefusal, stopAtRepairs, stopAtRetries } from './stopAtFinding.js';
import { stopAfterAnswer, stopBeforeModel } from './stopRun.js';
import type { Turn } from './turn.js';

/** Asks the model to replace a refused answer. */
const again = 'Give the whole answer again.';

/**
 * `single_shot`: compose, one model call, parse and validate; without an output_schema the answer is its text. If the schema refuses an answer, the
 * model gets its faults and tries again, up to `retry_invalid` times.
 */
export async function* singleShot(turn: Turn): AsyncGenerator<EventBody, Json, undefined> {
  const { request, record } = turn;
  const { agent, payload, gate } = request;
  const { prompt } = agent;
  const session = await openSession(turn);
  const { messages, response_format } = prompt.compose(payload);
  const conversation = new Conversation([], response_format);
  const history = (session?.messages ?? []).map((message) => ({ message, recalled: recallTexts(message) }));
  let unkept = addHistory(messages, history, conversation, record);
  const room = contextRoom(agent);
  const fields = response_format ? { response_format } : {};
  const calls = 1 + (agent.resolved.config.retry_invalid ?? 0);

  for (let step = 1; ; step += 1) {
    if (room !== undefined && (history.length > 0 || step > 1)) record.dropped(conversation.fit(room));
    let budget = checkBudget(turn, conversation);
    record.trace.begin(step);
    yield { type: 'step_start', step };
    if (gate) {
      yield* stopBeforeModel(turn, gate, { conversation, fields, step });
      budget = checkBudget(turn, conversation);
    }
    const call = callModel(turn, llmRequest(turn, conversation.messages, fields), budget);
    const parts = gate ? stopAtRetries(turn, gate, step, call.parts) : call.parts;
    for await (const part of parts) for (const event of call.take(part)) yield event;
    const completion = call.completion();
    if (gate) await stopAfterAnswer(turn, gate, step, completion);
    const { usage = null } = completion;
    const spent = gate ? record.usage.cost : null;
    record.completion(completion);
    if (gate) await stopAtBudget(turn, gate, step, spent);
    const kept = [...unkept, toSessionMessage(completion.blocks ?? [{ type: 'text', text: completion.text }])];
    unkept = [];

    const judged = judge(prompt, completion);
    if (gate && judged.error !== undefined) await stopAtRefusal(turn, gate, step, judged.error, completion.text);
    if (judged.correction === undefined || step === calls) {
      record.trace.end();
      await session?.add(...kept);
      const { repairs = [] } = judged;
      if (repairs.length > 0) {
        const issues = record.repaired(repairs.map(toIssue));
        if (gate) await stopAtRepairs(turn, gate, step, issues, completion.text);
        yield { type: 'repair', issues };
      }
      yield { type: 'step_end', step, usage };
      if (judged.error !== undefined) throw judged.error;
      return judged.output ?? null;
    }
    const { correction } = judged;
    conversation.add({ role: 'assistant', content: completion.text.trim() === '' ? '(no answer)' : completion.text }, 'answer');
    if (usage) conversation.counted(usage);
    const note = { role: 'user', content: correction } as const;
    conversation.add(note, 'note');
    record.feedback(note);
    record.trace.rejected += 1;
    record.trace.end(correction);
    await session?.add(...kept, note);
    yield { type: 'step_end', step, observation: correction, usage };
  }
}

interface Judged {
  readonly output?: Json;
  readonly repairs?: ParsedOutput['repairs'];
  /** Why the answer is invalid. */
  readonly error?: unknown;
  /** Feedback to the model on an invalid answer; absent if another attempt would be no better. */
  readonly correction?: string;
}

function judge(prompt: AgentPrompt, completion: Completion): Judged {
  const isCut = completion.finish_reason === 'length';
  const cut = (cause?: unknown): Judged => ({
    error: cutOff(completion, cause),
    // A remaining budget does not grow.
    ...(completion.budget_limit === undefined && { correction: shorterWords(again) }),
  });
  const stray = strayCall(completion);
  if (stray !== undefined && !isCut) return { error: stray, correction: `There are no tools. ${again}` };
  if (prompt.output_schema === undefined) {
    if (isCut) return cut();
    return completion.text.trim() === '' ? { error: emptyAnswer(completion), correction: `Your answer was empty. ${again}` } : {};
  }
  try {
    return prompt.parseAndValidate(completion);
  } catch (error) {
    if (!(error instanceof AgentPromptValidationError)) return { error };
    if (isCut) return cut(error);
    const isRefusal = completion.finish_reason === 'refusal' || completion.finish_reason === 'content_filter';
    return isRefusal ? { error } : { error, correction: correctionOf(error, again) };
  }
}
