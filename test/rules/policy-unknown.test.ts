import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';
import { agentSection, policySection, serverSections, someServers } from '../support/policyFixture.js';

const check = checkRule('policy-unknown');
const agent = agentSection('Triage', '"agent_type": "react", "client_ids": ["github", "mail"]');

async function found(policy: string, ...sections: readonly string[]): Promise<readonly string[]> {
  const findings = await findingsOf([agent, policySection(policy), ...sections].join('\n'), ['policy-unknown']);
  return findings.map(
    ({ pointer, severity, message }) => `${severity === 'error' ? '' : `${severity} `}${pointer.slice('/policy'.length)} ${message}`,
  );
}

test('tools, agents and labels that nothing has, with what is meant', () =>
  check(`${agent}
${someServers}
--- config/system.json
{
  "policy": {
    "never": [{ "from": "untrused", "to": "mial/send" }, { "from": "sends", "to": "private" }],
//                      ^^^^^^^^^^ policy-unknown The project has no tool named "untrused", so this holds nothing. Did you mean "untrusted"?
//                                        ^^^^^^^^^^^ policy-unknown The project has no tool named "mial/send", so this holds nothing. Did you mean "mail/send"?
//                                                                 ^^^^^^^ policy-unknown The label "sends" means nothing here. It takes untrusted or private, or a tool.
//                                                                                ^^^^^^^^^ policy-unknown The label "private" means nothing here. It takes sends, changes, destroys or runs_code, or a tool.
    "only_after_approval": ["mail/delete_*", "destroys", "mail/*", "*", "mail_send", "search", "calculator"],
//                          ^^^^^^^^^^^^^^^ policy-unknown The project has no tool that fits "mail/delete_*", so this holds nothing.
//                                           ^^^^^^^^^^ policy-unknown The label "destroys" means nothing here. It takes a tool.
    "agents": { "Triag": { "may_not": ["sends", "untrusted", "send"] }, "Triage": { "may_not": ["sent"] } }
//              ^^^^^^^ policy-unknown There is no agent or orchestration "Triag", so this holds nothing. Did you mean "Triage"?
//                                                                                              ^^^^^^ policy-unknown The project has no tool named "sent", so this holds nothing. Did you mean
  }
}`));

test('in an environment, with orchestrations, and with what may be the name of a task', async () => {
  const orchestration = '--- config/orchestrations/flow.json\n{ "entry_team": "one", "teams": {} }';
  const policy = '{ "agents": { "flow": { "may_not": ["sends"] }, "other": { "may_not": ["sends"] } } }';
  expect(await found(policy, orchestration)).toEqual(['/agents/other There is no agent or orchestration "other", so this holds nothing.']);
  expect(await found(policy, orchestration, '--- config/personas/P.json\n{}')).toEqual([
    'warning /agents/other There is no agent or orchestration "other", so this holds nothing, unless a task with a persona has that name.',
  ]);
  const prod = `${agent}\n${policySection('{ "only_after_approval": ["gone/*"] }', 'config/environments/prod.json')}\n${someServers}`;
  expect((await findingsOf(prod, ['policy-unknown'])).map(({ file, pointer }) => file + pointer)).toEqual([
    'config/environments/prod.json/policy/only_after_approval/0',
  ]);
});

test('what is not known is not reported: servers that have not been listed, variables, unreadable lists, a module that has not been loaded', async () => {
  const names =
    '{ "only_after_approval": ["web/fetch", "*/fetch", "fetch", "${WHAT}", "mail/${WHAT}"], "agents": { "${WHO}": { "may_not": ["web/*"] } } }';
  expect(await found(names, serverSections({ 'mail/send': '{}' }, ['web']))).toEqual([]);
  expect(await found('{ "only_after_approval": ["mail/send"] }', '--- config/mcp.json\n{ "servers": ')).toEqual([]);
  expect(await found('{ "only_after_approval": ["pay"] }', '--- agentstack.json\n{ "tools": "./tools.mjs" }')).toEqual([]);
});

test('servers that are gone and a project without any', async () => {
  const gone = someServers.replace(', "mail": { "command": "run-mail" }', '');
  expect(await found('{ "only_after_approval": ["mail/send", "send"] }', gone)).toEqual([
    '/only_after_approval/0 The project has no tool named "mail/send", so this holds nothing.',
    '/only_after_approval/1 The project has no tool named "send", so this holds nothing.',
  ]);
  expect(await found('{ "never": [3, { "from": 4 }], "only_after_approval": ["mail/send", 5, ""], "agents": { "Triage": 7 } }')).toEqual([
    '/only_after_approval/0 The project has no tool named "mail/send", so this holds nothing.',
  ]);
});
