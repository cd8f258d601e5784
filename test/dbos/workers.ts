import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inject, onTestFinished } from 'vitest';
import type { Worker, WorkerLimits } from '../../core/dbos/dbosEngine.js';
import type { EngineProgram } from '../../core/dbos/engine.js';
import { type EngineClient, openEngineClient } from '../../core/dbos/engineClient.js';
import { startWorker } from '../../core/dbos/worker.js';
import type { JsonObject } from '../../core/json.js';
import { createNodeClock, createNodeRandom } from '../../core/node/nodePorts.js';
import { plainProgram } from './plainProgram.js';

export interface WorkerProcess {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly id: string;
  /** What it printed. */
  readonly lines: string[];
  readonly exited: Promise<void>;
}

export interface WorkerProcessOptions {
  readonly concurrency?: number;
  /** `runs/seconds`, or `none`. */
  readonly rate?: string;
  /** What it has to finish with when it is asked to end. Default: 10 s. */
  readonly patience_ms?: number;
  /** How far its clock is ahead. */
  readonly clock_ms?: number;
}

/** A worker of plain tasks, ready to work. It ends with the test at the latest. */
export async function startWorkerProcess(url: string, options: WorkerProcessOptions = {}): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [inject('workerFile')], {
    env: {
      PATH: process.env.PATH ?? '',
      DATABASE_URL: url,
      AGENTSTACK_LOG: process.env.AGENTSTACK_LOG ?? 'error',
      WORKER_OPTIONS: JSON.stringify(options),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(async () => {
    // A stopped process hears of nothing else.
    child.kill('SIGKILL');
    await exited;
  });
  const id = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      lines.push(...String(chunk).trim().split('\n'));
      const first = lines.find((line) => line.startsWith('worker '));
      if (first) resolve(first.slice('worker '.length));
    });
    void exited.then(() => reject(new Error('The worker ended at once.')));
  });
  return { process: child, pid: child.pid ?? 0, id, lines, exited };
}

/** The same in this process, of which there can be one: for tests in which no worker dies. It ends with the test at the latest. */
export async function startWorkerHere(url: string, limits: WorkerLimits = {}, program: EngineProgram = plainProgram): Promise<Worker> {
  const ports = { clock: createNodeClock(), logger: { log: () => undefined }, random: createNodeRandom() };
  const worker = await startWorker({ database_url: url, program: () => program, ports, ...limits });
  onTestFinished(() => worker.stop());
  return worker;
}

export interface CountingServer {
  readonly url: string;
  /** How often each path was asked for. */
  readonly counts: Map<string, number>;
  /** Resolves when a path is asked for. */
  asked(path: string): Promise<void>;
  /** Answers to a path wait until `release`. */
  hold(path: string): void;
  release(path: string): void;
}

/** Stands for models and tools: answers every step with its path. @param delay_ms of each answer */
export async function startCountingServer(delay_ms = 0): Promise<CountingServer> {
  const counts = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  const held = new Map<string, Promise<void>>();
  const releases = new Map<string, () => void>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    for (const resolve of waiting.get(path) ?? []) resolve();
    await held.get(path);
    if (delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, delay_ms));
    response.end(path);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    asked: (path) =>
      counts.has(path)
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.set(path, [...(waiting.get(path) ?? []), resolve]);
          }),
    hold(path) {
      held.set(path, new Promise((resolve) => releases.set(path, resolve)));
    },
    release(path) {
      releases.get(path)?.();
      held.delete(path);
    },
  };
}

export async function openClient(url: string, notices: (string | undefined)[] = []): Promise<EngineClient> {
  const client = await openEngineClient({
    database_url: url,
    ports: { clock: createNodeClock(), logger: { log: () => undefined } },
    onNotice: (notice) => notices.push(notice),
  });
  onTestFinished(() => client.close());
  return client;
}

export async function eventsOf(client: EngineClient, run_id: string, from = 0): Promise<JsonObject[]> {
  const events: JsonObject[] = [];
  for await (const event of client.follow(run_id, from)) events.push(event);
  return events;
}
