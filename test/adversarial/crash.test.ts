import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { agentstackProcess, outcomeOf, start } from '../cli/command.js';
import { validateEvent, validateResult } from '../support/validateRun.js';
import { key, readAll, served } from './hostile.js';

const env = { OPENAI_API_KEY: key, NO_PROXY: '*', AGENTSTACK_LOG: 'debug' };
const call = ['run', 'T', '--set', 'text=Hi'];

test('a process killed in the middle of a run leaves a snapshot that fits its hash and events that can be read', async () => {
  const words = Array.from({ length: 20_000 }, (_, index) => `word ${index} `);
  const { folder } = await served({ text: words, slice: 20_000, pause_ms: 5 });
  const child = start([...call, '--events', 'jsonl'], { cwd: folder, env });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  child.stdin.end();
  let seen = 0;
  child.stdout.on('data', (data: Buffer) => {
    seen += data.length;
    if (seen > 200_000) child.kill('SIGKILL');
  });
  expect((await outcomeOf(child)).code).toBeNull();

  const files = [...readAll(join(folder, '.agentstack/runs'))];
  const find = (pattern: RegExp) => files.find(([path]) => pattern.test(path)) ?? expect.fail(`no ${pattern}`);
  const [path, snapshot] = find(/effective_config_[0-9a-f]{64}\.json$/);
  expect(path).toContain(createHash('sha256').update(snapshot).digest('hex'));
  // The last line may be torn; every other one is whole.
  const events = find(/events\.jsonl$/)[1]
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  expect(events.length).toBeGreaterThan(100);
  expect(events.flatMap(validateEvent)).toEqual([]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  // Without a result it does not count as a run that has ended.
  expect(files.some(([name]) => name.endsWith('result.json'))).toBe(false);
});

test('three commands at once, each with its own run, print results and no key', async () => {
  const { folder } = await served({ text: '{"tone":"formal"}', pause_ms: 20 });
  const ran = await Promise.all([1, 2, 3].map(() => agentstackProcess([...call, '--json'], { cwd: folder, env })));
  const results = ran.map(({ stdout }) => JSON.parse(stdout));
  for (const [index, { code, stdout, stderr }] of ran.entries()) {
    expect(code).toBe(0);
    expect(validateResult(results[index])).toEqual([]);
    expect(stdout + stderr).not.toContain(key);
    expect(stderr).toContain('"level":"info"');
  }
  const files = readAll(join(folder, '.agentstack'));
  for (const { run_id } of results) expect(JSON.parse(files.get(`runs/${run_id}/result.json`) ?? '')).toMatchObject({ run_id });
  expect(files.size).toBe(1 + 3 * 6);
  for (const text of files.values()) expect(text).not.toContain(key);
});

test('a fault of the server is a result on stdout, with its exit code, and no key anywhere', async () => {
  const { folder } = await served({ status: 401, error: { message: `Incorrect API key provided: ${key}.`, code: 'invalid_api_key' } });
  const { code, stdout, stderr } = await agentstackProcess([...call, '--json'], { cwd: folder, env });
  expect(code).toBe(1);
  expect(validateResult(JSON.parse(stdout))).toEqual([]);
  expect(stdout + stderr + [...readAll(folder).values()].join('')).not.toContain(key);
});

test.each([
  ['', 'The input from stdin is empty. Give a JSON object like {"key": "value"}.'],
  ['null', 'The input from stdin must be a JSON object like {"key": "value"}, but it is null.'],
  ['{"a":1,}', 'The input from stdin is not valid JSON, line 1, column 7: '],
])('the input %j is refused with the way out', async (input, words) => {
  const { server, folder } = await served({ text: '{"tone":"formal"}' });
  const { code, stderr } = await agentstackProcess(['run', 'T', '--input', '-'], { cwd: folder, env, input });
  expect(stderr).toContain(words);
  expect(code).toBe(2);
  expect(server.requests).toEqual([]);
});
