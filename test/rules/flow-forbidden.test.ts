import { expect, test } from 'vitest';
import { checkRule, findingsOf, sentencesOf } from '../support/checkRule.js';
import { agentSection, policySection, someServers } from '../support/policyFixture.js';

const check = checkRule('flow-forbidden');
const never = policySection('{ "never": [{ "from": "untrusted", "to": "sends" }] }');
const reader = agentSection('Reader', '"agent_type": "react", "client_ids": ["github"]');
const sender = agentSection('Sender', '"agent_type": "react", "client_ids": ["mail"], "enabled_tools": ["send"]');
const both = agentSection('Both', '"agent_type": "react", "client_ids": ["github", "mail"], "enabled_tools": ["search", "send"]');

async function found(...sections: readonly string[]): Promise<readonly string[]> {
  const findings = await findingsOf(`${sections.join('\n')}\n${someServers}`, ['flow-forbidden']);
  return findings.map(({ file, pointer, severity, message }) => `${severity} ${file.replace('config/', '')}${pointer} ${message}`);
}

test('a flow is marked at the tool that sends, with the assertion and the source', () =>
  check(`{ "agent_type": "react", "client_ids": ["github", "mail"], "enabled_tools": ["search", "send"] }
//                                                                           ^^^^^^^^ related The data comes from github/search.
//                                                                                     ^^^^^^ flow-forbidden The policy forbids this flow (never untrusted -> sends): github/search (untrusted) -> A2 -> mail/send (sends). A run denies the call.
--- config/system.json
{ "policy": { "never": [{ "from": "untrusted", "to": "sends" }] } }
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ related The policy says so here.
${someServers}`));

test('the tools that one entry brings are one finding', async () => {
  const agent = '{ "agent_type": "react", "client_ids": ["github", "mail"], "exclude_components": ["odd"] }';
  expect(await sentencesOf(`${agent}\n${never}\n${someServers}`, 'flow-forbidden')).toEqual([
    '/client_ids/1 The policy forbids this flow (never untrusted -> sends): github/search (untrusted) -> A2 -> mail/send (sends). A run denies the call. The same holds for mail/forward.',
  ]);
});

test('a persona that brings the tools', async () => {
  const persona =
    '--- config/personas/P.json\n{ "agent_type": "react", "client_ids": ["github", "mail"], "enabled_tools": ["search", "send"] }';
  expect(await found(agentSection('A', '"persona_key": "P"'), persona, never)).toEqual([
    'error agents/A/v1.json/persona_key The policy forbids this flow (never untrusted -> sends): github/search (untrusted) -> A -> mail/send (sends). A run denies the call.',
  ]);
});

const plan = (name: string, ...steps: readonly string[]) =>
  agentSection(name, `"agent_type": "orchestrating", "execution_plan": { "steps": [${steps.join(', ')}] }`);

test('a flow between the agents of a plan is marked at the step of the agent that sends', async () => {
  const caller = plan(
    'Plan',
    '{ "name": "read", "agent": "Reader" }',
    '{ "name": "write", "agent": "Sender", "input": { "text": "{{steps.read.output.text}}" } }',
  );
  expect(await found(caller, reader, sender, never)).toEqual([
    'error agents/Plan/v1.json/execution_plan/steps/1/agent The policy forbids this flow (never untrusted -> sends): github/search (untrusted) -> Reader.text (free text) -> Sender -> mail/send (sends). A run denies the call. To end it, hold text of Reader to an enum.',
  ]);
});

test('a flow within a called agent is a finding of that agent alone, and agents that call each other show their own', async () => {
  const single = ['error agents/Both/v1.json/enabled_tools/1'];
  const places = async (...sections: readonly string[]) => (await found(...sections)).map((text) => text.split(' The')[0]);
  expect(await places(plan('Plan', '{ "name": "a", "agent": "Both" }'), both, never)).toEqual(single);
  const outer = plan('Outer', '{ "name": "a", "agent": "Plan" }');
  expect(await places(outer, plan('Plan', '{ "name": "a", "agent": "Both" }'), both, never)).toEqual(single);
  const [one, two] = [
    plan('One', '{ "name": "a", "agent": "Two" }', '{ "name": "b", "agent": "Both" }'),
    plan('Two', '{ "name": "a", "agent": "One" }'),
  ];
  expect(await places(one, two, both, never)).toEqual(single);
});

