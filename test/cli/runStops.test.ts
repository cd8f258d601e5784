import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLoopbackOpenAi } from '../support/loopbackOpenAi.js';
import { agentstack, listFiles, offlineProfile, read, temporaryProject, toneAgent, toneProject, write } from './command.js';

/** A person at a terminal who types these lines. */
const types = (...lines: readonly string[]) => ({
  stdin: Object.assign(Readable.from(lines.map((line) => Buffer.from(`${line}\n`))), { isTTY: true }),
  columns: 100,
});

/** An editor that replaces one text by another. */
function editor(cwd: string, from: string, to: string) {
  const script = `const fs = require('node:fs');
const file = process.argv.at(-1);
fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(${JSON.stringify(from)}, ${JSON.stringify(to)}));`;
  write(cwd, 'editor.cjs', script);
  return { EDITOR: `"${process.execPath}" "${join(cwd, 'editor.cjs')}"` };
}

const call = ['run', 'Tone', '--case', 'greeting'];
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

async function stopped(cwd: string, args: readonly string[], lines: readonly string[], env = {}) {
  const { code, stdout, stderr } = await agentstack(args, { cwd, env, ...types(...lines) });
  return { code, stdout: stdout.replace(colours, ''), stderr: stderr.replace(colours, '') };
}

