import { describe, expect, test } from 'vitest';
import type {
  CompletionItem,
  CompletionList,
  DocumentDiagnosticReport,
  Hover,
  Location,
  MarkupContent,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { openServer } from '../support/serverHarness.js';

const system = 'config/system.json';
const hash = '0'.repeat(64);
const project = (policy: string): Readonly<Record<string, string>> => ({
  'agentstack.json': '{ "skills": { "post": { "description": "Posts." } } }',
  'config/mcp.json': '{ "servers": { "mail": { "command": "run-mail" } } }',
  'config/mcp.lock.json': `{ "format": 1, "servers": { "mail": { "tools": { "send": { "description": "Sends a mail.", "parameters": {}, "hash": "${hash}" } } } } }`,
  'config/agents/Triage/v1.json': '{ "agent_name": "Triage", "version": "v1" }',
  'config/orchestrations/flow.json': '{ "name": "flow", "entry_team": "one", "teams": {} }',
  [system]: `{ "policy": ${policy} }`,
});

async function offered(policy: string): Promise<readonly string[]> {
  const server = await openServer(project(policy), { client: {} });
  const answer = await server.request<CompletionList | CompletionItem[]>('textDocument/completion', server.at(system));
  return (Array.isArray(answer) ? answer : answer.items).map(({ label }) => label);
}

test('completion offers the labels that fit, tools, servers and own tools, agents and orchestrations', async () => {
  const from = await offered('{ "never": [{ "from": "|", "to": "sends" }] }');
  expect(from).toEqual(expect.arrayContaining(['untrusted', 'private', 'mail/send', 'mail/*', 'post']));
  expect(from).not.toContain('sends');
  expect(await offered('{ "never": [{ "from": "private", "to": "|" }] }')).toEqual(
    expect.arrayContaining(['sends', 'runs_code', 'mail/send']),
  );
  expect(await offered('{ "only_after_approval": ["|"] }')).toEqual(expect.arrayContaining(['mail/send', 'mail/*', 'post']));
  expect(await offered('{ "only_after_approval": ["mail/*", "|"] }')).not.toContain('mail/*');
  expect(await offered('{ "agents": { "Triage": { "may_not": ["|"] } } }')).toEqual(
    expect.arrayContaining(['private', 'sends', 'mail/send']),
  );
  expect(await offered('{ "agents": { "|" } }')).toEqual(expect.arrayContaining(['Triage', 'flow']));
});

test('hover says what a tool does and what a field takes', async () => {
  const words = async (policy: string) => {
    const server = await openServer(project(policy), { client: {} });
    const answer = await server.request<Hover | null>('textDocument/hover', server.at(system));
    return (answer?.contents as MarkupContent | undefined)?.value ?? '';
  };
  expect(await words('{ "only_after_approval": ["mail/se|nd"] }')).toContain('Sends a mail.');
  expect(await words('{ "agents": { "Triage": { "may_not": ["mail/s*|"] } } }')).toContain('Sends a mail.');
  expect(await words('{ "never": [{ "fr|om": "private", "to": "sends" }] }')).toContain('Where the data comes from');
  expect(await words('{ "agents": { "fl|ow": { "may_not": ["sends"] } } }')).toContain('flow');
});

describe('names', () => {
  const policy =
    '{ "only_after_approval": ["ma|il/send", "po|st"], "agents": { "Tri|age": { "may_not": ["mail/*"] }, "fl|ow": { "may_not": ["sends"] } } }';

  test('lead to what they name', async () => {
    const server = await openServer(project(policy), { client: {} });
    const leadsTo = async (index: number) => {
      const places = await server.request<Location[] | null>('textDocument/definition', server.at(system, index));
      return (places ?? []).map(({ uri }) => uri.slice(server.uri('').length).replace(/^\//, ''));
    };
    expect(await leadsTo(0)).toEqual(['config/mcp.json']);
    expect(await leadsTo(1)).toEqual(['agentstack.json']);
    expect(await leadsTo(2)).toEqual(['config/agents/Triage/v1.json']);
    expect(await leadsTo(3)).toEqual(['config/orchestrations/flow.json']);
  });

  test('are renamed with it, from either side', async () => {
    const renamed = async (index: number, newName: string) => {
      const server = await openServer(project(policy), {
        client: { workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['rename'] } } },
      });
      const edit = await server.request<WorkspaceEdit>('textDocument/rename', { ...server.at(system, index), newName });
      const applied = server.applied(edit);
      return Object.fromEntries(Object.entries(applied).map(([path, text]) => [path.replace(/^\//, ''), text]))[system] ?? '';
    };
    expect(await renamed(0, 'post_office')).toContain('["post_office/send", "post"]');
    expect(await renamed(0, 'post_office')).toContain('"may_not": ["post_office/*"]');
    expect(await renamed(1, 'publish')).toContain('["mail/send", "publish"]');
    expect(await renamed(2, 'Sorter')).toContain('"Sorter": {');
    expect(await renamed(3, 'stream')).toContain('"stream": {');
  });
});

test('findings follow the labels, the servers, the policy and new agents', async () => {
  const tool = (labels: string) => `{ "description": "d", "parameters": {}, "hash": "${hash}", "labels": ${labels} }`;
  const lock = (labels: string) => `{ "format": 1, "servers": { "mail": { "tools": { "send": ${tool(labels)} } } } }`;
  const agent = 'config/agents/Triage/v1.json';
  const server = await openServer({
    ...project('{ "agents": { "Triage": { "may_not": ["sends"] }, "Later": { "may_not": ["sends"] } } }'),
    'config/mcp.lock.json': lock('{}'),
    [agent]: '{ "agent_name": "Triage", "version": "v1", "agent_type": "react", "client_ids": ["mail"] }',
  });
  const codes = async (path: string) => {
    const report = await server.request<DocumentDiagnosticReport>('textDocument/diagnostic', { textDocument: { uri: server.uri(path) } });
    return report.kind === 'full'
      ? report.items.flatMap(({ code }) => (/flow|policy-unknown|unlabelled/.test(String(code)) ? [code] : []))
      : [];
  };
  expect(await codes(agent)).toEqual([]);
  server.write('config/mcp.lock.json', lock('{ "sends": true }'));
  expect(await codes(agent)).toEqual(['flow-forbidden']);
  expect(await codes(system)).toEqual(['policy-unknown']);
  server.write('config/agents/Later/v1.json', '{ "agent_name": "Later", "version": "v1" }');
  expect(await codes(system)).toEqual([]);
  server.write(system, '{}');
  expect(await codes(agent)).toEqual([]);
});
