import { describe, expect, test } from 'vitest';
import { createTerminal } from '../../cli/terminal/terminal.js';
import { agentstack, read, toneAgent, toneProject } from './command.js';

// U+009B begins an escape sequence, as ESC does, and U+202E turns the direction of what follows: no output has them as they are, in any format.

const unseen = '\u009b31m\u202e\u2066\u0085\u200b';
const raw = /(?![\n\t])\p{Cc}|[\u200b\u202a-\u202e\u2066-\u2069]/u;

describe('what a file or an answer holds reaches no output as it is', () => {
  const expected = (value: string) => [{ output_field: 'tone', operator: 'equals', value }];
  const cases = [
    { name: `bad ${unseen}`, input: { text: `Hi ${unseen}` }, expect: expected('formal') },
    { name: 'good', input: { text: 'Hi' }, expect: expected('friendly') },
  ];
  const project = () =>
    toneProject({
      'config/agents/Tone/v1.json': { ...toneAgent, system_text: `You judge ${unseen} texts.`, description: `Judges ${unseen}` },
      'config/payloads/Tone/set.json': { cases },
    });

  test.each(['text', 'json', 'junit', 'github', 'markdown', 'html'])('eval --format %s, printed and in a file', async (format) => {
    const cwd = project();
    const printed = await agentstack(['eval', 'Tone', '--format', format], { cwd });
    expect(printed.stdout).not.toBe('');
    expect(printed.stdout + printed.stderr).not.toMatch(raw);
    const written = await agentstack(['eval', 'Tone', '--format', format, '--output', 'report.out'], { cwd });
    expect([written.stdout + written.stderr, read(cwd, 'report.out')]).toEqual([
      expect.not.stringMatching(raw),
      expect.not.stringMatching(raw),
    ]);
    if (format === 'junit') expect(read(cwd, 'report.out')).toContain('bad &#60;U+009B&#62;31m&#60;U+202E&#62;');
  });

  test.each([
    ['snapshot', 'Tone'],
    ['snapshot', 'Tone', '--json'],
    ['snapshot', 'Tone', '--explain', 'system_text'],
    ['compose', 'Tone', '--case', 'set/good'],
    ['check'],
    ['check', '--format', 'github'],
    ['check', '--format', 'sarif'],
    ['list'],
    ['run', 'Tone', '--case', 'set/good'],
    ['run', `${unseen}`],
    ['runs', 'show', unseen],
    ['tools', 'Tone'],
    ['new', 'case', 'Tone', unseen],
    ['types', '--out', `${unseen}.ts`],
    [unseen],
    ['check', `--${unseen}`],
  ])('%s %s', async (...args) => {
    const cwd = project();
    const { stdout, stderr } = await agentstack(args, { cwd });
    expect(stdout + stderr).not.toBe('');
    expect(stdout + stderr).not.toMatch(raw);
  });

  test('a snapshot that is shown is the same value all the same', async () => {
    const { stdout } = await agentstack(['snapshot', 'Tone'], { cwd: project() });
    expect(stdout).toContain('\\u009b31m\\u202e');
    expect(JSON.stringify(JSON.parse(stdout.slice(stdout.indexOf('{'))))).toContain(unseen);
  });
});

test('styles of ours and ends of lines are left as they are', () => {
  const written: string[] = [];
  const stream = { isTTY: true, columns: 80, on: () => undefined, write: (text: string) => void written.push(text) };
  const host = { stdout: stream, stderr: stream, env: {} } as unknown as Parameters<typeof createTerminal>[0];
  const terminal = createTerminal(host, [], { cover: (text) => text });
  terminal.print(`${terminal.out.red('+ a\r')}\nb\tc\r\nd\re\u001b[2J\u009b`);
  expect(written).toEqual(['\u001b[31m+ a\r\u001b[39m\nb\tc\r\nd<U+000D>e<U+001B>[2J<U+009B>\n']);
  terminal.note('Größe 👩‍💻 می‌خواهم');
  expect(written[1]).toBe('Größe 👩‍💻 می‌خواهم\n');
});
