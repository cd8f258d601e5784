import { abortable } from '../abort.js';
import type { SessionMessage, SessionStore } from '../agent/types.js';
import { DeniedError, ReplayMismatchError } from '../errors.js';
import { groupBy } from '../groupBy.js';
import type { JsonObject } from '../json.js';
import type { LlmClient, LlmRequest, Message, StreamPart } from '../llm/types.js';
import type { Ports } from '../ports.js';
import { coverValue } from '../secrets/coverValue.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import type { ApproveTool, OpenTools, Tool, ToolContext, ToolOutcome } from '../tools/types.js';
import { describeDifferences } from './describeDifferences.js';
import type { RunRecording, TeamRunRecording } from './readRecording.js';
import type { RunConnections } from './recording.js';
import { type RecordedCall, type RecordedError, type RecordedTool, toError, toRecordedRequest } from './recordLines.js';

export interface ReplayOptions {
  readonly agent_name: string;
  readonly version: string;
  readonly snapshot_hash: string;
  /** Whether a record of any model may answer, as for the offline provider. Default false. */
  readonly anyModel?: boolean;
  /** Cancels the run, if the recorded run was cancelled while a tool ran. */
  readonly cancel: () => void;
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
  return { llm, openTools, sessions, isReplay: true, ...(header.asks && { approve }) };
}

/** Without the waits between attempts: a replay calls no server. */
export function withoutWaiting(ports: Ports): Ports {
  return { ...ports, clock: { ...ports.clock, sleep: async (_milliseconds, signal) => signal?.throwIfAborted() } };
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
  #nextModelCall = 0;
  #opened = 0;
  /** The first difference. If a tool throws it, only the model receives it, so the next model call throws it again. */
  #mismatch: ReplayMismatchError | undefined;

  constructor(recording: RunRecording, options: ReplayOptions) {
    this.#recording = recording;
    this.#options = options;
    const { lines } = recording;
    this.#modelCalls = lines.flatMap((line) => ('llm' in line ? [line.llm] : []));
    this.#toolCalls = new Answers(lines.flatMap((line) => ('tool' in line ? [line.tool] : [])));
    this.#approvals = new Answers(lines.flatMap((line) => ('approval' in line ? [line.approval] : [])));
  }

  readonly llm: LlmClient = {
    call: async (request) => {
      const { parts, error } = this.#modelCall(request);
      for (const part of parts) if (part.type === 'completion') return part.completion;
      throw toError(error ?? noCompletion);
    },
    stream: (request) => this.#stream(request),
  };

  async *#stream(request: LlmRequest): AsyncGenerator<StreamPart, void, undefined> {
    const { parts, error } = this.#modelCall(request);
    for (const part of withText(parts)) {
      request.signal?.throwIfAborted();
      yield part;
    }
    if (error) throw toError(error);
  }

  readonly openTools: OpenTools = async () => {
    const { header, opened = [] } = this.#recording;
    const { tools, error } = opened[this.#opened] ?? opened.at(-1) ?? header;
    this.#opened += 1;
    if (error) throw toError(error);
    return { tools: tools.map((tool) => this.#tool(tool)), close: async () => undefined };
  };

  readonly approve: ApproveTool = async ({ tool, input }) => {
    const recorded = this.#approvals.take(tool.name, input);
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

  #modelCall(request: LlmRequest) {
    if (this.#mismatch) throw this.#mismatch;
    const number = this.#nextModelCall + 1;
    const recorded = this.#modelCalls[this.#nextModelCall];
    if (recorded === undefined) throw this.#endOfRecord();
    this.#nextModelCall += 1;
    const asked = toRecordedRequest(request);
    const now = this.#options.anyModel && recorded.request.model !== undefined ? { ...asked, model: recorded.request.model } : asked;
    const differences = describeDifferences(...withoutBudgetLimit(recorded.request, now));
    if (differences.length > 0) throw this.#differs(`Model call ${number} is not the one that was recorded`, differences);
    if (recorded.error?.code === 'cancelled' && this.#ended?.code === 'cancelled') this.#options.cancel();
    return recorded;
  }

  /** A recorded run that was cancelled or timed out between two calls ends here as it did then. */
  #endOfRecord(): Error {
    const ended = this.#ended;
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

  #tool(tool: RecordedTool): Tool {
    return { ...tool, call: (input, context) => this.#toolCall(tool.name, input, context) };
  }

  async #toolCall(name: string, input: JsonObject, { signal }: ToolContext): Promise<ToolOutcome> {
    const recorded = this.#toolCalls.take(name, input);
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
    const { validity_period_ms: _recorded, ...otherHints } = hints;
    const wasCalledAgain = this.#toolCalls.has(name, input);
    return { ...outcome, hints: { ...otherHints, ...(!wasCalledAgain && { validity_period_ms: Number.MAX_SAFE_INTEGER }) } };
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
    this.#mismatch ??= new ReplayMismatchError(`${sentence}${config} Record the run again, or undo the change.`, differences);
    return this.#mismatch;
  }
}

const noCompletion: RecordedError = { code: 'llm', reason: 'server', message: 'The record holds no completion of this model call.' };

/** Recorded answers to calls with the same name and input, each used once, in the order of the record. */
class Answers<Answer extends { readonly name: string; readonly input: JsonObject }> {
  readonly #byCall: ReadonlyMap<string, Answer[]>;
  readonly #all: readonly Answer[];

  constructor(answers: readonly Answer[]) {
    this.#all = answers;
    this.#byCall = groupBy(answers, ({ name, input }) => keyOf(name, input));
  }

  take(name: string, input: JsonObject): Answer | undefined {
    return this.#of(name, input)?.shift();
  }

  has(name: string, input: JsonObject): boolean {
    return (this.#of(name, input)?.length ?? 0) > 0;
  }

  /** A secret that was masked in the record may be unmasked in the input now: its key may be missing here. */
  #of(name: string, unmasked: JsonObject): Answer[] | undefined {
    const input = coverValue(unmasked);
    const same = this.#byCall.get(keyOf(name, input));
    if (same) return same;
    const isSame = (answer: Answer | undefined) => answer?.name === name && describeDifferences(answer.input, input).length === 0;
    return [...this.#byCall.values()].find(([first]) => isSame(first));
  }

  /** An unused answer for that name. */
  nearest(name: string): Answer | undefined {
    const unused = new Set([...this.#byCall.values()].flat());
    return this.#all.find((answer) => answer.name === name && unused.has(answer));
  }
}

function keyOf(name: string, input: JsonObject): string {
  return `${name} ${canonicalJson(input)}`;
}

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
