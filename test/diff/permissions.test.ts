import { describe, expect, test } from 'vitest';
import { comparePermissions, type PermissionOptions } from '../../core/diff/permissions.js';
import type { PermissionChange } from '../../core/diff/types.js';
import type { JsonObject } from '../../core/json.js';
import { type Files, sidesOf } from './sides.js';

const listed = (description: string, properties: JsonObject = {}) => ({
  description,
  parameters: { type: 'object', properties },
  hash: '0'.repeat(64),
});
const react = {
  agent_name: 'A',
  version: 'v1',
  agent_type: 'react',
  model_name: 'gpt-4.1-mini',
  client_ids: ['mail'],
  system_text: 'Work.',
};
const mail = { command: 'npx', args: ['-y', 'mail-mcp'] };
const disk = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/data', './docs'] };
const tools = { read: listed('Reads.'), send: listed('Sends.') };
const lock = (of: JsonObject) => ({
  format: 1,
  servers: Object.fromEntries(Object.entries(of).map(([id, listedTools]) => [id, { tools: listedTools }])),
});
const base: Files = {
  'agents/A/v1': { ...react, enabled_tools: ['read', 'read_file'] },
  mcp: { servers: { mail, disk } },
  'mcp.lock': lock({ mail: tools, disk: { open: listed('Opens.') } }) as JsonObject,
};
const agent = (fields: JsonObject): Files => ({ 'agents/A/v1': { ...react, enabled_tools: ['read', 'read_file'], ...fields } });
const servers = (of: JsonObject): Files => ({ mcp: { servers: { mail, disk, ...of } } });

const words = (changes: readonly PermissionChange[]) =>
  changes.map(
    ({ direction, instance, also, subject, name, message, place }) =>
      `${{ widened: '+', narrowed: '-', unknown: '?' }[direction]} ${[instance, ...also].join(' ')} ${subject} ${name}: ${message} @ ${place === null ? '-' : `${place.side} ${place.file}#${place.pointer}`}`,
  );

interface Case {
  readonly base?: Files;
  readonly change: Files;
  readonly is: readonly string[];
}
const at = (pointer: string, side = 'after') => `${side} config/agents/A/v1.json#/${pointer}`;