const flow = (input: string) => `--- config/orchestrations/flow.json
{ "entry_team": "one", "teams": {
  "one": { "name": "one", "tasks": [{ "name": "read", "agent": "Reader@v1" }],
    "routing": { "rules": [{ "condition": { "always": true }, "next_team": "two", "context_updates": { "seen": "${input}" } }] } },
  "two": { "name": "two", "tasks": [{ "name": "write", "agent": "Sender@v1", "input": { "text": "{{context.seen}}" } }], "routing": { "default": null } }
} }`;

test('a flow between teams is marked at the task, and a contract without text stops it', async () => {
  const typed = agentSection(
    'Reader',
    '"agent_type": "react", "client_ids": ["github"], "output_schema": { "type": "object", "required": ["label", "text"], "properties": { "label": { "type": "string", "enum": ["a"] }, "text": { "type": "string" } }, "additionalProperties": false }',
  );
  expect(await found(flow('{{tasks.read.output.text}}'), typed, sender, never)).toEqual([
    'error orchestrations/flow.json/teams/two/tasks/0/agent The policy forbids this flow (never untrusted -> sends): github/search (untrusted) -> Reader.text (free text) -> context.seen -> Sender -> mail/send (sends). A run denies the call. To end it, hold text of Reader to an enum.',
  ]);
  expect(await found(flow('{{tasks.read.output.label}}'), typed, sender, never)).toEqual([]);
});

test('what an agent or an orchestration may not do', async () => {
  const limits = policySection('{ "agents": { "Sender": { "may_not": ["sends"] }, "flow": { "may_not": ["github/*"] } } }');
  expect(await found(flow('x'), reader, sender, limits)).toEqual([
    'error agents/Sender/v1.json/enabled_tools/0 The policy forbids this call (Sender may not: sends): mail/send. A run denies it.',
    'error orchestrations/flow.json/teams/one/tasks/0/agent The policy forbids this call (flow may not: github/*): github/search. A run denies it.',
  ]);
});

test('an approval: of tools of servers always, of own tools only as their code or the policy says', async () => {
  const approved = (more = '') => policySection(`{ "never": [{ "from": "untrusted", "to": "sends", "without": "approval" }]${more} }`);
  const own = '--- agentstack.json\n{ "skills": { "post": { "description": "Posts.", "labels": { "sends": true } } } }';
  const agent = agentSection('A', '"agent_type": "react", "client_ids": ["github"], "enabled_tools": ["search", "post"]');
  expect(await found(both, approved())).toEqual([]);
  expect(await found(agent, own, approved())).toEqual([
    'info agents/A/v1.json/enabled_tools/1 Only the code of post says whether its calls ask for approval, as the policy wants (never untrusted -> sends without approval): github/search (untrusted) -> A -> post (sends). Name it in only_after_approval.',
  ]);
  expect(await found(agent, own, approved(', "only_after_approval": ["post"]'))).toEqual([]);
});

test('a pattern that means every tool, and a policy that only another environment has', async () => {
  const agent = agentSection('A', '"agent_type": "react", "client_ids": ["mail"], "enabled_tools": ["mail_count"]');
  expect(await found(agent, policySection('{ "never": [{ "from": "*", "to": "*/*" }] }'))).toEqual([
    'error agents/A/v1.json/enabled_tools/0 The policy forbids this flow (never * -> */*): mail/count -> A -> mail/count. A run denies the call.',
  ]);
  const prod = policySection('{ "never": [{ "from": "untrusted", "to": "sends" }] }', 'config/environments/prod.json');
  expect(await found(both, prod)).toEqual([]);
});

test('nothing is judged without a policy, and the wrong types in one judge nothing', async () => {
  expect(await found(both)).toEqual([]);
  expect(await found(both, policySection('{ "never": [3, { "from": 1 }, null], "agents": [] }'))).toEqual([]);
  expect(await found(both, policySection('[]'))).toEqual([]);
});
