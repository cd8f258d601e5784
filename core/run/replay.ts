import { abortable } from '../abort.js';
import type { EditLog, KeptChange, StopPlace } from '../agent/gate.js';
import type { SessionMessage, SessionStore } from '../agent/types.js';
import { DeniedError, ReplayMismatchError } from '../errors.js';
import type { JsonObject } from '../json.js';
import type { LlmClient, LlmRequest, Message, StreamPart } from '../llm/types.js';
import type { Ports } from '../ports.js';
import { coverValue } from '../secrets/coverValue.js';
import type { ApproveTool, OpenTools, Tool, ToolContext, ToolOutcome } from '../tools/types.js';
import { describeDifferences } from './describeDifferences.js';
import type { RunRecording, TeamRunRecording } from './readRecording.js';
import { Answers } from './recordedAnswers.js';
import type { RunConnections } from './recording.js';
import { type RecordedCall, type RecordedError, type RecordedTool, toError, toRecordedRequest } from './recordLines.js';
import { type Divergence, LivePart, type LiveTools, needsApproval, type TakeOver } from './takeOver.js';

export interface ReplayOptions {
  readonly agent_name: string;
  readonly version: string;
  readonly snapshot_hash: string;
  /** Whether a record of any model may answer, as for the offline provider. Default false. */
  readonly anyModel?: boolean;
  /** Cancels the run, if the recorded run was cancelled while a tool ran. */
  readonly cancel: () => void;
  /** Continues where a request differs from the record. Default: the run ends there with `replay-mismatch`. */
  readonly takeOver?: TakeOver;
}

/**
 * Connects a run to a record that answers instead of everything outside: no model or tool is called, no server started, and no session changed.
 * @throws ReplayMismatchError if the record is of another agent
 */
export function replayRun(recording: RunRecording | TeamRunRecording, options: ReplayOptions): RunConnections {
  if ('parts' in recording) {
    const { kind, name } = recording.header;
    const recorded =
      kind === 'agent' && name === options.agent_name ? `the agent ${name} when its plan called others` : `the ${kind} ${name}`;
    throw new ReplayMismatchError(`The record is of ${recorded}, not of ${options.agent_name} alone.`, [
      `/name: ${JSON.stringify(name)} was recorded, now ${JSON.stringify(options.agent_name)}`,
    ]);
  }
  const { header } = recording;
  if (header.agent_name !== options.agent_name) {
    throw new ReplayMismatchError(`The record is of the agent ${header.agent_name}, not of ${options.agent_name}.`, [
      `/agent_name: ${JSON.stringify(header.agent_name)} was recorded, now ${JSON.stringify(options.agent_name)}`,
    ]);
  }
  const replay = new Replay(recording, options);
  const { llm, openTools, sessions, approve } = replay;
  const isForked = options.takeOver?.connect !== undefined;
  const edits = editsIn(recording, () => replay.calls);
  return {
    llm,
    openTools,
    sessions,
    ...(!isForked && { isReplay: true }),
    ...((header.asks || isForked) && { approve }),
    ...(edits && { edits }),
  };
}

/** What was changed in the recorded run; undefined for nothing. @param calls how many model calls there were up to now */
export function editsIn({ lines }: Pick<RunRecording, 'lines'>, calls: () => number): EditLog | undefined {
  let before = 0;
  const edits = new Map<string, KeptChange>();
  const keyOf = ({ stop, step, call = '' }: StopPlace, at: number) => `${at} ${stop} ${step} ${call}`;
  for (const line of lines) {
    if ('llm' in line) before += 1;
    if ('edit' in line) edits.set(keyOf(line.edit, before), line.edit.change);
  }
  return edits.size === 0 ? undefined : { take: (place) => edits.get(keyOf(place, calls())) };
}

/** Without the waits between attempts, while only a record answers. @param isLive whether a server is called by now */
export function withoutWaiting(ports: Ports, isLive: () => boolean = () => false): Ports {
  const { clock } = ports;
  const sleep: typeof clock.sleep = async (milliseconds, signal) =>
    isLive() ? clock.sleep(milliseconds, signal) : signal?.throwIfAborted();
  return { ...ports, clock: { ...clock, sleep } };
}

