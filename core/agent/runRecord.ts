import { CancelledError, type Issue } from '../errors.js';
import type { Json } from '../json.js';
import type { AssistantBlock, Completion, UserMessage } from '../llm/types.js';
import type { Logger, LogLevel } from '../ports.js';
import type { PromptMessage } from '../prompt/types.js';
import { coverAll } from '../secrets/coverValue.js';
import { cut } from '../words.js';
import type { Dropped } from './conversation.js';
import { coverResult } from './eventCover.js';
import type { AgentEvent, ConversationMessage, EventBody, FinalEvent, ReasoningStep, RunContext, RunError, RunResult } from './events.js';
import { contentOf } from './messageContent.js';
import { decisionOf, smoothnessOf, statedConfidence } from './reasoning.js';
import { createEventTime, logFields } from './runLifecycle.js';
import { toRunError } from './runResult.js';
import { RunTrace } from './runTrace.js';
import { RunUsage } from './runUsage.js';
import type { RunRequest, SessionMessage } from './types.js';

type EditEvent = Extract<EventBody, { type: 'edit' }>;

/** Most characters of a thought or an observation in the log. */
const longestInLog = 2_000;

/**
 * Everything a run has produced so far, which a failed or cancelled run keeps. One per run; numbers its events and
 * builds its result.
 */
export class RunRecord {
  readonly run_id: string;
  readonly context: RunContext;
  readonly trace = new RunTrace(
    () => this.#time(),
    (step) => this.#logStep(step),
  );
  readonly usage: RunUsage;
  snapshot_path: string | null = null;
  /** The log for everything that works for this run: each line names the run. */
  readonly logger: Logger = {
    isWritten: (level) => this.#isWritten(level),
    log: (level, message, fields) => this.log(level, message, fields),
  };

  readonly #request: RunRequest;
  readonly #time: () => string;
  readonly #started: number;
  #sequence: number;
  #calls = 0;
  #conversation: ConversationMessage[] = [];
  #lastAnswer: ConversationMessage | null = null;
  /** Those of the last turn that called tools. */
  #toolUses: RunResult['tool_uses_in_final_turn'] = [];
  #pending = '';
  #system = '';
  #repairs: Issue[] = [];
  #edits = 0;
  readonly #untoldEdits: EditEvent[] = [];
  #status: RunResult['status'] = 'failed';
  #output: Json = null;
  #dropped: Dropped = { tool_results: 0, messages: 0 };
  #sessionFailure: unknown;
  #error: RunError | null = null;

  constructor(request: RunRequest) {
    const { resume } = request;
    const { clock, random } = request.ports;
    this.#request = request;
    this.usage = new RunUsage(request);
    this.#time = createEventTime(clock);
    this.#started = clock.monotonic() - (resume?.elapsed_ms ?? 0);
    this.#sequence = resume?.seq ?? 0;
    this.run_id = resume?.run_id ?? random.id();
    this.context = {
      correlation_id: this.run_id,
      trace_id: this.run_id,
      timestamp: resume?.timestamp ?? this.#time(),
      ...request.context,
    };
  }

  /** Number of the next model call, from 1: its name where calls are stored. */
  nextCall(): number {
    this.#calls += 1;
    return this.#calls;
  }

