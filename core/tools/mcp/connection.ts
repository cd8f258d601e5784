// biome-ignore lint/style/noRestrictedImports: a part of the SDK, no face of ours.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ClientRequest, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import type { LogLevel, Ports } from '../../ports.js';
import { createCover } from './coverValues.js';
import { closedCode, createHttpTransport } from './httpTransport.js';
import { deepest } from './limits.js';
import type { ResolvedServer } from './resolveServer.js';
import { StdioTransport, stoppedWords } from './stdioTransport.js';

/**
 * Why a request to a server has no answer. `closed`: the connection is gone. `timeout`: it took too long. `refused`: the server answered with
 * an error, or with something that is none of ours.
 */
export class McpFailure extends Error {
  override readonly name = 'McpFailure';
  readonly reason: 'closed' | 'timeout' | 'refused';

  constructor(reason: McpFailure['reason'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

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
  /** @throws McpFailure, or the signal's reason; what a server says in an error has no secret in it */
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
export async function connectServer({ target, values }: ResolvedServer, options: ConnectOptions): Promise<McpConnection> {
  const { signal, timeout_ms, onListChanged } = options;
  // biome-ignore lint/style/noRestrictedImports: a part of the SDK, no face of ours.
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const { ResultSchema: schema } = await import('@modelcontextprotocol/sdk/types.js');
  signal.throwIfAborted();
  const cover = createCover(values);
  const log = (level: LogLevel, message: string) => options.log(level, cover.text(message));
  // Results are checked by us, so the SDK needs no validator of its own.
  const client = new Client(
    { name: 'agent-stack', version: process.env.AGENT_STACK_VERSION ?? '0' },
    { jsonSchemaValidator: { getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }) } },
  );
  client.onerror = (error) => log('debug', `connection: ${short(error.message)}`);
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (/^notifications\/(?:tools|prompts|resources)\/list_changed$/.test(method)) onListChanged();
    else if (method === 'notifications/message') log(...logged(params));
  };
  let stopped = false;
  const { transport, endOf, close } = await open(target, options, log);
  const connection = new Connection(client, cover.text, {
    schema,
    endOf: () => endOf() ?? (stopped ? stoppedWords : undefined),
    close: async () => {
      stopped = true;
      await close();
    },
    log,
  });
  try {
    await connection.connect(transport, { signal, timeout_ms });
  } catch (error) {
    await connection.close();
    throw error;
  }
  return connection;
}

async function open(target: ResolvedServer['target'], { ports }: ConnectOptions, log: ConnectOptions['log']) {
  if (target.type === 'http') {
    const http = await createHttpTransport(target, ports);
    return { transport: http.transport, endOf: () => undefined, close: http.close };
  }
  const { command, args, env, cwd } = target;
  if (ports.processes === undefined) throw new Error('A server with a command was resolved where no program can be started.');
  const process = ports.processes.start({ command, args, env, cwd });
  const transport = new StdioTransport(process, { log, clock: ports.clock });
  return { transport, endOf: () => transport.end, close: () => transport.close() };
}

interface ConnectionParts {
  readonly schema: typeof ResultSchema;
  readonly endOf: () => string | undefined;
  readonly close: () => Promise<void>;
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
    const end = this.#end ?? this.#parts.endOf();
    return end && this.#cover(end);
  }

  async connect(transport: Parameters<Client['connect']>[0], options: RequestOptions): Promise<void> {
    await this.#within(options, (given) => this.#client.connect(transport, given));
  }

  async request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
    const onprogress = ({ progress, total, message }: { progress: number; total?: number | undefined; message?: string | undefined }) => {
      const share = total === undefined ? `${progress}` : `${progress} of ${total}`;
      this.#parts.log('debug', short(`progress of ${method}: ${share}${message === undefined ? '' : `, ${message}`}`));
    };
    // Only the outermost level is checked and copied by the SDK, so that no name in a result gets lost; the rest is ours to judge.
    const { schema } = this.#parts;
    const request = { method, params } as unknown as ClientRequest;
    const result: unknown = await this.#within(options, (given) =>
      this.#client.request(request, schema, method === 'tools/call' ? { ...given, onprogress } : given),
    );
    if (!isObject(result) || isDeep(result)) throw new McpFailure('refused', `its answer is nested deeper than ${deepest} levels`);
    return result;
  }

  async close(): Promise<void> {
    await this.#parts.close();
    await this.#client.close();
  }

  /** The SDK never lets go of a signal, so each request has one of its own. */
  async #within<T>(
    { signal, timeout_ms }: RequestOptions,
    send: (given: { signal: AbortSignal; timeout: number }) => Promise<T>,
  ): Promise<T> {
    signal.throwIfAborted();
    if (this.end !== undefined) throw new McpFailure('closed', this.end);
    const own = new AbortController();
    const abort = () => own.abort('The run no longer needs it.');
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await send({ signal: own.signal, timeout: timeout_ms });
    } catch (error) {
      signal.throwIfAborted();
      throw this.#failure(error, timeout_ms);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  #failure(error: unknown, timeout_ms: number): McpFailure {
    const code = isCoded(error) ? error.code : undefined;
    if (code === timeoutCode) return new McpFailure('timeout', `did not answer within ${timeout_ms} ms`, error);
    const words = this.#cover(short(wordsOf(error, code)));
    // JSON-RPC errors and HTTP statuses are answers. A session that the server has forgotten is opened again.
    const isAnswer = code !== undefined && code !== closedCode && code !== forgottenSession && code !== noAnswer;
    if (isAnswer) return new McpFailure('refused', words, error);
    const { end } = this;
    // Our own end of a connection that could not be made is not why.
    if (end !== undefined && (end !== stoppedWords || code === closedCode)) return new McpFailure('closed', end, error);
    this.#end = words === '' ? 'closed the connection' : `cannot be reached: ${words}`;
    void this.close();
    return new McpFailure('closed', this.#end, error);
  }
}

const timeoutCode = -32001;
/** HTTP's status for it. */
const forgottenSession = 404;
/** The SDK's code for an answer of another type than the protocol has. */
const noAnswer = -1;

function wordsOf(error: unknown, code: number | undefined): string {
  const words =
    error instanceof Error
      ? error.message.replace(/^(?:MCP error -?\d+: |Streamable HTTP error: |Error POSTing to endpoint: )+/, '')
      : String(error);
  if (code === undefined || code < 100 || 599 < code) return words;
  const advice = code === 401 || code === 403 ? ' Check its headers in mcp.json.' : '';
  return `HTTP status ${code}${words === '' || words === 'null' ? '' : `, ${words.trim().slice(0, 200)}`}.${advice}`;
}
function isCoded(error: unknown): error is Error & { code: number } {
  return error instanceof Error && 'code' in error && typeof error.code === 'number';
}

function short(text: string): string {
  return text.length > 1000 ? `${text.slice(0, 1000)}...` : text;
}

const levels: Readonly<Record<string, LogLevel>> = { debug: 'debug', info: 'info', notice: 'info', warning: 'warn' };

/** A log message of a server, in our words: whatever it sends above a warning is an error. */
function logged(params: unknown): [LogLevel, string] {
  const { level, data } = isObject(params) ? params : {};
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  return [typeof level === 'string' ? (levels[level] ?? 'error') : 'info', short(text)];
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
