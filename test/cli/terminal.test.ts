import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { catchInterrupts } from '../../cli/interrupt.js';
import { createStyles } from '../../cli/terminal/styles.js';
import type { Terminal } from '../../cli/terminal/terminal.js';
import { toVisibleJson, visibleLines, visibleText } from '../../core/visibleText.js';
import { testWith } from '../support/needs.js';
import { cleanEnvironment, cliFile, toneAgent, toneProject } from './command.js';

describe('text from files', () => {
  test('is shown with what cannot be seen spelled out', () => {
    expect(visibleText('a\u001b[31m\n\t\u009b\u202eb\u200b\ufeff\ud800\u{e0041}')).toBe(
      'a<U+001B>[31m<U+000A><U+0009><U+009B><U+202E>b<U+200B><U+FEFF><U+D800><U+E0041>',
    );
    expect(visibleLines('a\n\tb\r\u0000')).toBe('a\n\tb<U+000D><U+0000>');
  });

  test('keeps letters of every script, accents, and the joiners inside emoji', () => {
    const text = 'Größe 名前 नमस्ते e\u0301 👩‍💻 🇩🇪 می‌خواهم';
    expect(visibleText(text)).toBe(text);
    expect(visibleText('pass\u200dword')).toBe('pass<U+200D>word');
  });

  test('stays the same value when it is shown as JSON', () => {
    const value = { 'a\u202e': ['\u200b', '\u009b', 'x\n'], list: [1, [2]], empty: [], text: '[\n  "a"\n]', long: Array(50).fill('word') };
    const shown = toVisibleJson(value);
    expect(JSON.parse(shown)).toEqual(value);
    expect([...shown].filter((each) => '\u202e\u200b\u009b'.includes(each))).toEqual([]);
    expect(toVisibleJson({ a: ['x', 'y'], b: { c: [1] } })).toBe('{\n  "a": ["x", "y"],\n  "b": {\n    "c": [1]\n  }\n}');
  });

  test('is shown in linear time, however hostile', () => {
    const started = performance.now();
    toVisibleJson(Array.from({ length: 20_000 }, () => [`${' '.repeat(200)}[`, '{']));
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

test('the first interrupt asks, the second ends the process, and none is caught afterwards', () => {
  const notes: string[] = [];
  const closed = new AbortController();
  const terminal = {
    note: (text: string) => notes.push(text),
    err: createStyles('plain'),
    closed: closed.signal,
  } as Partial<Terminal> as Terminal;
  const before = process.listenerCount('SIGINT');
  const { signal, release } = catchInterrupts(terminal);
  process.emit('SIGINT', 'SIGINT');
  expect(signal.aborted).toBe(true);
  expect(notes).toEqual(['Cancelling ... (again to end at once)']);
  // The test runner turns an exit of the process into an error that names the code.
  expect(() => process.emit('SIGINT', 'SIGINT')).toThrow(/process\.exit.*130/);
  release();
  expect(process.listenerCount('SIGINT')).toBe(before);
});

testWith('script', 'a terminal gets colours and a progress line, a dumb one neither', () => {
  const agents = Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => [`config/agents/A${index}/v1.json`, { ...toneAgent, agent_name: `A${index}` }]),
  );
  const cwd = toneProject({ ...agents, 'config/agents/Tone/v1.json': { ...toneAgent, temprature: 1 } });
  const onTerminal = (env: Record<string, string>) => {
    const command = `'${process.execPath}' '${cliFile}' check`;
    const { stdout, status } = spawnSync('script', ['-qec', command, '/dev/null'], { cwd, env: cleanEnvironment(env), encoding: 'utf8' });
    expect(status).toBe(0);
    return stdout;
  };
  const colourful = onTerminal({ TERM: 'xterm-256color' });
  expect(colourful).toContain('\u001b[33mwarning\u001b[39m');
  expect(colourful).toMatch(/checked \d+ of 603 files/);
  // The progress line is gone before anything else is written.
  expect(colourful).toContain('\r\u001b[K\u001b[1mconfig/agents/Tone');
  const dumb = onTerminal({ TERM: 'dumb' });
  expect(dumb).not.toContain('\u001b');
  expect(dumb).not.toContain('checked');
});