const cases: { readonly [what: string]: Case } = {
  'nothing that may be done': {
    change: agent({ description: 'for people', temperature: 1, system_text: 'Work hard.', enabled_tools: ['read_file', 'read'] }),
    is: [],
  },
  'a tool of a server': {
    change: agent({ enabled_tools: ['read', 'read_file', 'send'] }),
    is: [`+ A tool mail/send: It may call mail/send, each call after an approval. @ ${at('enabled_tools/2')}`],
  },
  'the same tool by another of its names': { change: agent({ enabled_tools: ['mail_read', 'read_file'] }), is: [] },
  'a built-in tool, with and without approval': {
    change: agent({ enabled_tools: ['read', 'search_files', 'read_resource'] }),
    is: [
      `+ A tool search_files: It may call the built-in tool search_files without an approval. @ ${at('enabled_tools/1')}`,
      `+ A tool read_resource: It may call the built-in tool read_resource, each call after an approval. @ ${at('enabled_tools/2')}`,
      `- A tool read_file: It may no longer call the built-in tool read_file. @ ${at('enabled_tools/1', 'before')}`,
    ],
  },
  'all tools of the server': {
    change: agent({ enabled_tools: null as never }),
    is: [
      '+ A tool mail/send: It may call mail/send, each call after an approval. @ after config/mcp.lock.json#/servers/mail/tools/send',
      `- A tool read_file: It may no longer call the built-in tool read_file. @ ${at('enabled_tools/1', 'before')}`,
    ],
  },
  'an exclusion': {
    change: agent({ exclude_components: ['read'] }),
    is: [`- A server mail: It may no longer use the server mail. @ ${at('enabled_tools/0', 'before')}`],
  },
  'a server with its tools, in one sentence': {
    change: agent({ client_ids: ['mail', 'disk'], enabled_tools: ['read', 'read_file', 'open'] }),
    is: [
      `+ A server disk: It may use the server disk (npx -y @modelcontextprotocol/server-filesystem /data ./docs), and call its tool open, each call after an approval. @ ${at('enabled_tools/2')}`,
    ],
  },
  'a server that no tool of it uses': { change: agent({ client_ids: ['mail', 'disk'] }), is: [] },
  'a tool that the lock describes differently': {
    change: { 'mcp.lock': lock({ mail: { ...tools, read: listed('Reads all.', { folder: {} }) }, disk: {} }) as JsonObject },
    is: [
      '? A tool mail/read: What mail/read does may be different: its description and parameters changed. @ after config/mcp.lock.json#/servers/mail/tools/read',
    ],
  },
  'a tool that the agent does not have': {
    change: { 'mcp.lock': lock({ mail: { ...tools, send: listed('Sends all.') }, disk: {} }) as JsonObject },
    is: [],
  },
  'a lock that is gone, with a list': {
    change: { 'mcp.lock': undefined },
    is: [
      '+ A server mail: What it may call of the server mail is known only in a run: mcp.lock.json does not pin its tools. @ after config/agents/A/v1.json#/client_ids/0',
    ],
  },
  'a lock that is gone, without a list': {
    base: { ...base, ...agent({ enabled_tools: null as never }) },
    change: { 'mcp.lock': undefined },
    is: [
      `+ A tool mail/*: It may call every tool that the server mail lists, each call after an approval: mcp.lock.json pins none. @ ${at('client_ids/0')}`,
    ],
  },
  'a name that no lock has': {
    base: { ...base, 'mcp.lock': undefined },
    change: agent({ enabled_tools: ['read', 'read_file', 'send'] }),
    is: [`+ A tool send: It may call send, each call after an approval, if the server mail lists it. @ ${at('enabled_tools/2')}`],
  },
  'an exclusion of something that no lock has': {
    base: { ...base, 'mcp.lock': undefined, ...agent({ enabled_tools: null as never }) },
    change: agent({ enabled_tools: null as never, exclude_components: ['send'] }),
    is: [`- A tool send: It may not use what its servers call send: exclude_components names it. @ ${at('exclude_components/0')}`],
  },
  'a server that is started differently': {
    change: servers({ mail: { command: 'npx', args: ['-y', 'mail-mcp@2'], env: { MAIL_PASSWORD: 'hunter2' } } }),
    is: [
      '? A server mail: For the server mail, args is ["-y","mail-mcp@2"], before ["-y","mail-mcp"]. @ after config/mcp.json#/servers/mail/args',
      '? A server mail: For the server mail, env is {"MAIL_PASSWORD":"*******"}, before nothing. @ after config/mcp.json#/servers/mail/env',
    ],
  },
  'another secret': {
    base: { ...base, ...servers({ mail: { ...mail, env: { MAIL_PASSWORD: 'hunter1' } } }) },
    change: servers({ mail: { ...mail, env: { MAIL_PASSWORD: 'hunter2' } } }),
    is: ['? A server mail: For the server mail, env is different in a secret. @ after config/mcp.json#/servers/mail/env'],
  },
  'the time limit of a server': { change: servers({ mail: { ...mail, timeout_ms: 5 } }), is: [] },
  'a server that the agent does not use': { change: servers({ disk: mail }), is: [] },
  'the address of a server, on the same host': {
    base: { ...base, ...servers({ mail: { url: 'https://a.example.com/mcp' } }) },
    change: servers({ mail: { url: 'https://a.example.com/v2' } }),
    is: [
      '? A server mail: For the server mail, url is "https://a.example.com/v2", before "https://a.example.com/mcp". @ after config/mcp.json#/servers/mail/url',
    ],
  },
  'the host of a server': {
    base: { ...base, ...servers({ mail: { url: 'https://a.example.com/mcp' } }) },
    change: servers({ mail: { url: 'https://b.example.com/mcp' } }),
    is: [
      '+ A network b.example.com: What it gives to the server mail goes to b.example.com. @ after config/mcp.json#/servers/mail/url',
      '- A network a.example.com: What it gives to the server mail no longer goes to a.example.com. @ before config/mcp.json#/servers/mail/url',
    ],
  },
  'folders of the file server': {
    base: { ...base, ...agent({ client_ids: ['disk'], enabled_tools: ['open'] }) },
    change: servers({ disk: { ...disk, args: [...disk.args.slice(0, 3), './docs/', '/data/inner', '/'] } }),
    is: ['+ A files /: It may reach the files in /, by the server disk. @ after config/mcp.json#/servers/disk/args/5'],
  },
  'a folder of the file server that is gone': {
    base: { ...base, ...agent({ client_ids: ['disk'], enabled_tools: ['open'] }) },
    change: servers({ disk: { ...disk, args: disk.args.slice(0, 3) } }),
    is: ['- A files ./docs: It may no longer reach the files in ./docs, by the server disk. @ before config/mcp.json#/servers/disk/args/3'],
  },
  'the host of the model': {
    base: { ...base, ...agent({ llm_config_id: 'm' }), 'llms/m': { llm_id: 'm', provider: 'openai', model_name: 'x' } },
    change: { 'llms/m': { llm_id: 'm', provider: 'openai_compatible', base_url: 'https://proxy.example.com/v1', model_name: 'x' } },
    is: [
      '+ A network proxy.example.com: Its prompts go to proxy.example.com. @ after config/llms/m.json#/base_url',
      '- A network api.openai.com: Its prompts no longer go to api.openai.com. @ before config/llms/m.json#/provider',
    ],
  },
  'the same host, written out': {
    base: { ...base, ...agent({ llm_config_id: 'm' }), 'llms/m': { llm_id: 'm', provider: 'openai', model_name: 'x' } },
    change: { 'llms/m': { llm_id: 'm', provider: 'openai', base_url: 'https://api.openai.com/v1', model_name: 'x' } },
    is: [],
  },
  'an address in a variable': {
    base: {
      ...base,
      ...agent({ llm_config_id: 'm' }),
      'llms/m': { llm_id: 'm', provider: 'openai_compatible', base_url: '${BASE}', model_name: 'x' },
    },
    change: { 'llms/m': { llm_id: 'm', provider: 'openai_compatible', base_url: '${OTHER_BASE}', model_name: 'x' } },
    is: [
      '+ A network ${OTHER_BASE}: Its prompts go to ${OTHER_BASE}. @ after config/llms/m.json#/base_url',
      '- A network ${BASE}: Its prompts no longer go to ${BASE}. @ before config/llms/m.json#/base_url',
    ],
  },
  'a tool that a variable names': {
    change: agent({ enabled_tools: ['read', 'read_file', '${TOOL}'] }),
    is: [`? A tool \${TOOL}: enabled_tools names \${TOOL}: only a run knows which that is. @ ${at('enabled_tools/2')}`],
  },
  'limits that are raised, lowered and gone': {
    base: { ...base, ...agent({ budget: { max_cost: 1, max_time_ms: 1000 }, max_iterations: 5 }) },
    change: agent({ budget: { max_time_ms: 500 }, max_iterations: 20, timeout_ms: 60000 }),
    is: [
      `+ A limit timeout_ms: A run may take at most 1 min 0 s, before at most 30.00 s. @ ${at('timeout_ms')}`,
      `+ A limit max_cost: A run may cost any amount: the limit of 1.00 USD is gone. @ ${at('budget')}`,
      `- A limit max_time_ms: The budget of a run allows at most 500 ms, before at most 1.00 s. @ ${at('budget/max_time_ms')}`,
      `+ A limit max_iterations: A run may take at most 20 turns, before at most 5 turns. @ ${at('max_iterations')}`,
    ],
  },
};

