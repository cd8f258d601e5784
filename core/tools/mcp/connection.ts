import type { ServerCapabilities, SubscriptionFilter, Transport } from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject } from '../../json.js';
import type { LogLevel, Ports } from '../../ports.js';
import { shorten } from '../../words.js';
import { type Cover, createCover } from './coverValues.js';
import { createHttpTransport, lostCode } from './httpTransport.js';
import { deepest, stoppedWords } from './limits.js';
import type { ListedTool } from './lock.js';
import { McpFailure } from './mcpFailure.js';
import type * as McpSdk from './mcpSdk.js';
import type { ResolvedServer } from './resolveServer.js';
import { type AnswerServer, questionFields } from './serverQuestion.js';
import { StdioTransport } from './stdioTransport.js';
import { withinTime } from './timeLimit.js';

export interface RequestOptions {
  readonly signal: AbortSignal;
  /** Longest time, in ms. */
  readonly timeout_ms: number;
}

/** A server that is connected: its revision of MCP is known. */
export interface McpConnection {
  /** The revision of MCP that both speak: `2026-07-28`, for example. */
  readonly protocol: string;
  /** Its capabilities. */
  readonly offers: { readonly tools: boolean; readonly prompts: boolean; readonly resources: boolean };
  /** Why it is closed, as a phrase after "The server"; undefined while it is open. */
  readonly end: string | undefined;
  /** The result, with the server's secrets masked. @throws McpFailure, or the signal's reason */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>;
  /** The result of `tools/call`, as of `request`. */
  callTool(tool: ListedTool, input: JsonObject, options: RequestOptions): Promise<JsonObject>;
  /** Ends the server, within a time limit. Safe to call again. */
  close(): Promise<void>;
}

export interface ConnectOptions extends RequestOptions {
  readonly ports: Pick<Ports, 'processes' | 'fetch' | 'clock'>;
  /** The revision that it spoke last, if known: a server of before 2026-07-28 is not asked whether it speaks that one. */
  readonly protocol?: string | undefined;
  /** Asks the user what the server wants to know during a call. Without it, servers are told that nobody can be asked. */
  readonly answer?: AnswerServer | undefined;
  readonly client_id: string;
  /** Log of the server and the connection, without secrets. */
  readonly log: (level: LogLevel, message: string) => void;
  /** Called when the server reports that one of its lists changed. */
  readonly onListChanged: () => void;
}

/** The first revision without `initialize` (https://modelcontextprotocol.io/specification/2026-07-28). Revisions compare as text. */
const firstWithoutSession = '2026-07-28';
/** How long a program may think about `server/discover` before it counts as one of before 2026-07-28, in ms. */
const longestProbe = 20_000;

/**
 * Starts a server, or connects to it, in the newest revision of MCP that both speak. The SDK is loaded by the first call.
 *
 * @throws McpFailure if that fails, after the server has ended; or the signal's reason
 */
export async function connectServer(server: ResolvedServer, options: ConnectOptions): Promise<McpConnection> {
  const isOld = options.protocol !== undefined && options.protocol < firstWithoutSession;
  try {
    return await connect(server, options, isOld);
  } catch (error) {
    if (!(isOld ? mayBeNew(error) : mayBeOld(error))) throw error;
    return connect(server, options, !isOld);
  }
}

/** Some servers of before 2026-07-28 end at any message before `initialize`, or answer with something else than an error. */
function mayBeOld(error: unknown): boolean {
  if (!(error instanceof McpFailure)) return false;
  return error.reason === 'ended' || (isObject(error.cause) && error.cause.code === 'ERA_NEGOTIATION_FAILED');
}

/** A server that is newer than the lock says refuses `initialize`, or ends at it. */
function mayBeNew(error: unknown): boolean {
  return error instanceof McpFailure && (error.reason === 'ended' || error.reason === 'refused');
}

async function connect({ target, values, secrets }: ResolvedServer, options: ConnectOptions, isOld: boolean): Promise<McpConnection> {
  const { signal, timeout_ms, onListChanged } = options;
  const { McpClient, anyResult } = await import('./mcpSdk.js');
  signal.throwIfAborted();
  const cover = createCover(values);
  // Masked before it is cut: otherwise, half of a secret could remain.
  const log = (level: LogLevel, message: string) => options.log(level, shorten(cover.text(message), 1000, '...'));
  const client = new McpClient(
    { name: 'agent-stack', version: process.env.AGENT_STACK_VERSION ?? '0' },
    {
      ...(options.answer && { capabilities: { elicitation: { form: {} } } }),
      versionNegotiation: { mode: isOld ? 'legacy' : 'auto', probe: { timeoutMs: Math.min(timeout_ms / 2, longestProbe) } },
      // Results are checked here, so the SDK needs no validator.
      jsonSchemaValidator: { getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }) },
    },
  );
  client.onerror = (error) => log('debug', `connection: ${error.message}`);
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (/^notifications\/(?:tools|prompts|resources)\/list_changed$/.test(method)) onListChanged();
    else if (method === 'notifications/message') log(...logged(params));
  };
  const transport = await open(target, options, cover);
  const connection = new Connection(client, cover.text, {
    anyResult,
    results: createCover(secrets),
    transport,
    clock: options.ports.clock,
    log,
  });
  if (options.answer) connection.answerWith(options.answer, options.client_id);
  try {
    await connection.connect({ signal, timeout_ms });
  } catch (error) {
    await connection.close();
    throw error;
  }
  connection.listen();
  return connection;
}

