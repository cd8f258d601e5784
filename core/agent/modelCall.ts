import { LlmError } from '../errors.js';
import { createLlmClient } from '../llm/llmClient.js';
import { estimateCost } from '../llm/price.js';
import type { LlmProvider } from '../llm/providers/provider.js';
import { limitSent } from '../llm/providers/providerFacts.js';
import { refusedParameters } from '../llm/refusedParameters.js';
import { separateThoughts, type TextPart, ThoughtReader } from '../llm/thoughtTags.js';
import type { CacheHint, Completion, LlmClient, LlmRequest, Message, StreamPart, TokenUsage } from '../llm/types.js';
import type { Ports } from '../ports.js';
import { proveStablePrefix } from '../prompt/stablePrefix.js';
import { durableCall, partsOf } from './durableCall.js';
import type { EventBody } from './events.js';
import type { CallBudget } from './sharedBudget.js';
import type { Turn } from './turn.js';
import type { Agent } from './types.js';

/** The model client of an agent: its effective LLM settings and its number of attempts. */
export function connect(agent: Agent, ports: Ports, providers: readonly LlmProvider[] = []): LlmClient {
  const { llm, config } = agent.resolved;
  return createLlmClient({ ...llm, retry_attempts: config.retry_attempts }, ports, {
    unsupported: refusedParameters(agent.model, llm.options),
    providers,
  });
}

/** One model call of a run. The caller yields the events of `take` for each of the `parts`, and then reads the `completion`. */
interface ModelCall {
  /** The answer as it arrives. @throws LlmError, or the signal's reason */
  readonly parts: AsyncIterable<StreamPart>;
  /** The events that show a part. */
  take(part: StreamPart): readonly EventBody[];
  /** The whole answer, after the last part. @throws LlmError, or the signal's reason */
  completion(): Completion;
}

/**
 * @param budget what the call may cost; undefined without a limit
 * @param read turns a piece of text into the events that show it; default: one chunk
 */
export function callModel(
  turn: Turn,
  call: LlmRequest,
  budget: CallBudget | undefined,
  read: (text: string) => readonly EventBody[] = asChunk,
): ModelCall {
  const { request, record, signal } = turn;
  const { steps } = request;
  let completion: Completion | undefined;
  const thoughts = new ThoughtReader();
  const show = ({ type, text }: TextPart): readonly EventBody[] => {
    if (type === 'thinking') {
      record.trace.thinking(text);
      return [{ type, text }];
    }
    record.text(text);
    return read(text);
  };
  record.usage.called(call);
  const send = (sent: LlmRequest): AsyncIterable<StreamPart> => (budget ? paidParts(turn, sent, budget) : partsFrom(request, sent));
  return {
    parts: counted(steps ? durableCall(steps, `llm/${record.nextCall()}`, call, send) : send(call), record),
    take(part) {
      switch (part.type) {
        case 'text':
          record.usage.received(part.text);
          return thoughts.push(part.text).flatMap(show);
        case 'thinking':
          record.usage.received(part.text);
          return show(part);
        case 'retry':
          return [{ type: 'retry', attempt: part.attempt, wait_ms: part.wait_ms, reason: part.reason }];
        case 'completion':
          completion = separateThoughts(part.completion);
          return [...thoughts.end().flatMap(show), ...limitOf(completion)];
      }
    },
    completion() {
      signal.throwIfAborted();
      if (!completion) throw new LlmError('server', 'The provider ended its stream without a completion.');
      const { finish_reason, usage, attempts, latency_ms, model } = completion;
      const fields = { step: record.trace.step, model, finish_reason, attempts, latency_ms, total_tokens: usage?.total_tokens };
      record.log('debug', 'model answered', fields);
      return completion;
    },
  };
}

/** The same parts; the record gets the billed usage of a failed call. */
async function* counted(parts: AsyncIterable<StreamPart>, record: Turn['record']): AsyncGenerator<StreamPart, void, undefined> {
  try {
    yield* parts;
  } catch (error) {
    if (error instanceof LlmError && error.usage !== undefined) record.usage.callFailed(error.usage);
    throw error;
  }
}