  event(body: EventBody): AgentEvent {
    return { run_id: this.run_id, seq: this.#sequence++, time: this.#time(), final: false, ...body };
  }

  prompt(messages: readonly PromptMessage[]): void {
    for (const { role, content } of messages) this.#conversation.push({ role, content: [{ type: 'text', text: content }] });
  }

  /** The system message of separate conversations, which the record contains once. */
  promptOnce(message: PromptMessage): void {
    if (message.content === this.#system) return;
    this.#system = message.content;
    this.prompt([message]);
  }

  /** Adds the run of another agent, which is part of this one. */
  include(result: RunResult): void {
    this.usage.include(result);
    for (const message of result.conversation) this.#conversation.push(message);
    this.#lastAnswer = result.final_response ?? this.#lastAnswer;
    if (result.tool_uses_in_final_turn.length > 0) this.#toolUses = result.tool_uses_in_final_turn;
    this.#repairs.push(...result.metadata.repairs);
    this.#edits += result.metadata.edits ?? 0;
    if (result.metadata.context_dropped) this.dropped(result.metadata.context_dropped);
    this.trace.include(result);
  }

  /** Adds the messages of earlier runs in the session. */
  history(messages: readonly SessionMessage[]): void {
    for (const { role, content } of messages) this.#conversation.push({ role, content: contentOf(content) });
  }

  /** Adds the feedback to the model after a turn: tool results, or the faults of its answer. */
  feedback({ content }: UserMessage): void {
    this.#conversation.push({ role: 'user', content: contentOf(content) });
  }

  /** Text of an answer that is still arriving. */
  text(text: string): void {
    this.#pending += text;
  }

  /** @param blocks its content, if that is more than its text */
  completion(completion: Completion, blocks: readonly AssistantBlock[] | undefined = completion.blocks): void {
    const { text, id, model, finish_reason, stop_sequence, usage } = completion;
    this.#pending = '';
    this.usage.answered(completion);
    this.#answered({
      role: 'assistant',
      content: contentOf(blocks ?? text),
      ...(id !== undefined && { id }),
      model,
      stop_reason: finish_reason,
      ...(stop_sequence !== undefined && { stop_sequence }),
      ...(usage && { usage }),
    });
  }