/** Ends the server when it closes. */
interface ServerTransport extends Transport {
  /** Why it closed, as a phrase after "The server"; undefined while it is open. */
  readonly end: string | undefined;
  /** Whether the program ended by itself. */
  readonly hasEnded?: boolean;
}

async function open(target: ResolvedServer['target'], { ports, log }: ConnectOptions, cover: Cover): Promise<ServerTransport> {
  if (target.type === 'http') return createHttpTransport(target, ports);
  const { command, args, env, cwd } = target;
  if (ports.processes === undefined) throw new Error('A server with a command was resolved without a port for processes.');
  const process = ports.processes.start({ command, args, env, cwd });
  return new StdioTransport(process, { log, cover, clock: ports.clock });
}

interface ConnectionParts {
  readonly anyResult: typeof McpSdk.anyResult;
  /** Masks the server's secrets in its answers. */
  readonly results: Cover;
  readonly transport: ServerTransport;
  readonly clock: Ports['clock'];
  readonly log: ConnectOptions['log'];
}

class Connection implements McpConnection {
  readonly #client: McpSdk.McpClient;
  readonly #cover: (text: string) => string;
  readonly #parts: ConnectionParts;
  #end: string | undefined;
  /** Questions to the user that are not answered yet. */
  #asked = 0;

  constructor(client: McpSdk.McpClient, cover: (text: string) => string, parts: ConnectionParts) {
    this.#client = client;
    this.#cover = cover;
    this.#parts = parts;
  }

  get protocol(): string {
    return this.#client.getNegotiatedProtocolVersion() ?? '';
  }

  get offers() {
    const { tools, prompts, resources } = this.#capabilities;
    return { tools: tools !== undefined, prompts: prompts !== undefined, resources: resources !== undefined };
  }

