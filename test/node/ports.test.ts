import { describe, expect, test } from 'vitest';
import {
  createEnvironmentSecrets,
  createNodeClock,
  createNodeEnvironment,
  createNodeLogger,
  createNodePorts,
  createNodeRandom,
} from '../../core/node/nodePorts.js';
import { startLoopbackHttp } from '../support/loopbackHttp.js';

describe('the clock', () => {
  const clock = createNodeClock();

  test('sleeps for the time it was asked', async () => {
    const start = clock.monotonic();
    await clock.sleep(30);
    expect(clock.monotonic() - start).toBeGreaterThanOrEqual(29);
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1000);
  });

  test('wakes with the reason when aborted, before or while it sleeps', async () => {
    const reason = new Error('enough');
    await expect(clock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const sleeping = clock.sleep(60_000, controller.signal);
    controller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
  });

  test('calls back after the time it was asked, once, unless that is taken back', async () => {
    const calls: string[] = [];
    clock.after(10, () => calls.push('short'));
    clock.after(10, () => calls.push('never'))();
    // A timer of Node would fire at once.
    const cancel = clock.after(2 ** 40, () => calls.push('long'));
    await clock.sleep(40);
    expect(calls).toEqual(['short']);
    cancel();
    cancel();
  });

  test('does not wake at once from a sleep longer than a timer can hold', async () => {
    const controller = new AbortController();
    const sleeping = clock.sleep(2 ** 40, controller.signal).then(
      () => 'woke',
      () => 'aborted',
    );
    await clock.sleep(20);
    controller.abort();
    expect(await sleeping).toBe('aborted');
  });
});

describe('the random port', () => {
  test('makes UUIDv7 ids that sort in order of creation, within one millisecond and when the clock goes back', () => {
    const times = [5, 5, 4, 6];
    const { id } = createNodeRandom(() => 1_790_000_000_000 + (times.shift() ?? 6));
    const ids = Array.from({ length: 5000 }, id);
    expect(ids.every((one) => /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(one))).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(5000);
    expect(Number.parseInt(ids[0]!.slice(0, 12), 16)).toBe(1_790_000_000_005);
  });

  test('gives numbers from 0 up to 1', () => {
    const { next } = createNodeRandom();
    expect(Array.from({ length: 1000 }, next).every((number) => 0 <= number && number < 1)).toBe(true);
  });
});

describe('environment and secrets', () => {
  const environment = createNodeEnvironment({ MY_KEY_2: 'sk-1', EMPTY: '' });

  test('give what is set and nothing inherited', () => {
    expect(environment.get('MY_KEY_2')).toBe('sk-1');
    expect(environment.get('EMPTY')).toBe('');
    expect(environment.get('constructor')).toBeUndefined();
    expect(environment.get('__proto__')).toBeUndefined();
  });

  test('a secret is the variable with its name in upper case', async () => {
    expect(await createEnvironmentSecrets(environment).get('my-key.2')).toBe('sk-1');
    expect(await createEnvironmentSecrets(environment).get('other')).toBeUndefined();
  });
});

describe('the logger', () => {
  test('writes the asked level and above as JSON lines, errors without their stacks', () => {
    const lines: string[] = [];
    const logger = createNodeLogger('WARN', (line) => lines.push(line));
    logger.log('info', 'quiet');
    logger.log('warn', 'loud', { error: Object.assign(new Error('broken'), { code: 'X' }) });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { time: expect.any(String) as string, level: 'warn', message: 'loud', error: { name: 'Error', message: 'broken', code: 'X' } },
    ]);
  });

  test.each([undefined, '', 'everything'])('writes nothing when asked for %j', (level) => {
    const lines: string[] = [];
    createNodeLogger(level, (line) => lines.push(line)).log('error', 'x');
    expect(lines).toEqual([]);
  });
});

describe('all ports together', () => {
  test.each([
    ['warn', ['warn', 'error']],
    [undefined, []],
  ])('the log says which lines are written when asked for %j', (level, written) => {
    const { logger } = createNodePorts(import.meta.dirname, { environment: createNodeEnvironment(level ? { AGENTSTACK_LOG: level } : {}) });
    const levels = ['debug', 'info', 'warn', 'error'] as const;
    expect(levels.filter((each) => logger.isWritten?.(each))).toEqual(written);
  });

  test('hash as SHA-256, fetch over HTTP, and give way to those given', async () => {
    const server = await startLoopbackHttp((_, response) => response.end('pong'));
    const environment = createNodeEnvironment({ TOKEN: 'of this environment' });
    const ports = createNodePorts(import.meta.dirname, { environment });
    expect(ports.sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(await ports.secrets.get('token')).toBe('of this environment');
    const answers = await Promise.all([ports.fetch(server.origin), ports.fetch(server.origin)]);
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['pong', 'pong']);
    await server.close();
  });
});
