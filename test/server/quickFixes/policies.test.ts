import { describe, expect, test } from 'vitest';
import { agentSection, policySection, serverSections, someServers } from '../../support/policyFixture.js';
import { actionsFor, editor, filesAfter, openProject } from './support.js';

const never = policySection('{ "never": [{ "from": "untrusted", "to": "sends" }] }');

function filesOf(...sections: readonly string[]): Readonly<Record<string, string>> {
  const files = sections.join('\n').split(/^--- (.+)\n/m);
  return Object.fromEntries(files.flatMap((path, at) => (at % 2 === 1 ? [[path, files[at + 1] ?? '']] : [])));
}

/** The files that each fix of the finding changes, as they are then. */
async function fixesOf(path: string, code: string, ...sections: readonly string[]): Promise<Readonly<Record<string, readonly string[]>>> {
  const server = await openProject(filesOf(...sections));
  const fixes: Record<string, readonly string[]> = {};
  for (const action of await actionsFor(server, path, code)) {
    if (/^Ignore|^Explain/.test(action.title)) continue;
    const after = await filesAfter(server, action);
    fixes[action.title] = Object.entries(after).map(([file, text]) => `${file}: ${text.trim()}`);
  }
  return fixes;
}

const agentOf = (name: string, fields: string) => agentSection(name, `"agent_type": "react", ${fields}`);
/** As the fixes show a file. */
const shown = (section: string) => section.replace('--- ', '').replace('\n', ': ');

describe('a forbidden flow', () => {
  test('between entries of enabled_tools', async () => {
    const agent = (tools: string) => agentOf('A', `"client_ids": ["github", "mail"], "enabled_tools": ${tools}`);
    expect(await fixesOf('config/agents/A/v1.json', 'flow-forbidden', agent('["search", "send"]'), never, someServers)).toEqual({
      'Take github/search from A': [shown(agent('["send"]'))],
      'Take mail/send from A': [shown(agent('["search"]'))],
    });
  });

  test('to all tools of a server, beside what is excluded already', async () => {
    const agent = (more = '') => agentOf('A', `"client_ids": ["github", "mail"], "exclude_components": ["odd"${more}]`);
    expect(await fixesOf('config/agents/A/v1.json', 'flow-forbidden', agent(), never, someServers)).toEqual({
      'Take github/search from A': [shown(agent(', "search"'))],
      'Take mail/send, mail/forward from A': [shown(agent(', "send", "forward"'))],
    });
  });

  test('with tools that a persona brings, and with what it excludes', async () => {
    const agent = (more = '') => `--- config/agents/A/v1.json\n{ "agent_name": "A", "version": "v1", "persona_key": "P"${more} }`;
    const persona =
      '--- config/personas/P.json\n{ "agent_type": "react", "client_ids": ["github", "mail"], "exclude_components": ["odd", "forward"] }';
    expect(await fixesOf('config/agents/A/v1.json', 'flow-forbidden', agent(), persona, never, someServers)).toEqual({
      'Take github/search from A': [shown(agent(', "exclude_components": ["odd", "forward", "search"]'))],
      'Take mail/send from A': [shown(agent(', "exclude_components": ["odd", "forward", "send"]'))],
    });
  });

  test('of own tools: an approval in the file that says so', async () => {
    const own = '--- agentstack.json\n{ "skills": { "post": { "description": "Posts.", "labels": { "sends": true } } } }';
    const agent = agentOf('A', '"client_ids": ["github"], "enabled_tools": ["search", "post"]');
    const policy = (more = '') => policySection(`{ "never": [{ "from": "untrusted", "to": "sends", "without": "approval" }]${more} }`);
    const fixes = await fixesOf('config/agents/A/v1.json', 'flow-forbidden', agent, own, policy(), someServers);
    expect(fixes['Ask for approval of post in config/system.json']).toEqual([shown(policy(', "only_after_approval": ["post"]'))]);
  });

  test('through a plan and through teams: in the file of the agent or in the task', async () => {
    const reader = agentOf('Reader', '"client_ids": ["github"]');
    const sender = (more = '') => agentOf('Sender', `"client_ids": ["mail"]${more}`);
    const flow = (more: string) => `--- config/orchestrations/flow.json
{ "entry_team": "one", "teams": {
  "one": { "tasks": [{ "name": "read", "agent": "Reader@v1" }], "routing": { "rules": [{ "condition": { "always": true }, "next_team": "two", "context_updates": { "seen": "{{tasks.read.output}}" } }] } },
  "two": { "tasks": [{ "name": "write", "agent": "Sender@v1", "config": { "client_ids": ["mail"], "enabled_tools": [${more}] } }], "routing": { "default": null } }
} }`;
    const fixes = await fixesOf('config/orchestrations/flow.json', 'flow-forbidden', flow('"send"'), reader, sender(), never, someServers);
    expect(fixes).toEqual({
      'Take github/search from Reader in config/agents/Reader/v1.json': [
        shown(agentOf('Reader', '"client_ids": ["github"], "exclude_components": ["search"]')),
      ],
      'Take mail/send from Sender': [shown(flow(''))],
    });
  });
});

test('a tool without labels: a command asks the user, where the editor has it', async () => {
  const sections = [agentOf('A', '"client_ids": ["mail"]'), never, serverSections({ 'mail/odd': '', 'mail/even': '' })];
  const client = { ...editor, experimental: { commands: { commands: ['agentStack.labelTool'] } } };
  const server = await openProject(filesOf(...sections), { client });
  const actions = (await actionsFor(server, 'config/agents/A/v1.json', 'tool-unlabelled')).filter(({ command }) => command !== undefined);
  const uri = server.uri('config/mcp.lock.json');
  expect(actions.map(({ title, command }) => [title, command?.command, command?.arguments])).toEqual([
    ['Label mail/odd...', 'agentStack.labelTool', [{ uri, server: 'mail', tool: 'odd' }]],
    ['Label mail/even...', 'agentStack.labelTool', [{ uri, server: 'mail', tool: 'even' }]],
  ]);
  expect(Object.keys(await fixesOf('config/agents/A/v1.json', 'tool-unlabelled', ...sections))).toEqual([]);
});
