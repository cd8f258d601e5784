import type { RunResult } from '../agent/events.js';
import type { EditLog } from '../agent/gate.js';
import type { RunRequest, SessionStore } from '../agent/types.js';
import { AgentStackError, CancelledError } from '../errors.js';
import type { Json } from '../json.js';
import type { LlmClient, Message, StreamPart } from '../llm/types.js';
import type { KnownSecrets, MaybePromise } from '../ports.js';
import { coverJson, coverValue } from '../secrets/coverValue.js';
import type { ApproveTool, OpenTools, Tool } from '../tools/types.js';
import {
  coveredMessage,
  type RecordedCall,
  type RecordedError,
  type RecordHeader,
  type RecordLine,
  toRecordedError,
  toRecordedOutcome,
  toRecordedParts,
  toRecordedRequest,
  toRecordedTool,
} from './recordLines.js';

/** The connections of a run to the outside. */
export type RunConnections = Pick<RunRequest, 'llm' | 'openTools' | 'approve' | 'sessions' | 'isReplay' | 'edits'>;

/** Takes the lines of a record, in order, one call at a time. @throws StorageError */
export interface RecordWriter {
  append(text: string): MaybePromise<void>;
}

/** Records one run. */
export interface Recording {
  /** The run's connections, with every exchange recorded: a model or tool call is one line, written when it ends. */
  readonly connections: RunConnections;
  /** Writes the last line, how the run ended. @throws StorageError */
  end(result: RunResult): Promise<void>;
}

type RecordedAgent = Pick<RecordHeader, 'agent_name' | 'version' | 'snapshot_hash' | 'input' | 'overrides'>;

/**
 * Records a run as JSON Lines, from which `replayRun` can answer instead of models, tools, people and sessions. Secrets are masked by as many `*`
 * in the record; the run itself is unaffected.
 *
 * @param secrets to mask wherever they appear. Default: secrets are recognised by shape and field name only
 */
export function recordRun(agent: RecordedAgent, connections: RunConnections, writer: RecordWriter, secrets?: KnownSecrets): Recording {
  const lines = createLines({ ...agent, asks: connections.approve !== undefined }, inOrder(writer, secrets), secrets);
  return { connections: recordConnections(connections, lines), end: (result) => lines.add(endOf(result)) };
}

/** The same connections, with every exchange recorded. */
export function recordConnections({ llm, openTools, approve, sessions, edits }: RunConnections, lines: Lines): RunConnections {
  return {
    llm: recordModel(llm, lines),
    ...(openTools && { openTools: recordTools(openTools, lines) }),
    ...(approve && { approve: recordApproval(approve, lines) }),
    ...(sessions && { sessions: recordSession(sessions, lines) }),
    edits: { ...edits, ...recordEdits(lines) },
  };
}

export function endOf({ status, error }: RunResult): RecordLine {
  return { end: { status, error: error && { code: error.code, message: coverValue(error.message) } } };
}

/** Takes the lines of one agent. */
export interface Lines {
  /** The first line, once the tools are known. */
  begin(tools: readonly Tool[], error?: RecordedError): Promise<void>;
  add(line: RecordLine): Promise<void>;
  /** As in `recordRun`: a secret may span two parts of an answer. */
  readonly secrets: KnownSecrets | undefined;
}

/** Agents and tools answer concurrently: each line waits for the previous one, and a failed line fails all later ones. */
export function inOrder(writer: RecordWriter, secrets: KnownSecrets | undefined): (line: object) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (line) => {
    last = last.then(() => writer.append(`${coverJson(JSON.stringify(line), secrets)}\n`));
    return last;
  };
}

function createLines(
  agent: RecordedAgent & Pick<RecordHeader, 'asks'>,
  write: (line: object) => Promise<void>,
  secrets: KnownSecrets | undefined,
): Lines {
  let hasBegun = false;
  const begin: Lines['begin'] = (tools, error) => {
    hasBegun = true;
    return write({ format: 1, ...agent, tools: tools.map(toRecordedTool), ...(error && { error }) });
  };
  return {
    secrets,
    begin,
    async add(line) {
      if (!hasBegun && !('session' in line)) await begin([]);
      await write(line);
    },
  };
}

