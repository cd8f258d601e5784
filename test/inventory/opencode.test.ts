import { expect, test } from 'vitest';
import { findingsIn } from '../support/toolFindings.js';

const config = (value: object) => ({ 'opencode.json': JSON.stringify(value) });
const codesOf = async (texts: Record<string, string>) => (await findingsIn(texts)).map(({ code }) => code.replace('opencode/', ''));

test.each([
  [{ agent: { a: { mode: 'helper' } } }, 1],
  [{ agent: { a: { mode: { toString: 1 } } } }, 1],
  [{ agent: { a: { steps: 0, disable: 'yes', tools: ['read'] } } }, 3],
  [{ agent: { a: { temperature: '{env:HEAT}', mode: 'all', reasoningEffort: 'high', color: 'new' } } }, 0],
  [{ permission: { bash: { '*': 'allowed' }, edit: true } }, 2],
  [{ permission: 'ask', agent: { a: { permission: { edit: 'deny' } } } }, 0],
  [{ agent: 'none' }, 0],
])('values that are refused: %j', async (value, count) => {
  expect(await codesOf(config(value))).toEqual(Array(count).fill('value-invalid'));
});

test('agents in Markdown are judged alike', async () => {
  const agent = (matter: string) => ({ '.opencode/agents/team/a.md': `---\n${matter}\n---\nReview.` });
  expect(await codesOf(agent('mode: main'))).toEqual(['value-invalid']);
  expect(await codesOf(agent('mode: primary\nmodel: sonnet'))).toEqual(['model-form']);
  expect(await codesOf(agent('permission:\n  bash:\n    "git push": deny\n    "git *": allow'))).toEqual(['permission-shadowed']);
});

test.each([
  [{ bash: { 'git push *': 'deny', '*': 'ask' } }, 1],
  [{ bash: { 'git push *': 'deny', 'git tag *': 'deny', '*': 'ask' } }, 1],
  [{ bash: { git: 'deny', 'git *': 'allow' } }, 1],
  [{ bash: { '*': 'ask', 'git push *': 'deny' } }, 0],
  [{ bash: { 'git push *': 'ask', '*': 'ask' } }, 0],
  [{ bash: { 'gitk *': 'deny', 'git *': 'allow' } }, 0],
  [{ bash: 'allow', '*': 'deny' }, 1],
  [{ '*': 'deny', bash: 'allow' }, 0],
])('patterns behind which a wider one comes: %j', async (permission, count) => {
  expect(await codesOf(config({ permission }))).toEqual(Array(count).fill('permission-shadowed'));
});

test('the ordered rules of version 2', async () => {
  const push = { action: 'shell', resource: 'git push *', effect: 'deny' };
  const all = { action: 'shell', resource: '*', effect: 'ask' };
  expect(await codesOf(config({ permissions: [push, all] }))).toEqual(['permission-shadowed']);
  expect(await codesOf(config({ permissions: [all, push, { ...all, action: 'edit' }] }))).toEqual([]);
});

test.each([
  ['{file:./prompts/a.md}', []],
  ['{file:prompts/none.md}', ['file-missing']],
  ['{file:./none/a.md}', ['file-missing']],
  ['{file:~/a.md}', []],
  ['{file:/etc/a.md}', []],
  ['{file:../../a.md}', []],
])('a prompt from a file: %s', async (prompt, codes) => {
  const files = { 'web/opencode.json': JSON.stringify({ agent: { a: { prompt } } }), 'web/prompts/a.md': 'Review.' };
  expect(await codesOf(files)).toEqual(codes);
});

test('a command in place of a tool', async () => {
  expect(await codesOf(config({ permission: { 'rm -rf *': 'deny', 'my_mcp*': 'ask' } }))).toEqual(['permission-tool']);
});

test.each([
  ['a', { a: { mode: 'subagent' } }, ['default-agent']],
  ['a', { a: { hidden: true } }, ['default-agent']],
  ['a', { a: { disable: true } }, ['default-agent']],
  ['a', { a: { mode: 'all' } }, []],
  ['a', { a: {} }, []],
  ['explore', {}, ['default-agent']],
  ['explore', { explore: { mode: 'primary' } }, []],
  ['plan', {}, []],
  ['constructor', {}, []],
  ['reviewr', { reviewer: {} }, ['default-agent']],
  ['of-the-user', { reviewer: {} }, []],
  ['{env:AGENT}', {}, []],
])('the default agent %s of %j', async (default_agent, agent, codes) => {
  expect(await codesOf(config({ default_agent, agent }))).toEqual(codes);
});

test('a default agent in Markdown', async () => {
  const agent = { '.opencode/agent/review.md': '---\nmode: subagent\n---\nReview.' };
  expect(await codesOf({ ...config({ default_agent: 'review' }), ...agent })).toEqual(['default-agent']);
});
