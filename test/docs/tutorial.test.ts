import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentstack, temporaryProject, write } from '../cli/command.js';
import { blocksOf, pages, root } from './pages.js';
import { shellCommands } from './shell.js';

// A page that leads from an empty folder to a result is followed to the letter: its files are written, its commands run in order, each
// with exit code 0 or the one that its comment says, and what the page shows of their output is there.

/** Commands of others: a package manager needs a network, the folder is there, and jq is seldom installed. */
const notRun = new Set(['npm', 'mkdir', 'cd', 'jq']);

const followed = ['docs/tutorial.md', 'docs/getting-started.md', ...pages.filter((page) => page.startsWith('docs/migrating/'))];

test.each(followed)('every command of %s works', async (page) => {
  const cwd = temporaryProject({});
  let printed = '';
  for (const { language, file, text, place } of blocksOf(page)) {
    if (file !== undefined) write(cwd, file, text);
    else if (language === 'sh') {
      printed = '';
      for (const line of text.trim().split('\n')) printed += await follow(line, cwd, place);
    } else if (language === 'text') {
      for (const line of text.trim().split('\n')) expect(printed, place).toContain(line.trim());
    }
  }
});

/** Commands of the README that need what a test lacks. */
const needs = [
  { word: '--llm openai', reason: 'a key' },
  { word: 'origin/main', reason: 'a remote repository' },
  { word: 'lsp --stdio', reason: 'an editor' },
  { word: 'runs resume', reason: 'a run that was interrupted' },
];

test('every command of the README works, in the sample project', async () => {
  const sample = temporaryProject({});
  for (const path of ['agentstack.json', 'config', 'docs']) cpSync(join(root, path), join(sample, path), { recursive: true });
  let commands = 0;
  for (const { text, place } of blocksOf('README.md').filter(({ language }) => language === 'sh')) {
    const cwd = text.includes('agent-stack init') ? temporaryProject({}) : sample;
    for (const line of text.trim().split('\n')) {
      if (needs.some(({ word }) => line.includes(word))) continue;
      await follow(line, cwd, place);
      commands += 1;
    }
  }
  expect(commands).toBeGreaterThan(15);
});

async function follow(line: string, cwd: string, place: string): Promise<string> {
  const expected = Number(/# exit code (\d+)/.exec(line)?.[1] ?? 0);
  let printed = '';
  for (const { words } of shellCommands(line)) {
    const [program = '', ...rest] = words[0] === 'npx' ? words.slice(1) : words;
    if (notRun.has(program)) continue;
    expect(program, `${place}: ${line}`).toBe('agent-stack');
    const { code, stdout, stderr } = await agentstack(rest, { cwd });
    printed += stdout + stderr;
    expect(`${place}: ${line} ends with ${code}\n${code === expected ? '' : printed}`).toBe(`${place}: ${line} ends with ${expected}\n`);
  }
  return printed;
}
