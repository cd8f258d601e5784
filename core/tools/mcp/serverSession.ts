import { abortable } from '../../abort.js';
import type { McpServer } from '../../generated/types.js';
import type { JsonObject } from '../../json.js';
import type { LogLevel, Ports } from '../../ports.js';
import { loadSchemaCompiler, type SchemaCompiler } from '../../schema/schemaCompiler.js';
import { coverSecrets } from '../../secrets/secretPatterns.js';
import { connectServer, type McpConnection } from './connection.js';
import { defaultTimeout, mostRestarts } from './limits.js';
import { listTools, type ServerTool } from './listing.js';
import { McpFailure } from './mcpFailure.js';
import { type ResolveOptions, resolveServer } from './resolveServer.js';
import { withinTime } from './timeLimit.js';

/** First wait before a server is started again, in ms; doubled each time up to the longest, +-20 %. */
const firstWait = 250;
const longestWait = 8000;

export type McpPorts = Pick<Ports, 'clock' | 'random' | 'logger' | 'secrets' | 'environment' | 'fetch' | 'processes'>;

export interface SessionOptions extends Omit<ResolveOptions, 'ports'> {
  readonly client_id: string;
  readonly definition: McpServer;
  readonly ports: McpPorts;
}

/**
 * One server for as long as it is used: started by the first use, started again after a while when it has ended, listed again when it
 * says that its tools are others.
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

  /** What it offers, as it listed last. @throws McpFailure, SecretMissingError, ToolExecutionError, or the signal's reason */
  async tools(signal: AbortSignal): Promise<ReadonlyMap<string, ServerTool>> {
    await this.connection(signal);
    return this.#tools;
  }

  /** What was left out of `tools` and why, in words that follow "The server". */
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
   * One request. A connection that is found closed is opened again before; one that closes meanwhile fails the request, unless the server had
   * forgotten the session: then nothing was carried out, and it is sent once more in a new one.
   * @throws as `tools`
   */
  async request(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const send = async () => (await this.connection(signal)).request(method, params, { signal, timeout_ms: this.timeout_ms });
    const result = await send().catch((error) => {
      if (error instanceof McpFailure && error.reason === 'forgotten') return send();
      throw error;
    });
    this.#restarts = 0;
    return result;
  }

  /** For the schemas that the server's tools promise to meet. */
  compiler(): Promise<SchemaCompiler> {
    this.#compiler ??= loadSchemaCompiler();
    return this.#compiler;
  }

  /** To the log, under the server's name, with no secret in it. */
  log(level: LogLevel, message: string): void {
    const { client_id } = this;
    this.#options.ports.logger.log(level, `MCP server ${JSON.stringify(client_id)}: ${coverSecrets(message)}`, { client_id });
  }

  /** Ends the server, also while it is being started. Bounded, and safe to call again. */
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
      // All pages together: each alone could take its time, and there may be many.
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
    const { client_id, definition, ports, ...resolve } = this.#options;
    const { signal } = this.#closing;
    if (previous !== undefined) await this.#wait(previous);
    // A value may be asked of the user, who need not answer.
    const resolved = await abortable(resolveServer(client_id, definition, { ...resolve, ports }), signal);
    const connection = await connectServer(resolved, {
      ports,
      signal,
      timeout_ms: this.timeout_ms,
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
      throw new McpFailure('closed', `was started again ${mostRestarts} times and is left alone now: it ${previous.end}`);
    }
    this.#restarts += 1;
    const wait = Math.min(longestWait, firstWait * 2 ** (this.#restarts - 1)) * (0.8 + 0.4 * random.next());
    this.log('warn', `${previous.end}; it is started again in ${Math.round(wait)} ms`);
    await clock.sleep(wait, this.#closing.signal);
  }
}