  get #capabilities(): ServerCapabilities {
    return this.#client.getServerCapabilities() ?? {};
  }

  get end(): string | undefined {
    const end = this.#end ?? this.#parts.transport.end;
    return end && this.#cover(end);
  }

  /** The SDK's limits end with the answer to `initialize`; these hold until the server has received the last message. */
  async connect(options: RequestOptions): Promise<void> {
    await this.#within(options, (limits) => this.#client.connect(this.#parts.transport, limits));
  }

  /** While the user is asked, no time limit runs. */
  answerWith(answer: AnswerServer, client_id: string): void {
    this.#client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq: { signal } }) => {
      const fields = 'requestedSchema' in params ? questionFields(params.requestedSchema as unknown as Json) : undefined;
      if (fields === undefined) return { action: 'decline' };
      this.#asked += 1;
      try {
        const content = await answer({ client_id, message: this.#cover(params.message).slice(0, 1000), fields, signal });
        return typeof content === 'string' ? { action: content } : { action: 'accept', content: content as Record<string, string> };
      } finally {
        this.#asked -= 1;
      }
    });
  }

  /** Asks for the notifications of changed lists, which a server of before 2026-07-28 sends unasked. Without an answer there are none. */
  listen(): void {
    if (this.protocol < firstWithoutSession) return;
    const { tools, prompts, resources } = this.#capabilities;
    const filter: SubscriptionFilter = {
      ...(tools?.listChanged && { toolsListChanged: true }),
      ...(prompts?.listChanged && { promptsListChanged: true }),
      ...(resources?.listChanged && { resourcesListChanged: true }),
    };
    if (Object.keys(filter).length === 0) return;
    this.#client.listen(filter).catch((error: unknown) => this.#parts.log('debug', `subscriptions/listen: ${String(error)}`));
  }

  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    return this.#result(options, (limits) => this.#client.request({ method, params }, this.#parts.anyResult, limits));
  }

  callTool({ name, description, parameters }: ListedTool, input: JsonObject, options: RequestOptions): Promise<JsonObject> {
    const onprogress = ({ progress, total, message }: { progress: number; total?: number | undefined; message?: string | undefined }) => {
      const share = total === undefined ? `${progress}` : `${progress} of ${total}`;
      this.#parts.log('debug', `progress of tools/call: ${share}${message === undefined ? '' : `, ${message}`}`);
    };
    // The input schema says which arguments the server wants as headers.
    const toolDefinition = { name, description, inputSchema: parameters as { type: 'object' } };
    return this.#result(options, (limits) => this.#client.callTool({ name, arguments: input }, { ...limits, onprogress, toolDefinition }));
  }

  async #result(options: RequestOptions, send: (limits: Limits) => Promise<unknown>): Promise<JsonObject> {
    const result = await this.#within(options, send);
    if (!isObject(result) || isDeep(result)) throw new McpFailure('refused', `its answer is nested deeper than ${deepest} levels`);
    return this.#parts.results.json(result) as JsonObject;
  }

  async close(): Promise<void> {
    await this.#parts.transport.close();
    await this.#client.close();
  }

  async #within<T>({ signal, timeout_ms }: RequestOptions, send: (limits: Limits) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.end !== undefined) throw new McpFailure('closed', this.end);
    try {
      const { clock } = this.#parts;
      const isPaused = () => this.#asked > 0;
      return await withinTime({ signal, timeout_ms, clock, isPaused }, (requestSignal) =>
        send({ signal: requestSignal, timeout: noTimeout }),
      );
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof McpFailure ? error : await this.#failure(error);
    }
  }

  async #failure(error: unknown): Promise<McpFailure> {
    const { SdkHttpError, ProtocolError, SdkError } = await import('./mcpSdk.js');
    const status = error instanceof SdkHttpError ? error.status : undefined;
    const isAnswered = error instanceof ProtocolError && error.code !== lostCode;
    const message = error instanceof Error ? error.message : String(error);
    const said = error instanceof SdkHttpError && typeof error.data.text === 'string' ? error.data.text : message;
    const words = shorten(wordsOf(this.#cover(said), status), 1000, '...');
    const { end } = this;
    // If we closed a connection that could not be made, that is not the cause.
    if (
      end !== undefined &&
      !isAnswered &&
      status === undefined &&
      (end !== stoppedWords || (error instanceof SdkError && error.code === 'CONNECTION_CLOSED'))
    ) {
      return new McpFailure(this.#parts.transport.hasEnded ? 'ended' : 'closed', end, error);
    }
    // JSON-RPC errors and HTTP statuses are answers, and so is what the SDK found invalid. A session that the server no longer knows is opened again.
    const isInvalid = error instanceof SdkError && invalidAnswers.has(error.code);
    if (isAnswered || isInvalid || (status !== undefined && status !== forgottenSession)) return new McpFailure('refused', words, error);
    const isForgotten = status === forgottenSession && this.#parts.transport.sessionId !== undefined;
    const isLost = error instanceof ProtocolError;
    this.#end = isForgotten ? 'has forgotten the session' : `${isLost ? 'lost the connection' : 'cannot be reached'}: ${words}`;
    void this.close();
    return new McpFailure(isForgotten ? 'forgotten' : 'closed', this.#end, error);
  }
}

interface Limits {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/** Time limits are enforced here; the SDK's limit cannot be switched off, so it gets the maximum of a timer, in ms. */
const noTimeout = 2 ** 31 - 1;
/** HTTP status for an expired session, sent before anything is executed (MCP, "Session Management"). */
const forgottenSession = 404;
/** The SDK's codes for answers that are not what the protocol says. */
const invalidAnswers = new Set(['INVALID_RESULT', 'UNSUPPORTED_RESULT_TYPE', 'INPUT_REQUIRED_ROUNDS_EXCEEDED', 'CAPABILITY_NOT_SUPPORTED']);

function wordsOf(message: string, status: number | undefined): string {
  if (status === undefined) return message;
  const advice = status === 401 || status === 403 ? ' Check its headers in mcp.json.' : '';
  return `HTTP status ${status}${message === '' || message === 'null' ? '' : `, ${message.trim().slice(0, 200)}`}.${advice}`;
}

const levels: Readonly<Record<string, LogLevel>> = { debug: 'debug', info: 'info', notice: 'info', warning: 'warn' };

/** The log level for a server's level: every level above warning is an error. */
function logged(params: unknown): [LogLevel, string] {
  const { level, data } = isObject(params) ? params : {};
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  return [typeof level === 'string' ? (levels[level] ?? 'error') : 'info', text];
}

/** Iterates level by level, so that deep nesting cannot exhaust the call stack. */
function isDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; depth <= deepest; depth += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? (Object.values(item) as readonly Json[]) : []));
    if (level.length === 0) return false;
  }
  return true;
}
