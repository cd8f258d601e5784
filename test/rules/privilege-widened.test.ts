import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';
import { agentSection, serverSections, someServers } from '../support/policyFixture.js';

const check = checkRule('privilege-widened');
const sender = agentSection('Sender', '"agent_type": "react", "client_ids": ["mail"], "enabled_tools": ["send", "count"]');
const plan = (name: string, fields: string, ...agents: readonly string[]) =>
  agentSection(
    name,
    `"agent_type": "orchestrating"${fields}, "execution_plan": { "steps": [${agents.map((agent) => `{ "name": "${agent}", "agent": "${agent}" }`).join(', ')}] }`,
  );

async function found(...sections: readonly string[]): Promise<readonly string[]> {
  const findings = await findingsOf([...sections, someServers].join('\n'), ['privilege-widened']);
  return findings.map(({ file, pointer, message }) => `${file.replace('config/', '')}${pointer} ${message.split(':')[0]}`);
}

test('the step that calls the agent is marked, with what excludes the tool and what gives it', () =>
  check(`{
  "agent_type": "orchestrating",
  "exclude_components": ["mail_send"],
//                       ^^^^^^^^^^^ related A2 excludes it here.
  "execution_plan": { "steps": [{ "name": "write", "agent": "Sender" }] }
//                                                          ^^^^^^^^ privilege-widened Sender may call mail/send, which A2 excludes ("mail_send"): an agent must not be able to do more than its caller.
}
${sender}
//                                                                                                          ^^^^^^ related It gives the agent mail/send.
${someServers}`));

test('through others, in cycles, and only what is excluded', async () => {
  const limited = plan('Outer', ', "exclude_components": ["send"]', 'Inner');
  const expected = ['agents/Outer/v1.json/execution_plan/steps/0/agent Sender may call mail/send, which Outer excludes ("send")'];
  expect(await found(limited, plan('Inner', '', 'Sender'), sender)).toEqual(expected);
  expect(await found(limited, plan('Inner', '', 'Sender', 'Outer'), sender)).toEqual(expected);
  expect(await found(plan('Outer', ', "exclude_components": ["odd", "gone"]', 'Sender'), sender)).toEqual([]);
  expect(await found(plan('Outer', '', 'Sender'), sender)).toEqual([]);
});

test('a bare name means the tools of the own servers', async () => {
  const servers = serverSections({ 'docs/send': '{}', 'mail/send': '{}' });
  const caller = plan('Outer', ', "client_ids": ["docs"], "exclude_components": ["send"]', 'Sender');
  const agent = agentSection('Sender', '"agent_type": "react", "client_ids": ["mail"]');
  expect(await findingsOf([caller, agent, servers].join('\n'), ['privilege-widened'])).toEqual([]);
  const both = caller.replace('["docs"]', '["docs", "mail"]');
  expect(await findingsOf([both, agent, servers].join('\n'), ['privilege-widened'])).toHaveLength(1);
});

test('a task that excludes what its agent calls', async () => {
  const flow = (config: string) => `--- config/orchestrations/flow.json
{ "entry_team": "one", "teams": { "one": { "name": "one", "tasks": [{ "name": "write", "agent": "Outer@v1"${config} }], "routing": { "default": null } } } }`;
  expect(await found(flow(', "config": { "exclude_components": ["send"] }'), plan('Outer', '', 'Sender'), sender)).toEqual([
    'orchestrations/flow.json/teams/one/tasks/0/config/exclude_components/0 Sender may call mail/send, which Outer excludes ("send")',
  ]);
  expect(await found(flow(''), plan('Outer', ', "exclude_components": ["send"]', 'Sender'), sender)).toEqual([
    'agents/Outer/v1.json/execution_plan/steps/0/agent Sender may call mail/send, which Outer excludes ("send")',
  ]);
});
