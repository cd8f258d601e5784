import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';
import { agentSection, policySection, serverSections, someServers } from '../support/policyFixture.js';

const check = checkRule('tool-unlabelled');
const never = policySection('{ "never": [{ "from": "untrusted", "to": "sends" }] }');

async function found(...sections: readonly string[]): Promise<readonly string[]> {
  const findings = await findingsOf(sections.join('\n'), ['tool-unlabelled']);
  return findings.map(({ pointer, severity, message }) => `${severity} ${pointer} ${message}`);
}

test('a tool without the label that the policy asks for', () =>
  check(`{ "agent_type": "react", "client_ids": ["github", "mail"], "enabled_tools": ["search", "odd"] }
//                                                                                     ^^^^^ tool-unlabelled Nobody has said whether mail/odd sends. Whether the policy holds is not known (never untrusted -> sends), and a run denies what depends on it.
${never}
${someServers}`));

test('a tool that may be a source', async () => {
  const agent = agentSection('A', '"agent_type": "react", "client_ids": ["mail"], "enabled_tools": ["send", "odd"]');
  const [first] = await found(agent, never, someServers);
  expect(first).toMatch(/^warning \/enabled_tools\/1 Nobody has said whether strangers write what mail\/odd answers\./);
});

test('no finding where nothing depends on the label, or no policy is set', async () => {
  const agent = agentSection('A', '"agent_type": "react", "client_ids": ["mail"], "enabled_tools": ["count", "odd"]');
  const changing = policySection('{ "never": [{ "from": "github/*", "to": "changes" }], "agents": { "B": { "may_not": ["sends"] } } }');
  expect(await found(agent, someServers)).toEqual([]);
  expect(await found(agent, changing, someServers)).toEqual([]);
  expect(await found(agent, policySection('{ "only_after_approval": ["mail/*"] }'), someServers)).toEqual([]);
});

test('what an agent may not do', async () => {
  const agent = agentSection('A', '"agent_type": "react", "client_ids": ["mail"], "enabled_tools": ["odd"]');
  expect(await found(agent, policySection('{ "agents": { "A": { "may_not": ["destroys", "mail/send"] } } }'), someServers)).toEqual([
    'warning /enabled_tools/0 Nobody has said whether mail/odd destroys anything. Whether the policy holds is not known (A may not: destroys), and a run denies what depends on it.',
  ]);
});

test('a run asks where an approval permits the flow', async () => {
  const own = '--- agentstack.json\n{ "skills": { "post": { "description": "Posts." } } }';
  const agent = agentSection('A', '"agent_type": "react", "client_ids": ["github"], "enabled_tools": ["search", "post"]');
  const approved = policySection('{ "never": [{ "from": "untrusted", "to": "sends", "without": "approval" }] }');
  expect((await found(agent, own, approved, someServers))[0]).toContain(
    '(never untrusted -> sends without approval), and a run asks before what depends on it.',
  );
});

test('own tools say it in code, and many tools of one entry are one finding', async () => {
  const own = '--- agentstack.json\n{ "skills": { "post": { "description": "Posts." } } }';
  const agent = agentSection('A', '"agent_type": "react", "client_ids": ["github"], "enabled_tools": ["search", "post"]');
  expect((await found(agent, own, never, someServers))[0]).toContain(
    'Say it in code, in defineTool({ labels }), or in agentstack.json under skills.',
  );
  const many = serverSections({ 'x/a': '', 'x/b': '', 'x/c': '', 'x/d': '', 'x/e': '', 'x/f': '' });
  expect(await found(agentSection('A', '"agent_type": "react", "client_ids": ["x"]'), never, many)).toEqual([
    expect.stringMatching(
      /^warning \/client_ids\/0 Nobody has said whether strangers write what x\/a, x\/b, x\/c, x\/d and 2 more answers\./,
    ),
  ]);
});

test('servers that have not been listed, and names with a variable', async () => {
  const servers = serverSections({ 'mail/send': '{ "sends": true }' }, ['web']);
  expect(await found(agentSection('A', '"agent_type": "react", "client_ids": ["mail", "web"]'), never, servers)).toEqual([
    'warning /client_ids/1 The tools of the server "web" have not been listed. Whether the policy holds is not known (never untrusted -> sends), and a run denies what depends on it. List them with agent-stack tools A.',
  ]);
  const variable = agentSection('A', '"agent_type": "react", "client_ids": ["mail", "${WHERE}"]');
  const start = 'info /client_ids/1 Which tools ${WHERE} brings only a run knows, and they have no labels.';
  expect(await found(variable, never, servers)).toEqual([expect.stringContaining(start)]);
});

test('a changed tool is told of by mcp-tool-drift alone, and a server that is gone by unknown-mcp-server', async () => {
  const changed = someServers.replace(
    /("odd": \{.*?)( \})/,
    `$1, "labels": { "sends": true }, "changed": { "description": "e", "parameters": {}, "hash": "${'1'.repeat(64)}" } }`,
  );
  const agent = (ids: string) => agentSection('A', `"agent_type": "react", "client_ids": ${ids}, "enabled_tools": ["search", "odd"]`);
  expect(await found(agent('["github", "mail"]'), never, changed)).toEqual([]);
  expect((await findingsOf(`${agent('["github", "mail"]')}\n${never}\n${changed}`)).map(({ code }) => code)).toContain('mcp-tool-drift');
  const gone = someServers.replace(', "mail": { "command": "run-mail" }', '');
  expect(await found(agent('["github", "mail"]'), never, gone)).toEqual([]);
});