function partsFrom({ llm, delivery }: Turn['request'], call: LlmRequest): AsyncIterable<StreamPart> {
  return delivery === 'call' ? wholeAnswer(llm, call) : llm.stream(call);
}

/** The same, with money reserved during the call, and an output limit that keeps the call within it. */
async function* paidParts(turn: Turn, call: LlmRequest, budget: CallBudget): AsyncGenerator<StreamPart, void, undefined> {
  const { spending } = turn.request;
  const { amount, settle } = spending
    ? await spending.reserve(budget, call.signal ?? turn.signal)
    : { amount: budget.most, settle: undefined };
  const limit = budget.limitFor(amount);
  const limited: LlmRequest = { ...call, hasBudget: true, ...(limit !== undefined && { max_tokens: limit, isBudgetLimit: true }) };
  let cost = 0;
  try {
    for await (const part of partsFrom(turn.request, limited)) {
      if (part.type !== 'completion') {
        yield part;
        continue;
      }
      const { usage, failed_usage, isRecorded } = part.completion;
      cost = isRecorded && !turn.request.isReplay ? 0 : costOf(usage, turn) + costOf(failed_usage, turn);
      yield limit === undefined ? part : { ...part, completion: { ...part.completion, budget_limit: limit } };
    }
  } catch (error) {
    if (error instanceof LlmError) cost = costOf(error.usage, turn);
    throw error;
  } finally {
    settle?.(cost);
  }
}

function costOf(usage: TokenUsage | undefined, { request: { agent } }: Turn): number {
  return usage && agent.price ? estimateCost(usage, agent.price) : 0;
}

/** An answer that was requested whole, in the form of a stream. */
async function* wholeAnswer(llm: LlmClient, call: LlmRequest): AsyncGenerator<StreamPart, void, undefined> {
  const completion = await llm.call(call);
  yield* partsOf(completion);
  yield { type: 'completion', completion };
}

function limitOf({ budget_limit }: Completion): readonly EventBody[] {
  return budget_limit === undefined ? [] : [{ type: 'output_limit', max_output_tokens: budget_limit }];
}

function asChunk(text: string): readonly EventBody[] {
  return [{ type: 'chunk', text }];
}

/** The model call of a turn, with the settings of the agent's config. */
export function llmRequest(
  { request, record, signal, deadline }: Turn,
  messages: readonly Message[],
  fields: Partial<LlmRequest>,
): LlmRequest {
  const { prompt, resolved, model } = request.agent;
  const { model_name, temperature, top_p } = prompt;
  const max_tokens = limitSent(resolved.llm, prompt.max_output_tokens, model);
  const end = deadline();
  return {
    model: model_name,
    messages,
    signal,
    logger: record.logger,
    // A stop at a retry moves the end of the run, and a request cannot follow it.
    ...(end !== undefined && !request.gate && { deadline: end }),
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { top_p }),
    ...(max_tokens !== undefined && { max_tokens }),
    cache: cacheHint(request.agent),
    ...fields,
  };
}

type HintedAgent = Pick<Agent, 'prompt' | 'snapshot' | 'resolved'>;

const hints = new WeakMap<HintedAgent, CacheHint>();

/** The key follows from the snapshot, which determines how the agent's requests begin. */
export function cacheHint(agent: HintedAgent): CacheHint {
  const cached = hints.get(agent);
  if (cached !== undefined) return cached;
  const { prompt, snapshot, resolved } = agent;
  const { agent_name, version, input_schema } = resolved.config;
  const { stable_system } = proveStablePrefix(prompt.shape(), ['system'], input_schema);
  const name = `${agent_name}.${version}`.replace(/[^a-zA-Z0-9_.-]/g, '_');
  const hint = { key: `${snapshot.hash.slice(0, 32)}-${name}`.slice(0, 64), ...(stable_system !== undefined && { stable_system }) };
  hints.set(agent, hint);
  return hint;
}
