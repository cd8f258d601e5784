import type { InitializeParams } from 'vscode-languageserver';
import type { AnyFeature } from '../feature.js';
import type { ServiceHost } from '../host.js';
import { LanguageServer } from '../languageServer.js';
import { TextLines } from '../textLines.js';
import { Connection } from '../wire/connection.js';
import { StreamTransport } from '../wire/streamTransport.js';

export interface RehearsalOptions {
  readonly features: readonly AnyFeature[];
  /** What the client has sent with `initialize`. */
  readonly params: InitializeParams;
  /** Has the project that is typed in, and nothing but it. */
  readonly host: ServiceHost;
  readonly uri: string;
  readonly text: string;
}

/** A text in the place of a stretch, on one line. Offsets count in the text that was opened, whose lines stay where they are. */
export interface Stroke {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * A second language server in this process, and the client of it: what is typed goes through all that a keystroke of the user goes through,
 * from the bytes that arrive to the bytes that are sent, and nobody sees any of it. It shares nothing with the server that the user has but the
 * functions, which V8 gets to know by this.
 */
export class Rehearsal {
  private readonly options: RehearsalOptions;
  private readonly lines: TextLines;
  private readonly pulls: boolean;
  private take: (chunk: Buffer) => void = () => undefined;
  private answered: () => void = () => undefined;
  private version = 1;
  private requests = 0;

  constructor(options: RehearsalOptions) {
    const { features, host, params, text } = options;
    this.options = options;
    this.lines = new TextLines(text);
    this.pulls = params.capabilities.textDocument?.diagnostic !== undefined;
    const input = {
      on: (event: string, listener: (chunk: Buffer) => void) => {
        if (event === 'data') this.take = listener;
      },
    };
    const output = {
      on: () => undefined,
      write: (message: string, onSent?: () => void) => {
        onSent?.();
        if (isAnswer(message)) this.answered();
      },
    };
    const connection = new Connection(new StreamTransport(input, output));
    new LanguageServer({ connection, features, exit: () => undefined, host }).listen();
  }

  /** Resolves when the document is open and its diagnostics are there. */
  async open(): Promise<void> {
    const { params, uri, text } = this.options;
    // Nobody would answer what a server asks its client.
    const capabilities = { ...params.capabilities, workspace: {}, window: {} };
    await this.send(this.request('initialize', { ...params, capabilities }));
    const document = { uri, languageId: 'json', version: this.version, text };
    await this.send(
      message({ method: 'initialized', params: {} }) +
        message({ method: 'textDocument/didOpen', params: { textDocument: document } }) +
        this.pull(),
    );
  }

  /** Resolves when the diagnostics are there. */
  async type({ start, end, text }: Stroke): Promise<void> {
    this.version += 1;
    const textDocument = { uri: this.options.uri, version: this.version };
    const range = { start: this.lines.positionAt(start), end: this.lines.positionAt(end) };
    await this.send(
      message({ method: 'textDocument/didChange', params: { textDocument, contentChanges: [{ range, text }] } }) + this.pull(),
    );
  }

  /** Nothing where the server sends diagnostics by itself. */
  private pull(): string {
    return this.pulls ? this.request('textDocument/diagnostic', { textDocument: { uri: this.options.uri } }) : '';
  }

  private send(bytes: string): Promise<void> {
    return new Promise((resolve) => {
      this.answered = resolve;
      this.take(Buffer.from(bytes));
    });
  }

  private request(method: string, params: unknown): string {
    this.requests += 1;
    return message({ id: this.requests, method, params });
  }
}

function message(content: object): string {
  const body = JSON.stringify({ jsonrpc: '2.0', ...content });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Of a request, or the diagnostics that are sent unasked. */
function isAnswer(sent: string): boolean {
  return sent.includes('{"jsonrpc":"2.0","id":') || sent.includes('"method":"textDocument/publishDiagnostics"');
}
