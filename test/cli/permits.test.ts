import { expect, test } from 'vitest';
import { validatePermits } from '../support/validateRun.js';
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
  expect([code, stderr.trim()]).toEqual([0, 'No agents, and no files of Claude Code, opencode or Kiro are here.']);
});

const tool = (labels?: object) => ({ description: 'd', parameters: { type: 'object' }, hash: '0'.repeat(64), ...(labels && { labels }) });
const looping = { version: 'v1', agent_type: 'react', system_text: 's', purpose_text: 'p', llm_config_id: 'main' };
const own = {
  'agentstack.json': {},
  'config/llms/main.json': { provider: 'openai', model_name: 'gpt-5.4-mini' },
  'config/mcp.json': { servers: { issues: { command: 'issues' }, mail: { command: 'mailer' } } },
  'config/mcp.lock.json': {
    format: 1,
    servers: {
      issues: { tools: { search: tool({ reads: 'private', untrusted: true }) } },
      mail: { tools: { send: tool({ sends: true }), odd: tool(), find: tool({ reads: 'private' }), file: tool({ changes: true }) } },
    },
  },
  'config/agents/Triage/v1.json': {
    ...looping,
    agent_name: 'Triage',
    client_ids: ['issues'],
    output_schema: {
      type: 'object',
      required: ['label', 'summary'],
      additionalProperties: false,
      properties: { label: { enum: ['bug', 'idea'] }, summary: { type: 'string' } },
    },
  },
  'config/agents/Mailer/v1.json': { ...looping, agent_name: 'Mailer', client_ids: ['mail'], enabled_tools: ['send', 'odd'] },
  'config/agents/Filer/v1.json': { ...looping, agent_name: 'Filer', client_ids: ['issues', 'mail'], enabled_tools: ['search', 'file'] },
  'config/agents/Finder/v1.json': { ...looping, agent_name: 'Finder', expose: true, client_ids: ['mail'], enabled_tools: ['find', 'send'] },
  'config/agents/Silent/v1.json': { agent_name: 'Silent', version: 'v1', system_text: 's', llm_config_id: 'main' },
  'config/orchestrations/intake.json': {
    name: 'intake',
    entry_team: 'read',
    teams: {
      read: {
        name: 'read',
        tasks: [{ name: 'triage', agent: 'Triage@v1' }],
        routing: {
          rules: [
            {
              condition: { task: 'triage', output_field: 'label', operator: 'equals', value: 'bug' },
              next_team: 'answer',
              context_updates: { seen: '{{tasks.triage.output.summary}}', kind: '{{tasks.triage.output.label}}' },
            },
          ],
          default: null,
        },
      },
      answer: { name: 'answer', tasks: [{ name: 'mail', agent: 'Mailer@v1' }], routing: { default: null } },
    },
  },
  'config/system.json': {
    policy: {
      never: [
        { from: 'untrusted', to: 'sends' },
        { from: 'private', to: 'destroys' },
      ],
      agents: { Triage: { may_not: ['sends'] } },
    },
  },
};

test('permits of an orchestration: its powers, flows with what ends them, what contracts hold, and the policy', async () => {
  const { stdout, code } = await agentstack(['permits', 'intake'], { cwd: await temporaryProject(own) });
  expect(code).toBe(0);
  const page = stdout
    .split('\n\n')[0]
    ?.split('\n')
    .filter((line) => !line.includes('does not hold a policy yet'));
  expect(page?.join('\n')).toBe(
    [
      'intake (config/orchestrations/intake.json)',
      '  May read with issues/search (private, written by strangers, agent Triage), after an approval.',
      '  May not change data with a tool whose labels are known.',
      '  May send with mail/send (agent Mailer), after an approval.',
      '  May not run code with a tool whose labels are known.',
      '  Not known: what mail/odd does, without labels.',
      '  Flow: issues/search (untrusted) -> Triage.summary (free text) -> context.seen -> Mailer -> mail/send (sends), after an approval.',
      '    To end it: hold summary of Triage to an enum, or take issues/search from Triage, or take mail/send from Mailer.',
      '  Flow: issues/search (private) -> Triage.summary (free text) -> context.seen -> Mailer -> mail/send (sends), after an approval.',
      '    To end it: hold summary of Triage to an enum, or take issues/search from Triage, or take mail/send from Mailer.',
      '  Flows that depend on labels that are missing: to mail/odd.',
      '  Held by a contract, so that no text passes: Triage.label.',
      '  Policy, never untrusted -> sends: refuted',
      '    issues/search (untrusted) -> Triage.summary (free text) -> context.seen -> Mailer -> mail/send (sends)',
      '    not known: issues/search (untrusted) -> Triage.summary (free text) -> context.seen -> Mailer -> mail/odd (not labelled)',
      '  Policy, never private -> destroys: not known',
      '    not known: issues/search (private) -> Triage.summary (free text) -> context.seen -> Mailer -> mail/odd (not labelled)',
      '  Policy, Triage may not: sends: proved',
    ].join('\n'),
  );
  expect(stdout).toContain('This holds as far as:\n  A tool does what its labels say, and nothing else');
});

test('permits of a project: what servers keep carries data from one agent to another', async () => {
  const { stdout, code } = await agentstack(['permits'], { cwd: await temporaryProject(own) });
  expect(code).toBe(0);
  expect(stdout).toContain(
    'Between runs, by what servers, files and sessions keep:\n  Flow: issues/search (untrusted) -> Filer -> mail/file -> the data of mail -> mail/find -> Finder -> mail/send (sends)',
  );
  expect(stdout).toContain('Other programs may run it ("expose": true)');
  expect(stdout).toContain('1 of 6 agents and orchestrations has no tools: it only answers.');
});

test('permits as JSON fits its schema', async () => {
  const { stdout } = await agentstack(['permits', '--json'], { cwd: await temporaryProject({ ...own, ...files }) });
  const report = JSON.parse(stdout);
  expect(validatePermits(report)).toEqual([]);
  expect(report.subjects.map(({ name }: { name: string }) => name)).toEqual(['Filer', 'Finder', 'Mailer', 'Silent', 'Triage', 'intake']);
});
