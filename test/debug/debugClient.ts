import { readFileSync } from 'node:fs';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import { onTestFinished } from 'vitest';
import { cleanEnvironment, cliFile } from '../cli/command.js';

/** The official client, with the built adapter behind it over stdio. */
export async function debuggerIn(cwd: string) {
  const client = new DebugClient(process.execPath, cliFile, 'agent-stack', { cwd, env: cleanEnvironment() });
  client.defaultTimeout = 60_000;
  const adapter = await start(client, cwd);
  onTestFinished(() => void adapter.kill());
  await client.initializeRequest({ adapterID: 'agent-stack', pathFormat: 'path', linesStartAt1: true, columnsStartAt1: true });
  return client;
}

/** As `DebugClient.start`, which gives its adapter no arguments. */
async function start(client: DebugClient, cwd: string) {
  const { spawn } = await import('node:child_process');
  const adapter = spawn(process.execPath, [cliFile, 'debug', '--dap'], { cwd, env: cleanEnvironment() });
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
  client.on('stopped', async () => {
    const { body } = await client.stackTraceRequest({ threadId: 1 });
    stops.push(body.stackFrames[0]?.name ?? '');
    await client.continueRequest({ threadId: 1 });
  });
  const over = client.waitForEvent('terminated');
  await run();
  await over;
  return { printed: lines.join(''), stops };
}