  #answered(message: ConversationMessage): void {
    this.#conversation.push(message);
    this.#lastAnswer = message;
    const uses = message.content.filter((block) => block.type === 'tool_use');
    if (uses.length > 0) this.#toolUses = uses;
  }

  /** Logs thought and observation, cut if long: the trace has them in full. */
  #logStep(whole: ReasoningStep): void {
    if (!this.#isWritten('debug')) return;
    const { step, thought, action, observation } = coverAll(whole, this.#request.ports.knownSecrets);
    this.log('debug', 'reasoning step', {
      step,
      ...(thought !== '' && { thought: cut(thought, longestInLog) }),
      ...(action && { tool: action.tool }),
      ...(observation !== undefined && { observation: cut(observation, longestInLog) }),
    });
  }

  /** What a person changed at a stop. Edits of tool calls wait for `takeEdits`, since calls yield no events. */
  edited(edit: EditEvent): EditEvent {
    this.#edits += 1;
    if (edit.path.startsWith('/tool_calls/')) this.#untoldEdits.push(edit);
    this.log('info', 'changed at a stop', { path: edit.path });
    return edit;
  }

  takeEdits(): readonly EditEvent[] {
    return this.#untoldEdits.splice(0);
  }

  repaired(issues: readonly Issue[]): readonly Issue[] {
    this.#repairs.push(...issues);
    return issues;
  }

  /** Counts what was left out to fit the context window. */
  dropped({ tool_results, messages }: Dropped): void {
    if (tool_results + messages === 0) return;
    this.#dropped = { tool_results: this.#dropped.tool_results + tool_results, messages: this.#dropped.messages + messages };
    this.log('warn', 'messages left out to fit the context window', { tool_results, messages });
  }

  /** A line of the log that names this run. */
  log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    if (!this.#isWritten(level)) return;
    const { agent, ports } = this.#request;
    const { agent_name, version } = agent.resolved.config;
    const { step } = this.trace;
    ports.logger.log(level, message, {
      agent: `${agent_name}@${version}`,
      ...logFields(this.run_id, this.context),
      ...(step > 0 && { step }),
      ...fields,
    });
  }

  #isWritten(level: LogLevel): boolean {
    return this.#request.ports.logger.isWritten?.(level) ?? true;
  }

  complete(output: Json): void {
    this.#status = 'completed';
    this.#output = output;
    if (this.#sessionFailure !== undefined) this.storageFailed(this.#sessionFailure);
  }

  /** The session could not be stored. The run continues, since its answer is paid for, and reports it at the end. */
  sessionFailed(cause: unknown): void {
    this.#sessionFailure = cause;
  }

  get canKeepSession(): boolean {
    return this.#sessionFailure === undefined;
  }

  fail(cause: unknown): void {
    this.trace.breakOff();
    this.usage.runFailed(cause);
    this.#status = cause instanceof CancelledError ? 'cancelled' : 'failed';
    this.#error = toRunError(cause);
    if (this.#error.code === 'internal') {
      this.log('error', 'A bug ended the run.', { stack: (cause as Error)?.stack ?? String(cause) });
    }
  }

  /** The run itself ended as its status says, but its folder could not be written completely. */
  storageFailed(cause: unknown): void {
    if (this.#error) return;
    this.#status = 'failed';
    this.#error = toRunError(cause);
  }

  /** @param seq of a final event that this one replaces */
  finalEvent(seq = this.#sequence++): FinalEvent {
    const result = coverResult(this.#result(), this.#request.ports.knownSecrets);
    return { run_id: this.run_id, seq, time: this.#time(), type: 'final', final: true, result };
  }

  #result(): RunResult {
    const { agent, ports } = this.#request;
    const { config, llm } = agent.resolved;
    // An answer that was cut off mid-stream is part of the conversation too.
    if (this.#pending !== '') this.#answered({ role: 'assistant', content: contentOf(this.#pending) });
    this.#pending = '';
    const final = this.#lastAnswer;
    const text = final?.content.find((block) => block.type === 'text')?.text ?? '';
    const { trace } = this;
    const quality = trace.sourceQuality;
    const smoothness = this.#smoothness();
    const { iterations, simulated, left_out, unpriced_models, ...used } = this.usage.metadata;
    return {
      run_id: this.run_id,
      success: this.#status === 'completed',
      status: this.#status,
      output: this.#output,
      text,
      error: this.#error,
      conversation: this.#conversation,
      final_response: final,
      tool_uses_in_final_turn: this.#toolUses,
      tool_calls: trace.toolCalls,
      source_documents: [...trace.documents.values()].map((document) => ({ ...document })),
      reasoning: {
        steps: trace.steps,
        decision: decisionOf({
          status: this.#status,
          error: this.#error?.code ?? null,
          turns: this.usage.answers,
          plan: config.agent_type === 'orchestrating' ? { skipped: trace.skipped } : undefined,
          tools: trace.byTool,
          rejected: trace.rejected,
        }),
        smoothness,
        confidence: (this.#hasAnswer ? statedConfidence(this.#output) : undefined) ?? smoothness,
        ...(quality && { source_quality: quality }),
      },
      metadata: {
        agent_name: config.agent_name,
        agent_version: config.version,
        provider: llm.provider,
        model_name: config.model_name ?? null,
        execution_time_ms: Math.round(ports.clock.monotonic() - this.#started),
        iterations,
        tools_used: [...trace.toolsUsed],
        ...used,
        snapshot_hash: agent.snapshot.hash,
        snapshot_path: this.snapshot_path,
        trace_id: this.context.trace_id,
        correlation_id: this.context.correlation_id,
        repairs: this.#repairs,
        simulated,
        left_out,
        ...(unpriced_models && { unpriced_models }),
        ...(this.#edits > 0 && { edits: this.#edits }),
        ...(this.#dropped.tool_results + this.#dropped.messages > 0 && { context_dropped: { ...this.#dropped } }),
      },
    };
  }

  #smoothness(): number {
    // A run that completed but could not be stored still has its answer.
    if (!this.#hasAnswer) return 0;
    const { calls, failed, contradictions, rejected } = this.trace;
    const { agent_type, max_iterations } = this.#request.agent.resolved.config;
    return smoothnessOf({
      // The length of a plan says nothing about its answer.
      iterations: agent_type === 'orchestrating' ? 1 : this.usage.answers,
      maxIterations: max_iterations,
      calls,
      failed,
      contradictions,
      rejected,
      repairs: this.#repairs.length,
    });
  }

  get #hasAnswer(): boolean {
    return this.#output !== null || this.#status === 'completed';
  }
}
