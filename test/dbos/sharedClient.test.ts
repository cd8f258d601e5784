import { expect, test } from 'vitest';
import { openDbosEngine } from '../../core/dbos/dbosEngine.js';
import type { EngineClient } from '../../core/dbos/engineClient.js';
import { type OpenOptions, SharedClient } from '../../core/dbos/sharedClient.js';
import { repository } from '../cli/command.js';
import { newDatabase, ownPostgres, query, testWithPostgres } from '../support/postgres.js';

/** A client that is shared, and what became of it: `open`, `waits` and `close` in their order. */
function shared(open: (options: OpenOptions) => Promise<void> = async () => undefined) {
  const log: string[] = [];
  const client = { close: async () => void log.push('close') } as unknown as EngineClient;
  const it = new SharedClient(async (options) => {
    log.push(options.waits ? 'waits' : 'open');
    await open(options);
    return client;
  });
  const use = (signal?: AbortSignal) =>
    it.use(signal, async function* (given) {
      expect(given).toBe(client);
      yield 1;
      yield 2;
    });
  return { log, use };
}

async function drain(values: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of values);
}

test('all that go on at a time have one client, which the last one closes', async () => {
  const { log, use } = shared();
  await Promise.all(Array.from({ length: 200 }, () => drain(use())));
  expect(log).toEqual(['open', 'close']);
  await drain(use());
  expect(log).toEqual(['open', 'close', 'waits', 'close']);
});

test('a database that was never there is not waited for, and the next run tries again', async () => {
  let tries = 0;
  const { log, use } = shared(async () => {
    tries += 1;
    if (tries === 1) throw new Error('not there');
  });
  const first = await Promise.allSettled([drain(use()), drain(use())]);
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await drain(use());
  expect(log).toEqual(['open', 'open', 'close']);
});

test('who goes away while it is opened does not take it from the others; the last one ends the opening', async () => {
  const waiting: OpenOptions[] = [];
  const { use } = shared((options) => {
    waiting.push(options);
    return new Promise((_resolve, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason)));
  });
  const [one, other] = [new AbortController(), new AbortController()];
  const runs = [drain(use(one.signal)), drain(use(other.signal))];
  one.abort(new Error('first'));
  await expect(runs[0]).rejects.toThrow('first');
  expect(waiting[0]?.signal.aborted).toBe(false);
  other.abort(new Error('second'));
  await expect(runs[1]).rejects.toThrow('second');
  expect(waiting[0]?.signal.aborted).toBe(true);
});

const request = { name: 'issue_intake', input: { title: 'x', body: 'y' }, keep: 'none' } as const;
const handedIn = (url: string) =>
  query<{ count: string }>(url, 'SELECT count(*) FROM agent_stack.runs').then(([row]) => Number(row?.count));

testWithPostgres('fifty runs at a time take four connections', async () => {
  const url = await newDatabase();
  const engine = openDbosEngine(repository, { database_url: url });
  const leave = new AbortController();
  const runs = Array.from({ length: 50 }, () => drain(engine.orchestrate({ ...request, signal: leave.signal })).catch(() => undefined));
  await expect.poll(() => handedIn(url).catch(() => 0), { timeout: 120_000 }).toBe(50);
  const open = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'agentstack' AND datname = current_database()";
  expect(Number((await query<{ count: string }>(url, open))[0]?.count)).toBeLessThanOrEqual(4);
  leave.abort(new Error('enough'));
  await Promise.all(runs);
  await expect.poll(async () => Number((await query<{ count: string }>(url, open))[0]?.count)).toBe(0);
});

testWithPostgres('what is not handed in yet when the database stops waits for it', async () => {
  const postgres = await ownPostgres();
  try {
    const notices: unknown[] = [];
    const engine = openDbosEngine(repository, { database_url: postgres.url, onNotice: (notice) => void notices.push(notice) });
    const leave = new AbortController();
    const start = () => drain(engine.orchestrate({ ...request, signal: leave.signal })).catch(() => undefined);
    const first = start();
    await expect.poll(() => handedIn(postgres.url).catch(() => 0), { timeout: 60_000 }).toBe(1);
    await postgres.pause();
    const later = Array.from({ length: 20 }, start);
    await expect.poll(() => notices.some((notice) => String(notice).includes('Trying again')), { timeout: 20_000 }).toBe(true);
    await postgres.start();
    await expect.poll(() => handedIn(postgres.url).catch(() => 0), { timeout: 60_000 }).toBe(21);
    leave.abort(new Error('enough'));
    await Promise.all([first, ...later]);
  } finally {
    await postgres.stop();
  }
});
