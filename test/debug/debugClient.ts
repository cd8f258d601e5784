import { readFileSync } from 'node:fs';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { onTestFinished } from 'vitest';
import { cleanEnvironment, cliFile } from '../cli/command.js';

/** The official client, with the built adapter behind it over stdio. */
export async function debuggerIn(cwd: string, env: Readonly<Record<string, string>> = {}) {
  const client = new DebugClient(process.execPath, cliFile, 'agent-stack', { cwd, env: cleanEnvironment(env) });
  client.defaultTimeout = 60_000;
  const adapter = await start(client, cwd, env);
  onTestFinished(() => void adapter.kill());
  const chunks: Buffer[] = [];
  adapter.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await client.initializeRequest({ adapterID: 'agent-stack', pathFormat: 'path', linesStartAt1: true, columnsStartAt1: true });
  /** Everything that the adapter has sent. */
  const sent = () => Buffer.concat(chunks).toString('utf8');
  return Object.assign(client, { sent });
}

/** As `DebugClient.start`, which gives its adapter no arguments. */
async function start(client: DebugClient, cwd: string, env: Readonly<Record<string, string>>) {
  const { spawn } = await import('node:child_process');
  const adapter = spawn(process.execPath, [cliFile, 'debug', '--dap'], { cwd, env: cleanEnvironment(env) });
  const inner = client as unknown as { _adapterProcess: unknown; connect(read: NodeJS.ReadableStream, write: NodeJS.WritableStream): void };
  inner._adapterProcess = adapter;
  inner.connect(adapter.stdout, adapter.stdin);
  return adapter;
}

export const lineOf = (file: string, text: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1;

/** Launches, sets breakpoints once the adapter asks for them, and lets the run begin. */
export async function launch(client: DebugClient, args: object, file: string, breakpoints: readonly object[]) {
  const ready = client.waitForEvent('initialized');
  await client.launchRequest({ ...args } as never);
  await ready;
  const { body } = await client.setBreakpointsRequest({ source: { path: file }, breakpoints: breakpoints as never });
  const stopped = breakpoints.length > 0 || 'stopBefore' in args ? client.waitForEvent('stopped') : undefined;
  // A run with log points alone does not stop.
  stopped?.catch(() => undefined);
  await client.configurationDoneRequest();
  return { breakpoints: body.breakpoints, stopped };
}

export async function variables(client: DebugClient, scope: string) {
  const { body } = await client.scopesRequest({ frameId: 1 });
  const { variablesReference } = body.scopes.find(({ name }) => name === scope)!;
  return { reference: variablesReference, members: (await client.variablesRequest({ variablesReference })).body.variables };
}

/** Goes on at each stop until the run is over. What it printed, and the names of the frames it stopped at. */
export async function toTheEnd(client: DebugClient, run: () => Promise<unknown>) {
  const lines: string[] = [];
  const stops: string[] = [];
  client.on('output', ({ body }) => lines.push(body.output));
  client.on('stopped', async ({ body: stopped }) => {
    const { threadId = 0 } = stopped;
    const { body } = await client.stackTraceRequest({ threadId });
    stops.push(body.stackFrames[0]?.name ?? '');
    await client.continueRequest({ threadId });
  });
  const over = client.waitForEvent('terminated');
  await run();
  await over;
  return { printed: lines.join(''), stops };
}

type Motion = 'next' | 'stepIn' | 'stepOut' | 'continue' | 'stepBack' | 'reverseContinue';

/** A launched run that is followed from stop to stop. */
export class Followed {
  readonly #client: DebugClient;
  readonly #ends: (DebugProtocol.StoppedEvent['body'] | 'ended')[] = [];
  #arrived: () => void = () => undefined;
  thread = 1;

  constructor(client: DebugClient) {
    this.#client = client;
    client.on('stopped', ({ body }) => this.#push(body));
    client.on('terminated', () => this.#push('ended'));
  }

  /** Where the run stops next: the words for a person, or `ended`. */
  async stop(): Promise<string> {
    while (this.#ends.length === 0) await new Promise<void>((resolve) => (this.#arrived = resolve));
    const end = this.#ends.shift()!;
    if (end === 'ended') return end;
    this.thread = end.threadId ?? 0;
    return (end as { description?: string }).description ?? '';
  }

  /** @returns where the run stops then */
  async go(motion: Motion): Promise<string> {
    await this.#client.send(motion, { threadId: this.thread });
    return this.stop();
  }

  async frames() {
    return (await this.#client.stackTraceRequest({ threadId: this.thread })).body.stackFrames;
  }

  async value(expression: string): Promise<string> {
    return (await this.#client.evaluateRequest({ expression, frameId: 1 })).body.result;
  }

  #push(end: DebugProtocol.StoppedEvent['body'] | 'ended'): void {
    this.#ends.push(end);
    this.#arrived();
  }
}

/** Launches, and pauses before the first call. */
export async function launchPaused(client: DebugClient, args: object): Promise<Followed> {
  const run = new Followed(client);
  const ready = client.waitForEvent('initialized');
  await client.launchRequest(args as never);
  await ready;
  await client.pauseRequest({ threadId: 1 });
  await client.configurationDoneRequest();
  return run;
}
