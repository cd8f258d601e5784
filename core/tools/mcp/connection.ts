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
  /** What it offers. */
  readonly offers: { readonly tools: boolean; readonly prompts: boolean; readonly resources: boolean };
  /** Why it is closed, in words that follow "The server"; undefined while it is open. */
  readonly end: string | undefined;
  /** What it answers has none of its secrets in it. @throws McpFailure, or the signal's reason */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>;
  /** Ends the server. Bounded, and safe to call again. */
  close(): Promise<void>;
}

export interface ConnectOptions extends RequestOptions {
  readonly ports: Pick<Ports, 'processes' | 'fetch' | 'clock'>;
  /** What the server and the connection say, with nothing secret in it. */
  readonly log: (level: LogLevel, message: string) => void;
  /** The server says that one of its lists is not what it was. */
  readonly onListChanged: () => void;
}

/**
 * Starts a server, or connects to it, and asks what it offers. The SDK is loaded by the first call.
 *
 * @throws McpFailure when it cannot be had, with the server ended; or the signal's reason
 */
export async function connectServer({ target, values, secrets }: ResolvedServer, options: ConnectOptions): Promise<McpConnection> {
  const { signal, timeout_ms, onListChanged } = options;
  const { Client, ResultSchema: schema } = await import('./mcpSdk.js');
  signal.throwIfAborted();
  const cover = createCover(values);
  // Covered before it is cut, or half of a secret would be left.
  const log = (level: LogLevel, message: string) => options.log(level, shorten(cover.text(message), 1000, '...'));
  // Results are checked by us, so the SDK needs no validator of its own.
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
  /** Why it closed, in words that follow "The server"; undefined while it is open. */
  readonly end: string | undefined;
}

async function open(target: ResolvedServer['target'], { ports, log }: ConnectOptions, cover: Cover): Promise<ServerTransport> {
  if (target.type === 'http') return createHttpTransport(target, ports);
  const { command, args, env, cwd } = target;
  if (ports.processes === undefined) throw new Error('A server with a command was resolved where no program can be started.');
  const process = ports.processes.start({ command, args, env, cwd });
  return new StdioTransport(process, { log, cover, clock: ports.clock });
}

interface ConnectionParts {
  readonly schema: typeof ResultSchema;
  /** Takes the server's secrets out of what it answers. */
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

  /** The SDK's limits end with the answer to `initialize`; ours hold until the server has taken the last message. */
  async connect(options: RequestOptions): Promise<void> {
    await this.#within(options, (given) => this.#client.connect(this.#parts.transport, given));
  }

  async request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    const onprogress = ({ progress, total, message }: { progress: number; total?: number | undefined; message?: string | undefined }) => {
      const share = total === undefined ? `${progress}` : `${progress} of ${total}`;
      this.#parts.log('debug', `progress of ${method}: ${share}${message === undefined ? '' : `, ${message}`}`);
    };
    // Only the outermost level is checked and copied by the SDK, so that no name in a result gets lost; the rest is ours to judge.
    const { schema, results } = this.#parts;
    const request = { method, params } as unknown as ClientRequest;
    const result: unknown = await this.#within(options, (given) =>
      this.#client.request(request, schema, method === 'tools/call' ? { ...given, onprogress } : given),
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
    send: (given: { signal: AbortSignal; timeout: number }) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    if (this.end !== undefined) throw new McpFailure('closed', this.end);
    try {
      const { clock } = this.#parts;
      return await withinTime({ signal, timeout_ms, clock }, (own) => send({ signal: own, timeout: noTimeout }));
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
    // Our own end of a connection that could not be made is not why.
    const isClosed = end !== undefined && (end !== stoppedWords || code === closedCode);
    if (isClosed && (code === undefined || code === closedCode)) return new McpFailure('closed', end, error);
    // JSON-RPC errors and HTTP statuses are answers. A session that the server has forgotten is opened again.
    const isAnswer = status === undefined ? code !== undefined && code !== lostCode : status !== forgottenSession && status !== noAnswer;
    if (isAnswer) return new McpFailure('refused', words, error);
    const isForgotten = status === forgottenSession && this.#parts.transport.sessionId !== undefined;
    this.#end = isForgotten ? 'has forgotten the session' : `${code === lostCode ? 'lost the connection' : 'cannot be reached'}: ${words}`;
    void this.close();
    return new McpFailure(isForgotten ? 'forgotten' : 'closed', this.#end, error);
  }
}

/** The time limits are ours; the SDK always has one, whose longest is that of a timer, in ms. */
const noTimeout = 2 ** 31 - 1;
/** The SDK's code for a connection that has closed; servers use the same number for errors of theirs. */
const closedCode = -32000;
/** HTTP's status for a session that has expired, before anything is carried out (MCP, "Session Management"). */
const forgottenSession = 404;
/** What the SDK gives for the status of an answer that is none of MCP. */
const noAnswer = -1;
const httpError = 'Streamable HTTP error: ';

/** Of an error of the HTTP transport; its code is no other than that of JSON-RPC. */
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

/** Our log level for a server's: every level above warning is an error. */
function logged(params: unknown): [LogLevel, string] {
  const { level, data } = isObject(params) ? params : {};
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  return [typeof level === 'string' ? (levels[level] ?? 'error') : 'info', text];
}

/** Level by level, so that no nesting is too deep for the call stack. */
function isDeep(value: Json): boolean {
  let level: readonly Json[] = [value];
  for (let depth = 0; depth <= deepest; depth += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? (Object.values(item) as readonly Json[]) : []));
    if (level.length === 0) return false;
  }
  return true;
}
