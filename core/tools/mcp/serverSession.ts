import { abortable } from '../../abort.js';
import type { McpServer } from '../../generated/types.js';
import type { JsonObject } from '../../json.js';
import type { LogLevel, Ports } from '../../ports.js';
import { loadSchemaCompiler, type SchemaCompiler } from '../../schema/schemaCompiler.js';
import { coverSecrets } from '../../secrets/secretPatterns.js';
import { connectServer, type McpConnection, type RequestOptions } from './connection.js';
import { defaultTimeout, mostRestarts } from './limits.js';
import { listTools, type ServerTool } from './listing.js';
import { McpFailure } from './mcpFailure.js';
import { type ResolveOptions, resolveServer } from './resolveServer.js';
import type { AnswerServer } from './serverQuestion.js';
import { withinTime } from './timeLimit.js';

/** First wait before a server is restarted, in ms; doubled each time up to the longest, +-20 %. */
const firstWait = 250;
const longestWait = 8000;

export type McpPorts = Pick<Ports, 'clock' | 'random' | 'logger' | 'secrets' | 'environment' | 'fetch' | 'processes'>;

export interface SessionOptions extends Omit<ResolveOptions, 'ports'> {
  readonly client_id: string;
  readonly definition: McpServer;
  /** The revision of MCP that it spoke last, if known. */
  readonly protocol?: string | undefined;
  /** Asks the user what the server wants to know during a call. Default: servers are told that nobody can be asked. */
  readonly answer?: AnswerServer | undefined;
  readonly ports: McpPorts;
}

/**
 * One server while it is used: started on first use, restarted after a wait when it has ended, and listed again when it reports that its tools
 * changed.
 */
export class ServerSession {
  readonly client_id: string;
  /** Longest time of one request, in ms. */
  readonly timeout_ms: number;
  readonly #options: SessionOptions;
  readonly #closing = new AbortController();
  #connection: McpConnection | undefined;
  #opening: Promise<McpConnection> | undefined;
  #tools: ReadonlyMap<string, ServerTool> = new Map();
  #warnings: readonly string[] = [];
  #isStale = true;
  #restarts = 0;
  #compiler: Promise<SchemaCompiler> | undefined;

  constructor(options: SessionOptions) {
    this.client_id = options.client_id;
    this.timeout_ms = options.definition.timeout_ms ?? defaultTimeout;
    this.#options = options;
  }

  /** Its tools by the last listing. @throws McpFailure, SecretMissingError, ToolExecutionError, or the signal's reason */
  async tools(signal: AbortSignal): Promise<ReadonlyMap<string, ServerTool>> {
    await this.connection(signal);
    return this.#tools;
  }

  /** The revision of MCP that it speaks; undefined before it is connected. */
  get protocol(): string | undefined {
    return this.#connection?.protocol;
  }

  /** What was left out of `tools` and why, as phrases after "The server". */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** The open connection, with `tools` up to date. @throws as `tools` */
  async connection(signal: AbortSignal): Promise<McpConnection> {
    signal.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    const current = this.#connection;
    if (current !== undefined && current.end === undefined && !this.#isStale) return current;
    this.#opening ??= this.#refresh().finally(() => {
      this.#opening = undefined;
    });
    return abortable(this.#opening, signal);
  }

  /**
   * One request. A closed connection is reopened first; one that closes meanwhile fails the request, unless the server no longer knew the session:
   * then nothing was executed, and the request is sent once more in a new session.
   * @throws as `tools`
   */
  request(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    return this.#send(signal, (connection, options) => connection.request(method, params, options));
  }

  /** One call of a tool, as `request`. */
  callTool(tool: ServerTool, input: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    return this.#send(signal, (connection, options) => connection.callTool(tool, input, options));
  }

  async #send(signal: AbortSignal, ask: (connection: McpConnection, options: RequestOptions) => Promise<JsonObject>): Promise<JsonObject> {
    const send = async () => ask(await this.connection(signal), { signal, timeout_ms: this.timeout_ms });
    const result = await send().catch((error) => {
      if (error instanceof McpFailure && error.reason === 'forgotten') return send();
      throw error;
    });
    this.#restarts = 0;
    return result;
  }

  /** For the output schemas of the server's tools. */
  compiler(): Promise<SchemaCompiler> {
    this.#compiler ??= loadSchemaCompiler();
    return this.#compiler;
  }

  /** Logs under the server's name, with secrets masked. */
  log(level: LogLevel, message: string): void {
    const { client_id } = this;
    this.#options.ports.logger.log(level, `MCP server ${JSON.stringify(client_id)}: ${coverSecrets(message)}`, { client_id });
  }

  /** Ends the server, also while it starts, within a time limit. Safe to call again. */
  async close(): Promise<void> {
    this.#closing.abort(new McpFailure('closed', 'was stopped'));
    await Promise.allSettled([this.#opening]);
    await this.#connection?.close();
  }

  async #refresh(): Promise<McpConnection> {
    const previous = this.#connection;
    const connection = previous === undefined || previous.end !== undefined ? await this.#open(previous) : previous;
    this.#connection = connection;
    this.#isStale = false;
    try {
      const { timeout_ms } = this;
      const limit = { signal: this.#closing.signal, timeout_ms, clock: this.#options.ports.clock };
      // One limit for all pages: there may be many, each slow.
      const warnings: string[] = [];
      const tools = await withinTime(limit, (signal) => listTools(connection, { signal, timeout_ms }, (words) => warnings.push(words)));
      for (const words of warnings) this.log('warn', words);
      this.#warnings = warnings.map(coverSecrets);
      this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
    return connection;
  }

  async #open(previous: McpConnection | undefined): Promise<McpConnection> {
    const { client_id, definition, protocol, answer, ports, ...resolve } = this.#options;
    const { signal } = this.#closing;
    if (previous !== undefined) await this.#wait(previous);
    // The user may be asked for a value, and need not answer.
    const resolved = await abortable(resolveServer(client_id, definition, { ...resolve, ports }), signal);
    const connection = await connectServer(resolved, {
      ports,
      signal,
      timeout_ms: this.timeout_ms,
      protocol: previous?.protocol ?? protocol,
      client_id,
      answer,
      log: (level, message) => this.log(level, message),
      onListChanged: () => {
        this.#isStale = true;
      },
    });
    this.log('debug', previous === undefined ? 'is connected' : 'is connected again');
    return connection;
  }

  async #wait(previous: McpConnection): Promise<void> {
    const { clock, random } = this.#options.ports;
    await previous.close();
    if (this.#restarts >= mostRestarts) {
      throw new McpFailure('closed', `was restarted ${mostRestarts} times and is not restarted again: it ${previous.end}`);
    }
    this.#restarts += 1;
    const wait = Math.min(longestWait, firstWait * 2 ** (this.#restarts - 1)) * (0.8 + 0.4 * random.next());
    this.log('warn', `${previous.end}; it is restarted in ${Math.round(wait)} ms`);
    await clock.sleep(wait, this.#closing.signal);
  }
}
