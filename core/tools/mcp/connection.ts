import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ClientRequest, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import type { LogLevel, Ports } from '../../ports.js';
import { shorten } from '../../words.js';
import { type Cover, createCover } from './coverValues.js';
import { createHttpTransport, lostCode } from './httpTransport.js';
import { deepest, stoppedWords } from './limits.js';
import { McpFailure } from './mcpFailure.js';
import type { ResolvedServer } from './resolveServer.js';
import { StdioTransport } from './stdioTransport.js';
import { withinTime } from './timeLimit.js';

export interface RequestOptions {
  readonly signal: AbortSignal;
  /** Longest time, in ms. */
  readonly timeout_ms: number;
}

/** A server that has answered `initialize`. */
export interface McpConnection {
  /** Its capabilities. */
  readonly offers: { readonly tools: boolean; readonly prompts: boolean; readonly resources: boolean };
  /** Why it is closed, as a phrase after "The server"; undefined while it is open. */
  readonly end: string | undefined;
  /** The result, with the server's secrets masked. @throws McpFailure, or the signal's reason */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>;
  /** Ends the server, within a time limit. Safe to call again. */
  close(): Promise<void>;
}

export interface ConnectOptions extends RequestOptions {
  readonly ports: Pick<Ports, 'processes' | 'fetch' | 'clock'>;
  /** Log of the server and the connection, without secrets. */
  readonly log: (level: LogLevel, message: string) => void;
  /** Called when the server reports that one of its lists changed. */
  readonly onListChanged: () => void;
}

/**
 * Starts a server, or connects to it, and initialises the session. The SDK is loaded by the first call.
 *
 * @throws McpFailure if that fails, after the server has ended; or the signal's reason
 */
export async function connectServer({ target, values, secrets }: ResolvedServer, options: ConnectOptions): Promise<McpConnection> {
  const { signal, timeout_ms, onListChanged } = options;
  const { Client, ResultSchema: schema } = await import('./mcpSdk.js');
  signal.throwIfAborted();
  const cover = createCover(values);
  // Masked before it is cut: otherwise, half of a secret could remain.
  const log = (level: LogLevel, message: string) => options.log(level, shorten(cover.text(message), 1000, '...'));
  // Results are checked here, so the SDK needs no validator.
  const client = new Client(
    { name: 'agent-stack', version: process.env.AGENT_STACK_VERSION ?? '0' },
    { jsonSchemaValidator: { getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }) } },
  );
  client.onerror = (error) => log('debug', `connection: ${error.message}`);
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (/^notifications\/(?:tools|prompts|resources)\/list_changed$/.test(method)) onListChanged();
    else if (method === 'notifications/message') log(...logged(params));
  };
  const transport = await open(target, options, cover);
  const connection = new Connection(client, cover.text, {
    schema,
    results: createCover(secrets),
    transport,
    clock: options.ports.clock,
    log,
  });
  try {
    await connection.connect({ signal, timeout_ms });
  } catch (error) {
    await connection.close();
    throw error;
  }
  return connection;
}

/** Ends the server when it closes. */
interface ServerTransport extends Transport {
  /** Why it closed, as a phrase after "The server"; undefined while it is open. */
  readonly end: string | undefined;
}

async function open(target: ResolvedServer['target'], { ports, log }: ConnectOptions, cover: Cover): Promise<ServerTransport> {
  if (target.type === 'http') return createHttpTransport(target, ports);
  const { command, args, env, cwd } = target;
  if (ports.processes === undefined) throw new Error('A server with a command was resolved without a port for processes.');
  const process = ports.processes.start({ command, args, env, cwd });
  return new StdioTransport(process, { log, cover, clock: ports.clock });
}

interface ConnectionParts {
  readonly schema: typeof ResultSchema;
  /** Masks the server's secrets in its answers. */
  readonly results: Cover;
  readonly transport: ServerTransport;
  readonly clock: Ports['clock'];
  readonly log: ConnectOptions['log'];
}

class Connection implements McpConnection {
  readonly #client: Client;
  readonly #cover: (text: string) => string;
  readonly #parts: ConnectionParts;
  #end: string | undefined;

  constructor(client: Client, cover: (text: string) => string, parts: ConnectionParts) {
    this.#client = client;
    this.#cover = cover;
    this.#parts = parts;
  }

