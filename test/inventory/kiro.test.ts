import { expect, test } from 'vitest';
import { findingsIn } from '../support/toolFindings.js';

const codesOf = async (agent: object, others: Record<string, string> = {}) =>
  (await findingsIn({ '.kiro/agents/a.json': JSON.stringify({ name: 'a', tools: ['read'], ...agent }), ...others })).map(
    ({ code, severity }) => `${code.replace('kiro/', '')} ${severity}`,
  );
const list = { '.kiro/settings/mcp.json': '{ "mcpServers": { "git": { "command": "git-mcp" } } }' };

test.each([
  [{ tools: undefined }, ['no-tools warning']],
  [{ tools: undefined, allowedTools: ['read'] }, ['no-tools warning']],
  [{ tools: [] }, []],
])('tools: %j', async (agent, expected) => {
  expect(await codesOf(agent)).toEqual(expected);
});

test.each([
  ['file://./prompts/a.md', []],
  ['file://../steering/a.md', []],
  ['file://prompts/none.md', ['prompt-missing error']],
  ['file://.kiro/steering/a.md', ['prompt-missing warning']],
  ['file:///home/ada/a.md', []],
  ['file://~/a.md', []],
  ['file://../../../a.md', []],
  ['Review the change.', []],
])('a prompt %s', async (prompt, expected) => {
  expect(await codesOf({ prompt }, { '.kiro/agents/prompts/a.md': 'Review.', '.kiro/steering/a.md': 'Review.' })).toEqual(expected);
});

test.each([
  [['read'], ['read', 'fs_read', 'grep', '@builtin'], 0],
  [['read'], ['read', 'fs_write'], 1],
  [['fs_write'], ['write', '@builtin/write', 'w*'], 0],
  [['read'], ['@git/status'], 1],
  [['@git'], ['@git/status', '@git/read_*', '@*/status'], 0],
  [['@git/status'], ['@git', '@git/status'], 0],
  [['@git/status'], ['@git/log'], 1],
  [['*'], ['@git/status', '*'], 1],
  [['@mcp'], ['@git/status'], 0],
])('tools %j of which %j are allowed', async (tools, allowedTools, count) => {
  const codes = await codesOf({ tools, allowedTools, mcpServers: { git: { command: 'git-mcp' } } });
  expect(codes).toEqual(Array(count).fill('allowed-without-tool warning'));
});

test.each([
  [{ tools: ['@git', '@git/log'] }, ['unknown-server warning']],
  [{ tools: ['@git'], includeMcpJson: true }, []],
  [{ tools: ['@gitt'], includeMcpJson: true }, ['unknown-server warning']],
  [{ tools: ['@sentry'], includeMcpJson: true }, []],
  [{ tools: ['@builtin', '@mcp', '@git-*'] }, []],
])('servers: %j', async (agent, expected) => {
  expect(await codesOf(agent, list)).toEqual(expected);
});

test('a server of an agent and of the project', async () => {
  expect(await codesOf({ tools: ['@git'], mcpServers: { git: { command: 'git-mcp' } } }, list)).toEqual([]);
  expect(await codesOf({ tools: ['@git'], mcpServers: { git: { command: 'other-mcp' } } }, list)).toEqual(['server-twice info']);
});

test('agents in Markdown, which newer versions read, are not judged by the rules for JSON', async () => {
  expect(await findingsIn({ '.kiro/agents/a.md': '---\nname: a\ndescription: Reviews\n---\nReview.' })).toEqual([]);
});

test.each([
  ['file://README.md', []],
  ['file://prompts/a.md', []],
  ['file://.kiro/steering', []],
  ['file://docs/none.md', ['resource-missing info']],
  ['file://.kiro/steering/**/*.md', []],
  ['file://~/a.md', []],
  ['skill://none', []],
])('a resource %s', async (resource, expected) => {
  const others = { '.kiro/agents/prompts/a.md': '', '.kiro/steering/a.md': '', 'README.md': '' };
  expect(await codesOf({ resources: [resource, { type: 'knowledgeBase' }] }, others)).toEqual(expected);
});