class Replay {
  readonly #recording: RunRecording;
  readonly #options: ReplayOptions;
  readonly #modelCalls: readonly { readonly request: JsonObject; readonly parts: readonly StreamPart[]; readonly error?: RecordedError }[];
  readonly #toolCalls: Answers<RecordedCall>;
  readonly #approvals: Answers<{
    readonly answer?: 'allow' | 'deny';
    readonly error?: RecordedError;
    readonly name: string;
    readonly input: JsonObject;
  }>;
  /** What takes over. Undefined if nothing can, or nothing is to be called. */
  readonly #live: LivePart | undefined;
  #nextModelCall = 0;
  #opened = 0;
  #hasDiverged = false;
  /** The first difference. If a tool throws it, only the model receives it, so the next model call throws it again. */
  #mismatch: ReplayMismatchError | undefined;

  constructor(recording: RunRecording, options: ReplayOptions) {
    this.#recording = recording;
    this.#options = options;
    const { lines } = recording;
    const { takeOver: { connect } = {}, agent_name, version } = options;
    this.#live = connect && new LivePart({ connect, agent_name, version });
    this.#modelCalls = lines.flatMap((line) => ('llm' in line ? [line.llm] : []));
    this.#toolCalls = new Answers(lines.flatMap((line) => ('tool' in line ? [line.tool] : [])));
    this.#approvals = new Answers(lines.flatMap((line) => ('approval' in line ? [line.approval] : [])));
  }

  get calls(): number {
    return this.#nextModelCall;
  }

  readonly llm: LlmClient = {
    call: async (request) => {
      const recorded = this.#modelCall(request);
      if (recorded instanceof LivePart) return (await recorded.connections()).llm.call(request);
      for (const part of recorded.parts) if (part.type === 'completion') return asRecorded(part).completion;
      throw toError(recorded.error ?? noCompletion);
    },
    stream: (request) => this.#stream(request),
  };

  async *#stream(request: LlmRequest): AsyncGenerator<StreamPart, void, undefined> {
    const recorded = this.#modelCall(request);
    if (recorded instanceof LivePart) {
      yield* (await recorded.connections()).llm.stream(request);
      return;
    }
    for (const part of withText(recorded.parts)) {
      request.signal?.throwIfAborted();
      yield part.type === 'completion' ? asRecorded(part) : part;
    }
    if (recorded.error) throw toError(recorded.error);
  }

  readonly openTools: OpenTools = async (run) => {
    const { header, opened = [] } = this.#recording;
    const { tools, error } = opened[this.#opened] ?? opened.at(-1) ?? header;
    this.#opened += 1;
    const { toolsNow } = this.#options.takeOver ?? {};
    if (error && this.#options.takeOver)
      this.#diverges(new ReplayMismatchError(`The recorded run could not open its tools: ${error.message}`, []), { what: 'tools' });
    if (error && !this.#live) throw toError(error);
    const now = toolsNow?.(tools) ?? { tools, isChanged: false };
    const live = this.#live?.tools(run);
    const offered = live && (error || now.isChanged) ? (await live.open()).tools : now.tools;
    return {
      tools: offered.map((tool) => this.#tool(tool, live)),
      close: async () => live?.close(),
    };
  };

  readonly approve: ApproveTool = async (request) => {
    const { tool, input } = request;
    if (this.#live && this.#hasDiverged) return this.#live.approve(request);
    const recorded = this.#approvals.take(tool.name, input);
    if (this.#options.takeOver && recorded?.answer === undefined) {
      // Nobody was asked then, and the record has the answer.
      if (recorded === undefined && this.#toolCalls.has(tool.name, input)) return 'allow';
      const unknown = this.#unknownCall('approval', tool.name, input, this.#approvals);
      const live = this.#diverges(unknown, { what: 'approval', tool: tool.name });
      if (live) return live.approve(request);
    }
    if (recorded === undefined) throw this.#unknownCall('approval', tool.name, input, this.#approvals);
    if (recorded.error) throw toError(recorded.error);
    if (recorded.answer === undefined) throw new DeniedError(`The record does not say whether ${tool.name} was allowed.`);
    return recorded.answer;
  };

  readonly sessions: SessionStore = {
    load: async (session_id) => {
      const sessions = this.#recording.lines.flatMap((line) => ('session' in line ? [line.session] : []));
      const messages = sessions.find((session) => session.session_id === session_id)?.messages ?? [];
      return messages.filter((message): message is SessionMessage & Message => message.role !== 'system');
    },
    append: async () => undefined,
  };

  /** The recorded call; what takes over from here on, if it differs. */
  #modelCall(request: LlmRequest) {
    if (this.#live && this.#hasDiverged) return this.#live;
    if (this.#mismatch) throw this.#mismatch;
    const number = this.#nextModelCall + 1;
    const recorded = this.#modelCalls[this.#nextModelCall];
    if (recorded === undefined) {
      const end = this.#endOfRecord();
      const live = this.#diverges(end, { what: 'model', requests: { recorded: undefined, now: toRecordedRequest(request) } });
      if (live) return live;
      throw end;
    }
    const asked = toRecordedRequest(request);
    const now = this.#options.anyModel && recorded.request.model !== undefined ? { ...asked, model: recorded.request.model } : asked;
    const differences = describeDifferences(...withoutBudgetLimit(recorded.request, now));
    const isUnanswered = number === this.#modelCalls.length && recorded.parts.every(({ type }) => type !== 'completion');
    if (differences.length > 0 || (isUnanswered && this.#options.takeOver)) {
      const why = recorded.error === undefined ? '' : ` ${recorded.error.message}`;
      const difference =
        differences.length > 0
          ? this.#differs(`Model call ${number} is not the one that was recorded`, differences)
          : new ReplayMismatchError(`The record has no answer of model call ${number}.${why}`, []);
      const live = this.#diverges(difference, { what: 'model', requests: { recorded: recorded.request, now } });
      if (live) return live;
    }
    this.#nextModelCall += 1;
    if (recorded.error?.code === 'cancelled' && this.#ended?.code === 'cancelled') this.#options.cancel();
    return recorded;
  }

  /**
   * At the first request that the record does not answer, what takes over; undefined if the record goes on answering.
   * @throws the difference, if nothing can take over
   */
  #diverges(difference: Error, where: Pick<Divergence, 'what' | 'tool' | 'requests'>): LivePart | undefined {
    const { takeOver } = this.#options;
    if (takeOver === undefined) throw difference;
    const differences = difference instanceof ReplayMismatchError ? difference.differences : [];
    if (!this.#hasDiverged) takeOver.diverged({ ...where, answered: this.#nextModelCall, differences, message: difference.message });
    this.#hasDiverged = true;
    return this.#live;
  }

  /** A recorded run that was cancelled or timed out between two calls ends here as it did then, unless something takes over. */
  #endOfRecord(): Error {
    const ended = this.#live ? undefined : this.#ended;
    if (ended) {
      if (ended.code === 'cancelled') this.#options.cancel();
      return toError(ended);
    }
    const count = this.#modelCalls.length;
    const cut = this.#end === undefined ? ' The recorded run was cut off there.' : '';
    return this.#differs(`The record has ${count} model ${count === 1 ? 'call' : 'calls'}, and the run makes one more.${cut}`, [
      `model call ${count + 1}: nothing was recorded`,
    ]);
  }

  get #end() {
    return this.#recording.lines.flatMap((line) => ('end' in line ? [line.end] : [])).at(-1);
  }

  /** Why the recorded run ended, if it was ended from outside. */
  get #ended(): RecordedError | undefined {
    const error = this.#end?.error;
    return error?.code === 'cancelled' || error?.code === 'timeout' ? error : undefined;
  }

  /** @param live what takes over */
  #tool(tool: RecordedTool, live: LiveTools | undefined): Tool {
    const needs_approval = live ? needsApproval(tool) : tool.needs_approval;
    return { ...tool, needs_approval, call: (input, context) => this.#toolCall(tool.name, input, context, live) };
  }

  async #toolCall(name: string, input: JsonObject, context: ToolContext, live: LiveTools | undefined): Promise<ToolOutcome> {
    const { signal } = context;
    if (live && this.#hasDiverged) return live.call(name, input, context);
    const recorded = this.#toolCalls.take(name, input);
    if (this.#options.takeOver && (recorded === undefined || recorded.abandoned !== undefined)) {
      const difference = recorded
        ? new ReplayMismatchError(`The record has no outcome of the call of ${name}, since the run ended while it was under way.`, [])
        : this.#unknownCall('call', name, input, this.#toolCalls);
      this.#diverges(difference, { what: 'tool', tool: name });
      if (live) return live.call(name, input, context);
    }
    if (recorded === undefined) {
      const isNextCall = this.#toolCalls.nearest(name) === undefined && this.#nextModelCall === this.#modelCalls.length;
      if (!isNextCall || this.#ended?.code !== 'cancelled') throw this.#unknownCall('call', name, input, this.#toolCalls);
      this.#options.cancel();
      return untilAborted(signal);
    }
    if (recorded.abandoned !== undefined) {
      if (recorded.abandoned === 'cancelled') this.#options.cancel();
      return untilAborted(signal);
    }
    if (recorded.outcome) return this.#withValidity(recorded.outcome, name, input);
    throw toError(recorded.error ?? { code: null, message: 'The record has no outcome of this call.' });
  }

  /** A replay is faster than its run: the loop may reuse a result unless the record has another call. */
  #withValidity({ hints, ...outcome }: ToolOutcome, name: string, input: JsonObject): ToolOutcome {
    if (hints?.validity_period_ms === undefined) return { ...outcome, ...(hints && { hints }) };
    const { validity_period_ms: recordedPeriod, ...otherHints } = hints;
    const wasCalledAgain = this.#toolCalls.has(name, input);
    const validity_period_ms = this.#live ? recordedPeriod : Number.MAX_SAFE_INTEGER;
    return { ...outcome, hints: { ...otherHints, ...(!wasCalledAgain && { validity_period_ms }) } };
  }

  #unknownCall(
    what: 'call' | 'approval',
    name: string,
    input: JsonObject,
    answers: Answers<{ readonly name: string; readonly input: JsonObject }>,
  ) {
    const asked = coverValue(input);
    const nearest = answers.nearest(name);
    const differences = nearest
      ? describeDifferences(nearest.input, asked).map((difference) => `${name} ${difference}`)
      : [`${name}: nothing was recorded, now ${JSON.stringify(asked).slice(0, 200)}`];
    return this.#differs(`The ${what} of ${name} is not among the recorded ones`, differences);
  }

  #differs(what: string, differences: readonly string[]): ReplayMismatchError {
    const { header } = this.#recording;
    const { version, snapshot_hash } = this.#options;
    const isOther = header.snapshot_hash !== snapshot_hash;
    const config = isOther
      ? ` The configuration has changed since: it was ${header.agent_name}@${header.version}${header.version === version ? '' : `, now @${version}`}.`
      : '';
    const sentence = what.endsWith('.') ? what : `${what}: ${differences.join('; ')}.`;
    if (this.#options.takeOver) return new ReplayMismatchError(sentence, differences);
    this.#mismatch ??= new ReplayMismatchError(`${sentence}${config} Record the run again, or undo the change.`, differences);
    return this.#mismatch;
  }
}

function asRecorded(part: Extract<StreamPart, { readonly type: 'completion' }>): typeof part {
  return { ...part, completion: { ...part.completion, isRecorded: true } };
}

const noCompletion: RecordedError = { code: 'llm', reason: 'server', message: 'The record holds no completion of this model call.' };

/** A completion that was not streamed has no text parts; a stream sends its text as one part. */
function withText(parts: readonly StreamPart[]): readonly StreamPart[] {
  if (parts.some(({ type }) => type === 'text')) return parts;
  return parts.flatMap((part): readonly StreamPart[] => {
    if (part.type !== 'completion' || part.completion.text === '') return [part];
    return [{ type: 'text', text: part.completion.text }, part];
  });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return abortable(new Promise<never>(() => undefined), signal);
}

/** Ignores what was left of a budget: concurrent tasks share it, and a replay may have none. */
function withoutBudgetLimit(recorded: JsonObject, now: JsonObject): readonly [JsonObject, JsonObject] {
  if (recorded.is_budget_limit !== true && now.is_budget_limit !== true) return [recorded, now];
  const { max_tokens: _before, is_budget_limit: _wasLimit, ...before } = recorded;
  const { max_tokens: _after, is_budget_limit: _isLimit, ...after } = now;
  return [before, after];
}