  get offers() {
    const { tools, prompts, resources } = this.#client.getServerCapabilities() ?? {};
    return { tools: tools !== undefined, prompts: prompts !== undefined, resources: resources !== undefined };
  }

  get end(): string | undefined {
    const end = this.#end ?? this.#parts.transport.end;
    return end && this.#cover(end);
  }

  /** The SDK's limits end with the answer to `initialize`; these hold until the server has received the last message. */
  async connect(options: RequestOptions): Promise<void> {
    await this.#within(options, (limits) => this.#client.connect(this.#parts.transport, limits));
  }

  async request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    const onprogress = ({ progress, total, message }: { progress: number; total?: number | undefined; message?: string | undefined }) => {
      const share = total === undefined ? `${progress}` : `${progress} of ${total}`;
      this.#parts.log('debug', `progress of ${method}: ${share}${message === undefined ? '' : `, ${message}`}`);
    };
    // The SDK checks and copies only the outermost level, so that no name in a result gets lost; the rest is checked here.
    const { schema, results } = this.#parts;
    const request = { method, params } as unknown as ClientRequest;
    const result: unknown = await this.#within(options, (limits) =>
      this.#client.request(request, schema, method === 'tools/call' ? { ...limits, onprogress } : limits),
    );
    if (!isObject(result) || isDeep(result)) throw new McpFailure('refused', `its answer is nested deeper than ${deepest} levels`);
    return results.json(result) as JsonObject;
  }

  async close(): Promise<void> {
    await this.#parts.transport.close();
    await this.#client.close();
  }

  async #within<T>(
    { signal, timeout_ms }: RequestOptions,
    send: (limits: { signal: AbortSignal; timeout: number }) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    if (this.end !== undefined) throw new McpFailure('closed', this.end);
    try {
      const { clock } = this.#parts;
      return await withinTime({ signal, timeout_ms, clock }, (requestSignal) => send({ signal: requestSignal, timeout: noTimeout }));
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof McpFailure ? error : this.#failure(error);
    }
  }

  #failure(error: unknown): McpFailure {
    const code = isCoded(error) ? error.code : undefined;
    const status = httpStatus(error);
    const words = shorten(wordsOf(this.#cover(error instanceof Error ? error.message : String(error)), status), 1000, '...');
    const { end } = this;
    // If we closed a connection that could not be made, that is not the cause.
    const isClosed = end !== undefined && (end !== stoppedWords || code === closedCode);
    if (isClosed && (code === undefined || code === closedCode)) return new McpFailure('closed', end, error);
    // JSON-RPC errors and HTTP statuses are answers. A session that the server no longer knows is opened again.
    const isAnswer = status === undefined ? code !== undefined && code !== lostCode : status !== forgottenSession && status !== noAnswer;
    if (isAnswer) return new McpFailure('refused', words, error);
    const isForgotten = status === forgottenSession && this.#parts.transport.sessionId !== undefined;
    this.#end = isForgotten ? 'has forgotten the session' : `${code === lostCode ? 'lost the connection' : 'cannot be reached'}: ${words}`;
    void this.close();
    return new McpFailure(isForgotten ? 'forgotten' : 'closed', this.#end, error);
  }
}

/** Time limits are enforced here; the SDK's limit cannot be switched off, so it gets the maximum of a timer, in ms. */
const noTimeout = 2 ** 31 - 1;
/** The SDK's code for a closed connection; servers use the same number for their own errors. */
const closedCode = -32000;
/** HTTP status for an expired session, sent before anything is executed (MCP, "Session Management"). */
const forgottenSession = 404;
/** The SDK's status for an answer that is not MCP. */
const noAnswer = -1;
const httpError = 'Streamable HTTP error: ';

/** Status of an error of the HTTP transport, whose code looks like one of JSON-RPC. */
function httpStatus(error: unknown): number | undefined {
  return isCoded(error) && error.message.startsWith(httpError) ? error.code : undefined;
}

function wordsOf(message: string, status: number | undefined): string {
  const words = message.replace(httpError, '').replace(/^(?:MCP error -?\d+: |Error POSTing to endpoint: )+/, '');
  if (status === undefined || status === noAnswer) return words;
  const advice = status === 401 || status === 403 ? ' Check its headers in mcp.json.' : '';
  return `HTTP status ${status}${words === '' || words === 'null' ? '' : `, ${words.trim().slice(0, 200)}`}.${advice}`;
}

function isCoded(error: unknown): error is Error & { code: number } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
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