describe('what a subject may do', () => {
  for (const [what, { base: files = base, change, is }] of Object.entries(cases)) {
    test(what, async () => {
      const [before, after] = await sidesOf(files, change);
      const changes = comparePermissions(before, after);
      expect(words(changes)).toEqual(is);
      expect(comparePermissions(after, { ...after, side: 'before' })).toEqual([]);
      const turned = { widened: 'narrowed', narrowed: 'widened', unknown: 'unknown' } as const;
      const fact = ({ direction, subject, name }: PermissionChange) => `${direction} ${subject} ${name}`;
      const back = comparePermissions({ ...after, side: 'before' }, { ...before, side: 'after' });
      expect(back.map(fact).sort()).toEqual(changes.map((change) => fact({ ...change, direction: turned[change.direction] })).sort());
    });
  }

  const persona = { ...react, agent_name: undefined, version: undefined } as never as JsonObject;
  const task = (name: string) => ({ name, agent_type: 'react', persona_key: 'p' });
  const flow = (tasks: readonly JsonObject[], limits: JsonObject = {}) => ({
    name: 'flow',
    entry_team: 'one',
    ...limits,
    teams: { one: { tasks } },
  });
  const names = Array.from({ length: 40 }, (_, index) => `t${index}`);
  const team: Files = { ...base, 'personas/p': { ...persona, enabled_tools: ['read'] }, 'orchestrations/flow': flow(names.map(task)) };

  test('is told once for forty tasks', async () => {
    const [change, ...others] = comparePermissions(
      ...(await sidesOf(team, { 'personas/p': { ...persona, enabled_tools: ['read', 'send'] } }, 'flow')),
    );
    expect(change).toMatchObject({
      direction: 'widened',
      instance: 'one/t0',
      name: 'mail/send',
      place: { file: 'config/personas/p.json', pointer: '/enabled_tools/1' },
    });
    expect([others, change?.also.length]).toEqual([[], 39]);
  });

  test('is the same for a task under another name, and another for one that may do more', async () => {
    const other = { 'orchestrations/flow': flow([...names.slice(1), 'new'].map(task)) };
    expect(comparePermissions(...(await sidesOf(team, other, 'flow')))).toEqual([]);
    const more = {
      'orchestrations/flow': flow([
        ...names.map(task),
        { ...task('more'), config: { enabled_tools: ['send'] } },
        { name: 'x', agent: 'A@v1' },
      ]),
    };
    expect(words(comparePermissions(...(await sidesOf(team, more, 'flow'))))).toEqual([
      '+ one/more tool mail/send: It may call mail/send, each call after an approval. @ after config/orchestrations/flow.json#/teams/one/tasks/40/config/enabled_tools/0',
      '+ one/x tool read_file: It may call the built-in tool read_file without an approval. @ after config/agents/A/v1.json#/enabled_tools/1',
      '+ one/x agent A: A run may use the agent A, in the task one/x. @ after config/orchestrations/flow.json#/teams/one/tasks/41/agent',
    ]);
  });

  test('is bounded by the limits of an orchestration', async () => {
    const limits = { 'orchestrations/flow': flow(names.map(task), { max_total_teams: 50, max_recursion_depth: 1 }) };
    expect(words(comparePermissions(...(await sidesOf(team, limits, 'flow'))))).toEqual([
      '+ flow limit max_total_teams: A run may go through at most 50 teams, before at most 30 teams. @ after config/orchestrations/flow.json#/max_total_teams',
      '- flow limit max_recursion_depth: A team may run at most once, before at most 5 times. @ after config/orchestrations/flow.json#/max_recursion_depth',
    ]);
  });

  test('is what a plan may call, whatever the version', async () => {
    const plan = (agents: readonly string[]) => ({
      agent_name: 'A',
      version: 'v1',
      agent_type: 'orchestrating',
      execution_plan: { steps: agents.map((name, index) => ({ name: `s${index}`, agent: name, input: {} })) },
    });
    const files: Files = {
      'agents/B/v1': { ...react, agent_name: 'B', enabled_tools: ['read'] },
      'agents/B/v2': { ...react, agent_name: 'B', version: 'v2', enabled_tools: ['read', 'send'] },
      'agents/C/v1': { ...react, agent_name: 'C', enabled_tools: ['read'] },
      mcp: base.mcp,
      'mcp.lock': base['mcp.lock'],
      'agents/A/v1': plan(['B@v1']),
    };
    expect(words(comparePermissions(...(await sidesOf(files, { 'agents/A/v1': plan(['B@v2', 'C@v1']) }))))).toEqual([
      `+ A agent C: Its plan may call the agent C. @ ${at('execution_plan/steps/1/agent')}`,
      '+ B@v2 tool mail/send: It may call mail/send, each call after an approval. @ after config/agents/B/v2.json#/enabled_tools/1',
    ]);
  });

  test('is offered to other programs', async () => {
    const [before, after] = await sidesOf(base, {});
    const tell = (exposed: PermissionOptions['exposed']) => words(comparePermissions(before, after, exposed && { exposed }));
    expect(tell({ before: false, after: true, place: null })).toEqual([
      '+ A exposure A: Other programs may run it: it is offered as an MCP tool, a model name and a language-model tool. @ -',
    ]);
    expect(tell({ before: true, after: false, place: null })).toHaveLength(1);
    expect([...tell({ after: true, place: null }), ...tell({ before: true, after: true, place: null }), ...tell(undefined)]).toEqual([]);
  });
});