const eventsOf = (cwd: string) => {
  const file = listFiles(cwd).find((path) => path.endsWith('events.jsonl'));
  return read(cwd, file ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

describe('run --break', () => {
  test('stops before the call, shows the request and goes on', async () => {
    const cwd = toneProject();
    const { code, stdout, stderr } = await stopped(cwd, [...call, '--break', 'before-call'], ['']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ tone: 'friendly' });
    expect(stderr).toContain('Stopped before call 1 of Tone@v1');
    expect(stderr).toContain('You judge how a text sounds.');
    expect(stderr).toMatch(/offline, about \d+ tokens/);
    expect(stderr).toContain('so far 0 tokens, 0 USD');
    expect(stderr).not.toContain('changed by hand');
  });

  test('sends what was edited, and marks the run', async () => {
    const cwd = toneProject();
    const env = editor(cwd, 'A friendly hello', 'A formal letter');
    const { code, stderr } = await stopped(cwd, [...call, '--break', 'before-call'], ['e', ''], env);
    expect(code).toBe(0);
    expect(stderr).toContain('Changed: the run is marked');
    expect(stderr).toContain('1 value changed by hand');
    const edit = eventsOf(cwd).find(({ type }) => type === 'edit');
    expect(edit).toMatchObject({ path: '/messages/1/content', before: expect.stringContaining('A friendly hello') });
    expect(edit.after).toContain('A formal letter');
    const shown = await agentstack(['runs', 'show', 'last'], { cwd });
    expect(shown.stdout).toContain('1 value by hand at stops');
  });

  test('stops at what is found, where it is wanted, and not at what is not', async () => {
    const server = await startLoopbackOpenAi([{ text: ['{"tone": "loud"}'] }, { text: ['{"tone": "quiet"}'] }], {
      key: 'sk-test-0123456789abcdef',
    });
    onTestFinished(() => server.close());
    const real = {
      llm_id: 'real',
      provider: 'openai',
      model_name: 'gpt-4.1-mini',
      base_url: server.url,
      api_key: 'secret://openai_api_key',
    };
    const agent = { ...toneAgent, llm_config_id: 'real', retry_invalid: 1 };
    const cwd = toneProject({ 'config/agents/Tone/v1.json': agent, 'config/llms/real.json': real });
    const env = { OPENAI_API_KEY: 'sk-test-0123456789abcdef', NO_PROXY: '*' };
    const { code, stderr } = await stopped(cwd, [...call, '--break', 'on-refused,on-error,on-repair'], ['e', '', '', ''], env);
    expect(code).toBe(1);
    expect(stderr.match(/Stopped .*/g)).toEqual([
      'Stopped at "Answer refused" in call 1 of Tone@v1',
      'Stopped at "Answer refused" in call 2 of Tone@v1',
      'Stopped at "The answer does not fit the schema (output-invalid)" in call 2 of Tone@v1',
    ]);
    expect(stderr).toContain('/tone must be "friendly" or "formal"');
    expect(stderr).toContain('What was found cannot be changed.');
  });

  test('refuses an edit that the provider would refuse, and keeps what was there', async () => {
    const cwd = toneProject();
    write(cwd, 'empty.cjs', `require('node:fs').writeFileSync(process.argv.at(-1), '');`);
    const env = { EDITOR: `"${process.execPath}" "${join(cwd, 'empty.cjs')}"` };
    const { code, stderr } = await stopped(cwd, [...call, '--break', 'before-call'], ['e', 'e 7', 'e x', ''], env);
    expect(code).toBe(0);
    expect(stderr).toContain('Message 2 is empty, which providers refuse.');
    expect(stderr).toContain('There is no message 7: the request has 2.');
    expect(stderr).not.toContain('changed by hand');
  });

  test.each([
    ['q', 'q'],
    ['the end of the input', undefined],
  ])('ends the run with %s', async (_, line) => {
    const cwd = toneProject();
    const { code, stdout } = await stopped(cwd, [...call, '--break', 'before-call'], line === undefined ? [] : [line]);
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(eventsOf(cwd).at(-1)?.result?.status ?? 'cancelled').toBe('cancelled');
  });

  test('keeps what was edited with the steps of a run', async () => {
    const cwd = toneProject();
    const env = editor(cwd, 'A friendly hello', 'A formal letter');
    const { code, stderr } = await stopped(cwd, [...call, '--durable', '--break', 'before-call'], ['e', ''], env);
    expect(code).toBe(0);
    expect(stderr).toContain('1 value changed by hand');
    const journal = listFiles(cwd).find((path) => path.includes('.agentstack/journal/')) ?? '';
    expect(read(cwd, journal)).toMatch(/"step":"stop\/model\/1".*A formal letter/);
  });
});

describe('run --step', () => {
  test('stops at each place', async () => {
    const { code, stderr } = await stopped(toneProject(), [...call, '--step'], ['s', 'v', 's']);
    expect(code).toBe(0);
    expect(stderr.match(/Stopped [^\n]*/g)).toEqual(['Stopped before call 1 of Tone@v1', 'Stopped after the answer of call 1 of Tone@v1']);
  });

  test('goes on to the end after Enter', async () => {
    const { code, stderr } = await stopped(toneProject(), [...call, '--step'], ['']);
    expect(code).toBe(0);
    expect(stderr.match(/Stopped /g)).toHaveLength(1);
  });
});

describe('orchestrate --break', () => {
  const project = () =>
    temporaryProject({
      'config/agents/Tone/v1.json': toneAgent,
      'config/llms/offline.json': offlineProfile,
      'config/orchestrations/judge.json': {
        name: 'judge',
        entry_team: 'a',
        context: { text: 'A friendly hello', level: 1 },
        teams: {
          a: {
            name: 'a',
            tasks: [{ name: 'tone', agent: 'Tone@v1', input: { text: '{{context.text}}' } }],
            routing: { default: null },
          },
        },
      },
    });

  test('names the task, and changes the context at a route', async () => {
    const cwd = project();
    const env = editor(cwd, '"level": 1', '"level": 2');
    const args = ['orchestrate', 'judge', '--no-keep', '--break', 'before-call,at-route', '--llm', 'offline'];
    const { code, stdout, stderr } = await stopped(cwd, args, ['', 'e', ''], env);
    expect(stderr).toContain('Stopped before call 1 of Tone@v1 (a/tone)');
    expect(stderr).toContain('Stopped at the route of team a: the default ends the run');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ context: { level: 2 } });
  });
});

describe('without a person', () => {
  test.each([
    ['--break', 'before-call'],
    ['--step', undefined],
  ])('%s is refused', async (option, value) => {
    const { code, stderr } = await agentstack([...call, option, ...(value === undefined ? [] : [value])], { cwd: toneProject() });
    expect(code).toBe(2);
    expect(stderr).toContain(`${option} waits for a person at a terminal, and there is none.`);
  });

  test('a place that there is not is refused', async () => {
    const { code, stderr } = await agentstack([...call, '--break', 'here'], { cwd: toneProject() });
    expect(code).toBe(2);
    expect(stderr).toContain(
      'There are: before-call, after-answer, before-tool, after-tool, at-route, on-repair, on-retry, on-refused, on-denied, on-budget, on-error.',
    );
  });
});
