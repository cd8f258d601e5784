import { AgentPromptValidationError, BudgetExceededError, LlmError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { Completion, LlmRequest } from '../llm/types.js';
import type { ParsedOutput, Repair } from '../prompt/types.js';
import type { EventBody } from './events.js';
import type { Turn } from './runAgent.js';

/** `single_shot`: compose, one model call, parse and validate. */
export async function* singleShot({ request, record, signal, deadline }: Turn): AsyncGenerator<EventBody, JsonObject, undefined> {
  const { agent, payload, llm, delivery } = request;
  const { prompt } = agent;
  const { messages, response_format } = prompt.compose(payload);
  record.prompt(messages);
  checkBudget(request, record.cost);

  const call: LlmRequest = {
    model: prompt.model_name,
    messages,
    signal,
    ...(deadline !== undefined && { deadline }),
    ...(response_format && { response_format }),
    ...(prompt.temperature !== undefined && { temperature: prompt.temperature }),
    ...(prompt.top_p !== undefined && { top_p: prompt.top_p }),
    ...(prompt.max_output_tokens !== undefined && { max_tokens: prompt.max_output_tokens }),
  };

  yield { type: 'step_start', step: 1 };
  let completion: Completion | undefined;
  if (delivery === 'call') {
    completion = await llm.call(call);
    record.text(completion.text);
    yield { type: 'chunk', text: completion.text };
  } else {
    for await (const part of llm.stream(call)) {
      if (part.type === 'text') {
        record.text(part.text);
        yield { type: 'chunk', text: part.text };
      } else if (part.type === 'retry') {
        yield { type: 'retry', attempt: part.attempt, wait_ms: part.wait_ms, reason: part.reason };
      } else if (part.type === 'thinking') yield { type: 'thinking', text: part.text };
      else completion = part.completion;
    }
  }
  signal.throwIfAborted();
  if (!completion) throw new LlmError('server', 'The provider ended its stream without a completion.');
  record.completion(completion);

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

/** Cost is checked before each model call: what was spent so far must be below the limit. */
function checkBudget({ agent, context }: Turn['request'], spent: number | null): void {
  for (const max of [agent.resolved.config.budget?.max_cost, context?.budget?.max_cost]) {
    if (max === undefined || spent === null || spent < max) continue;
    throw new BudgetExceededError(`The budget of ${max} USD is used up (${spent} USD spent). Raise budget.max_cost.`);
  }
}

function toIssue({ kind, message, path }: Repair) {
  return { path: path ?? '', keyword: kind, message };
}
