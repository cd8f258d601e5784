import { beforeEach, expect, test, vi } from 'vitest';
import { LanguageServer } from '../../client/language/languageServer.js';

/** When the language server is started again, with clients that end when a test says so. */

interface FakeClient {
  readonly name: number;
  isEnded: boolean;
  readonly crash: () => void;
}

const seen = vi.hoisted(() => ({ clients: [] as FakeClient[], failing: 0, shown: [] as string[], items: 0 }));

vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly event = () => undefined;
    readonly fire = () => undefined;
    readonly dispose = () => undefined;
  },
  ThemeColor: class {},
  StatusBarAlignment: { Left: 1 },
  l10n: { t: (text: string, ...values: unknown[]) => text.replace(/\{(\d)\}/g, (_all, at) => `${values[at]}`) },
  workspace: { onDidGrantWorkspaceTrust: () => ({ dispose: () => undefined }) },
  window: {
    createStatusBarItem: () => ({ show: () => void seen.items++, dispose: () => void seen.items-- }),
    showErrorMessage: async (message: string) => void seen.shown.push(message),
  },
}));
vi.mock('../../client/language/languageClient.js', () => ({
  createLanguageClient(_extension: unknown, _log: unknown, { onEnd }: { onEnd: () => void }) {
    const client = {
      name: seen.clients.length,
      isEnded: false,
      crash() {
        client.isEnded = true;
        onEnd();
      },
      async start() {
        await Promise.resolve();
        if (seen.failing === 0) return;
        seen.failing--;
        client.crash();
        throw new Error('It ended while it started.');
      },
      isRunning: () => !client.isEnded,
      async dispose() {
        if (client.isEnded) throw new Error('Client is not running');
        client.crash();
      },
    };
    seen.clients.push(client);
    return client;
  },
}));

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const running = () => seen.clients.filter(({ isEnded }) => !isEnded).map(({ name }) => name);
const open = () => new LanguageServer({} as never, { info: () => undefined, error: () => undefined } as never);

beforeEach(() => Object.assign(seen, { clients: [], failing: 0, shown: [], items: 0 }));

test('it starts once, however many need it', async () => {
  const server = open();
  await Promise.all([server.start(), server.start()]);
  expect(running()).toEqual([0]);
});

test('one that ends is started again, also while it starts', async () => {
  const server = open();
  await server.start();
  seen.failing = 2;
  seen.clients[0]!.crash();
  await settled();
  expect(running()).toEqual([3]);
  expect(await server.start()).toBe(seen.clients[3]);
  expect(seen).toMatchObject({ shown: [], items: 0 });
});

test('one that ends during its first start leaves a single client', async () => {
  seen.failing = 1;
  const server = open();
  expect(await server.start()).toBe(seen.clients[1]);
  await settled();
  expect(running()).toEqual([1]);
  expect(seen).toMatchObject({ shown: [], items: 0 });
});

test('after five crashes it stays stopped, said once, until it is started again', async () => {
  const server = open();
  await server.start();
  for (let crash = 0; crash < 5; crash++) {
    seen.clients.at(-1)!.crash();
    await settled();
  }
  expect(running()).toEqual([]);
  expect(seen).toMatchObject({ shown: ['The Agent Stack language server has crashed 5 times in 3 minutes.'], items: 1 });
  await server.restart();
  expect(running()).toEqual([5]);
  expect(seen.items).toBe(0);
  seen.clients.at(-1)!.crash();
  await settled();
  expect(running()).toEqual([6]);
});

test('one that cannot start is said once, whoever waits for it', async () => {
  seen.failing = 100;
  const server = open();
  expect(await Promise.all([server.start(), server.start()])).toEqual([undefined, undefined]);
  expect(seen.clients).toHaveLength(5);
  expect(seen).toMatchObject({ shown: ['The Agent Stack language server did not start.'], items: 1 });
});

test.each(['before', 'after'])('a restart right %s a crash leaves a single client', async (order) => {
  const server = open();
  await server.start();
  if (order === 'after') seen.clients[0]!.crash();
  const restart = Promise.all([server.restart(), server.restart()]);
  if (order === 'before') seen.clients[0]!.crash();
  await restart;
  await settled();
  expect(running()).toHaveLength(1);
  expect([await server.start()]).toEqual(seen.clients.filter(({ isEnded }) => !isEnded));
  expect(seen).toMatchObject({ shown: [], items: 0 });
});

test('nothing is started again when the extension ends', async () => {
  const server = open();
  await server.start();
  server.dispose();
  await settled();
  expect(running()).toEqual([]);
  expect(seen).toMatchObject({ shown: [], items: 0 });
});
