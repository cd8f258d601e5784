import { expect, test } from 'vitest';
import { agentstack, temporaryProject } from './command.js';

const files = {
  '.claude/settings.json': { permissions: { allow: ['Bash(npm test *)', 'Bash(git push *)'], deny: ['Bash(git *)'] } },
  '.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews.\ntools: Read\n---\nReview.\n',
  'opencode.json': '{ "permission": ',
  'packages/a/.kiro/agents/k.json': { name: 'k', tools: ['shell'] },
};

test('permits prints a page for each agent of another tool, and the rules to look at', async () => {
  const cwd = await temporaryProject(files);
  const { stdout, code } = await agentstack(['permits'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('the main conversation (Claude Code)');
  expect(stdout).toContain('Without asking: npm test * (.claude/settings.json:');
  expect(stdout).toContain('reviewer (subagent of Claude Code, .claude/agents/reviewer.md)');
  expect(stdout).toContain('May never run commands (tools, .claude/agents/reviewer.md:4).');
  expect(stdout).toContain('1 rule to look at:');
  // Nothing is known where the rules could not be read.
  expect(stdout).toMatch(/build \(opencode\)\n {2}Whether it may read files is not known/);
  expect(stdout).toContain('Not read, so nothing that it says counts here: opencode.json');
});

test('permits of one agent, and as JSON', async () => {
  const cwd = await temporaryProject(files);
  const { stdout } = await agentstack(['permits', 'reviewer', '--json'], { cwd });
  const { other_tools } = JSON.parse(stdout);
  expect(other_tools.agents).toHaveLength(1);
  expect(other_tools.agents[0].may.run).toEqual({
    outcome: 'never',
    by: { rule: 'tools', file: '.claude/agents/reviewer.md', line: 4, pointer: '/tools' },
    except: [],
  });
  expect(other_tools.rules).toEqual([]);
  expect(other_tools.unread).toEqual(['opencode.json']);
});

test('permits of an agent that is not there names those that are', async () => {
  const { stderr, code } = await agentstack(['permits', 'nobody'], { cwd: await temporaryProject(files) });
  expect(code).toBe(2);
  expect(stderr).toContain('There are: k, the main conversation, reviewer, build.');
});

test('permits where there is nothing', async () => {
  const { stderr, code } = await agentstack(['permits'], { cwd: await temporaryProject({ 'a.txt': '' }) });
  expect([code, stderr.trim()]).toEqual([0, 'No files of Claude Code, opencode or Kiro are here.']);
});
