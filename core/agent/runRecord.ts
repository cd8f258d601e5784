import type { Issue } from '../errors.js';
import { AgentStackError, CancelledError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { estimateCost } from '../llm/price.js';
import type { Completion, TokenUsage } from '../llm/types.js';
import type { PromptMessage } from '../prompt/types.js';
import type { AgentEvent, ConversationMessage, EventBody, FinalEvent, RunContext, RunError, RunResult } from './events.js';
import type { RunRequest } from './runAgent.js';

const noUsage: TokenUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cached_tokens: 0 };

/**
 * Everything a run has produced so far, so that a failed or cancelled run keeps it. One per run; numbers its events and
 * ends in its result.
 */
export class RunRecord {
  readonly run_id: string;
  readonly context: RunContext;
  snapshot_path: string | null = null;

  readonly #request: RunRequest;
  readonly #started: number;
  #sequence = 0;
  #lastNow = Number.NaN;
  #lastTime = '';
  #conversation: ConversationMessage[] = [];
  #pending = '';
  #usage: TokenUsage = noUsage;
  #completions: Completion[] = [];
  #repairs: Issue[] = [];
  #status: RunResult['status'] = 'failed';
  #output: JsonObject | null = null;
  #error: RunError | null = null;

  constructor(request: RunRequest) {
    const { clock, random } = request.ports;
    this.#request = request;
    this.#started = clock.monotonic();
    this.run_id = random.id();
    this.context = {
      correlation_id: this.run_id,
      trace_id: this.run_id,
      timestamp: this.#time(),
      ...request.context,
    };
  }

  event(body: EventBody): AgentEvent {
    return { run_id: this.run_id, seq: this.#sequence++, time: this.#time(), final: false, ...body };
  }

  prompt(messages: readonly PromptMessage[]): void {
    for (const { role, content } of messages) this.#conversation.push({ role, content: [{ type: 'text', text: content }] });
  }

  /** Text of an answer that is still on its way. */
  text(text: string): void {
    this.#pending += text;
  }

  completion(completion: Completion): void {
    const { text, id, model, finish_reason, usage } = completion;
    this.#pending = '';
    this.#completions.push(completion);
    if (usage) this.#usage = addUsage(this.#usage, usage);
    this.#conversation.push({
      role: 'assistant',
      content: [{ type: 'text', text }],
      ...(id !== undefined && { id }),
      model,
      stop_reason: finish_reason,
      ...(usage && { usage }),
    });
  }

  repaired(issues: readonly Issue[]): readonly Issue[] {
    this.#repairs.push(...issues);
    return issues;
  }

  /** USD so far; null when the model's price is not known. */
  get cost(): number | null {
    const { price } = this.#request.agent;
    return price ? estimateCost(this.#usage, price) : null;
  }

  complete(output: JsonObject): void {
    this.#status = 'completed';
    this.#output = output;
  }

  fail(cause: unknown): void {
    this.#status = cause instanceof CancelledError ? 'cancelled' : 'failed';
    this.#error = toRunError(cause);
    if (this.#error.code === 'internal') {
      this.#request.ports.logger.log('error', 'A bug ended the run.', {
        run_id: this.run_id,
        stack: (cause as Error)?.stack ?? String(cause),
      });
    }
  }

  /** The run itself went as its status says, but its folder could not be written to the end. */
  storageFailed(cause: unknown): void {
    if (this.#error) return;
    this.#status = 'failed';
    this.#error = toRunError(cause);
  }

  /** `seq`: of a final event that this one takes the place of. */
  finalEvent(seq = this.#sequence++): FinalEvent {
    return { run_id: this.run_id, seq, time: this.#time(), type: 'final', final: true, result: this.#result() };
  }

  #result(): RunResult {
    const { agent, ports } = this.#request;
    const { config, llm } = agent.resolved;
    // An answer that was cut off mid-stream is part of the conversation too.
    if (this.#pending !== '') this.#conversation.push({ role: 'assistant', content: [{ type: 'text', text: this.#pending }] });
    this.#pending = '';
    const last = this.#conversation.at(-1);
    const final = last?.role === 'assistant' ? last : null;
    const firstText = final?.content.find((block) => block.type === 'text');
    const text = firstText?.text ?? '';
    const timestamp = this.#time();
    return {
      run_id: this.run_id,
      success: this.#status === 'completed',
      status: this.#status,
      output: this.#output,
      text,
      error: this.#error,
      conversation: this.#conversation,
      final_response: final,
      tool_uses_in_final_turn: [],
      source_documents: [],
      reasoning: {
        steps: final ? [{ step: 1, thought: '', timestamp }] : [],
        decision: text,
        confidence: this.#confidence(),
      },
      metadata: {
        agent_name: config.agent_name,
        agent_version: config.version,
        provider: llm.provider,
        model_name: config.model_name ?? null,
        execution_time_ms: Math.round(ports.clock.monotonic() - this.#started),
        iterations: this.#completions.length,
        tools_used: [],
        token_usage: this.#usage,
        ...(this.#completions.some(({ isUsageEstimated }) => isUsageEstimated) && { token_usage_estimated: true }),
        estimated_cost_usd: this.#completions.length === 0 ? 0 : this.cost,
        snapshot_hash: agent.snapshot.hash,
        snapshot_path: this.snapshot_path,
        trace_id: this.context.trace_id,
        correlation_id: this.context.correlation_id,
        repairs: this.#repairs,
        simulated: this.#completions.some(({ simulated }) => simulated),
        left_out: [...new Set(this.#completions.flatMap(({ left_out }) => left_out))],
      },
    };
  }

  /**
   * How cleanly the answer arrived, 0 to 1: the model's own numeric `confidence` when its output has one in that range;
   * otherwise 1, less 0.1 for each repair, never below 0.5; 0 for a run that did not complete.
   */
  #confidence(): number {
    if (!this.#output) return 0;
    const own = Object.hasOwn(this.#output, 'confidence') ? this.#output.confidence : undefined;
    if (typeof own === 'number' && 0 <= own && own <= 1) return own;
    return Math.max(0.5, Math.round((1 - 0.1 * this.#repairs.length) * 10) / 10);
  }

  #time(): string {
    const now = this.#request.ports.clock.now();
    // Events come in bursts, and writing a date costs more than all the rest of one.
    if (now !== this.#lastNow) {
      this.#lastNow = now;
      this.#lastTime = new Date(now).toISOString();
    }
    return this.#lastTime;
  }
}

function addUsage(left: TokenUsage, right: TokenUsage): TokenUsage {
  return {
    prompt_tokens: left.prompt_tokens + right.prompt_tokens,
    completion_tokens: left.completion_tokens + right.completion_tokens,
    total_tokens: left.total_tokens + right.total_tokens,
    cached_tokens: left.cached_tokens + right.cached_tokens,
  };
}

export function toRunError(cause: unknown): RunError {
  if (cause instanceof AgentStackError) {
    const { code, message, details, recoverable } = cause;
    return { code, message, ...(details && { details }), recoverable };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return {
    code: 'internal',
    message: `Internal error: ${message}. This is a bug in Agent Stack; the log has its stack.`,
    recoverable: false,
  };
}