function recordModel(llm: LlmClient, lines: Lines): LlmClient {
  // A conversation grows, and each of its messages is masked only once.
  const masked = new WeakMap<Message, Json>();
  const coverMessage = (message: Message): Json => {
    const covered = masked.get(message) ?? coveredMessage(message);
    masked.set(message, covered);
    return covered;
  };
  return {
    async call(request) {
      const asked = toRecordedRequest(request, coverMessage);
      try {
        const completion = await llm.call(request);
        await lines.add({ llm: { request: asked, parts: toRecordedParts([{ type: 'completion', completion }], lines.secrets) } });
        return completion;
      } catch (error) {
        await lines.add({ llm: { request: asked, parts: [], error: toRecordedError(error) } });
        throw error;
      }
    },
    async *stream(request) {
      const asked = toRecordedRequest(request, coverMessage);
      const parts: StreamPart[] = [];
      let error: unknown = new CancelledError('The run was cancelled.');
      try {
        for await (const part of llm.stream(request)) {
          parts.push(part);
          if (part.type === 'completion') error = undefined;
          yield part;
        }
      } catch (thrown) {
        error = thrown;
        throw thrown;
      } finally {
        // Also when the reader of the answer leaves early.
        if (request.signal?.aborted) error ??= request.signal.reason;
        await lines.add({
          llm: {
            request: asked,
            parts: toRecordedParts(parts, lines.secrets),
            ...(error !== undefined && { error: toRecordedError(error) }),
          },
        });
      }
    },
  };
}

function recordTools(open: OpenTools, lines: Lines): OpenTools {
  return async (run) => {
    try {
      const set = await open(run);
      await lines.begin(set.tools);
      return { tools: set.tools.map((tool) => recordTool(tool, lines)), close: () => set.close() };
    } catch (error) {
      await lines.begin([], toRecordedError(error));
      throw error;
    }
  };
}

function recordTool(tool: Tool, lines: Lines): Tool {
  return {
    ...tool,
    async call(input, context) {
      const { signal } = context;
      const asked = { name: tool.name, input: coverValue(input) };
      let isOver = false;
      const over = async (line: RecordedCall) => {
        if (isOver) return;
        isOver = true;
        await lines.add({ tool: line });
      };
      // A tool that ignores its signal may never answer, and an answer after the abort is ignored.
      const onAbort = () => void over({ ...asked, ...abandoned(signal.reason) }).catch(() => undefined);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        const outcome = await tool.call(input, context);
        await over({ ...asked, outcome: toRecordedOutcome(outcome) });
        return outcome;
      } catch (error) {
        await over({ ...asked, error: toRecordedError(error) });
        throw error;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

/** A call that was abandoned because the run ended; when the tool's time limit ends it, the model receives an error. */
function abandoned(reason: unknown): Pick<RecordedCall, 'abandoned' | 'error'> {
  if (reason instanceof CancelledError) return { abandoned: 'cancelled' };
  return reason instanceof AgentStackError ? { abandoned: 'timeout' } : { error: toRecordedError(reason) };
}

function recordApproval(approve: ApproveTool, lines: Lines): ApproveTool {
  return async (request) => {
    const asked = { name: request.tool.name, input: coverValue(request.input) };
    try {
      const answer = await approve(request);
      await lines.add({ approval: { ...asked, answer } });
      return answer;
    } catch (error) {
      await lines.add({ approval: { ...asked, error: toRecordedError(error) } });
      throw error;
    }
  };
}

/** What a person changed: in the order of the exchanges, so that a replay knows between which calls it was. */
export function recordEdits({ add }: Pick<Lines, 'add'>): EditLog {
  return {
    keep: (place, { messages, ...changed }) => {
      const covered = messages?.map((message) => message && (coveredMessage(message) as unknown as Message));
      return add({ edit: { ...place, change: { ...changed, ...(covered && { messages: covered }) } } });
    },
  };
}

function recordSession(sessions: SessionStore, lines: Lines): SessionStore {
  return {
    async load(session_id) {
      const messages = await sessions.load(session_id);
      await lines.add({ session: { session_id, messages: messages.map((message) => coveredMessage(message) as unknown as Message) } });
      return messages;
    },
    append: (...message) => sessions.append(...message),
  };
}
