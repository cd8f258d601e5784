// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these configs hold placeholders.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { isClosedAt } from '../../core/permits/closedAt.js';
import { createFlowGraph } from '../../core/permits/flowGraph.js';
import { provePolicy } from '../../core/permits/prove.js';
import { looping, type PermitFiles, servers, subjectsOf } from './support.js';

/** The outcome of one flow over all subjects of a project together. */
async function outcome(files: PermitFiles, from = 'untrusted', to = 'sends'): Promise<string | undefined> {
  const subjects = [...(await subjectsOf(files)).values()];
  return provePolicy(createFlowGraph(subjects), subjects, { never: [{ from, to }] })[0]?.outcome;
}

const labelled = servers({
  web: { read: { reads: 'public', untrusted: true } },
  mail: { send: { sends: true } },
  notes: { save: { changes: true }, list: { reads: 'private' } },
  chat: { post: { sends: true }, history: { reads: 'private' } },
  odd: { do: null },
});
const reader = (fields: JsonObject = {}) => looping('Reader', { client_ids: ['web'], ...fields });
const writer = (fields: JsonObject = {}) => looping('Writer', { client_ids: ['mail'], ...fields });
const plan = (...steps: JsonObject[]) => ({
  agent_name: 'Plan',
  version: 'v1',
  agent_type: 'orchestrating',
  client_ids: ['web', 'mail'],
  execution_plan: { steps },
});

describe('whole objects', () => {
  test('all steps', async () => {
    const steps = [
      { name: 'a', skill: 'read', input: {} },
      { name: 'b', skill: 'send', input: { all: '{{steps}}' } },
    ];
    expect(await outcome({ ...labelled, 'agents/Plan/v1': plan(...steps) })).toBe('refuted');
  });

  test('all tasks', async () => {
    const tasks = [
      { name: 'read', agent: 'Reader@v1' },
      { name: 'write', agent: 'Writer@v1', input: { all: '{{tasks}}' } },
    ];
    const flow = { name: 'flow', entry_team: 'one', teams: { one: { name: 'one', tasks, routing: { default: null } } } };
    expect(await outcome({ ...labelled, 'agents/Reader/v1': reader(), 'agents/Writer/v1': writer(), 'orchestrations/flow': flow })).toBe(
      'refuted',
    );
  });

  test('plans whose outputs are made of each other end', async () => {
    const calls = (agent_name: string, agent: string): JsonObject => ({
      ...plan({ name: 'a', agent, input: {} }, { name: 'send', skill: 'send', input: { x: '{{steps.a.output.y}}' } }),
      agent_name,
      execution_plan: {
        steps: [
          { name: 'a', agent, input: {} },
          { name: 'send', skill: 'send', input: { x: '{{steps.a.output.y}}' } },
        ],
        output: '{{steps.a.output.y}}',
      },
    });
    expect(await outcome({ ...labelled, 'agents/P/v1': calls('P', 'Q@v1'), 'agents/Q/v1': calls('Q', 'P@v1') })).toBe('proved');
  });
});

describe('what a run never gives', () => {
  test('a step that comes later', async () => {
    const steps = [
      { name: 'a', skill: 'send', input: { all: '{{steps}}' } },
      { name: 'b', skill: 'read', input: {} },
    ];
    expect(await outcome({ ...labelled, 'agents/Plan/v1': plan(...steps) }, 'web/read', 'mail/send')).toBe('proved');
  });

  test('a session to an agent that a plan calls', async () => {
    const steps = [
      { name: 'a', skill: 'read', input: {} },
      { name: 'b', agent: 'Called@v1', input: { x: '{{steps.a.output}}' } },
    ];
    const files = {
      ...labelled,
      'agents/Plan/v1': plan(...steps),
      'agents/Called/v1': looping('Called', { include_history: true }),
      'agents/Writer/v1': writer({ include_history: true }),
    };
    expect(await outcome(files)).toBe('proved');
    expect(await outcome({ ...files, 'agents/Reader/v1': reader({ include_history: true }) })).toBe('refuted');
  });

  test('what the template of a prompt leaves out', async () => {
    const teller = (user_text: string) => ({ agent_name: 'Teller', version: 'v1', agent_type: 'single_shot', system_text: 's', user_text });
    const steps = [
      { name: 'a', skill: 'read', input: {} },
      { name: 'b', agent: 'Teller@v1', input: { x: '{{steps.a.output}}', y: 1 } },
      { name: 'c', skill: 'send', input: { x: '{{steps.b.output}}' } },
    ];
    const files = (user_text: string) => ({ ...labelled, 'agents/Plan/v1': plan(...steps), 'agents/Teller/v1': teller(user_text) });
    expect(await outcome(files('{{input.y}}'), 'web/read', 'mail/send')).toBe('proved');
    expect(await outcome(files('{{input.x}}'), 'web/read', 'mail/send')).toBe('refuted');
    expect(await outcome(files('{{input}}'), 'web/read', 'mail/send')).toBe('refuted');
  });
});

test('an update that a template makes is merged into the value that was there', async () => {
  const chain = (label: JsonObject): PermitFiles => ({
    ...labelled,
    'agents/Reader/v1': reader(),
    'agents/Label/v1': looping('Label', {
      output_schema: { type: 'object', properties: { label }, additionalProperties: false },
    }),
    'agents/Writer/v1': writer(),
    'orchestrations/flow': {
      name: 'flow',
      entry_team: 'one',
      teams: {
        one: {
          name: 'one',
          tasks: [{ name: 'read', agent: 'Reader@v1' }],
          routing: {
            rules: [{ condition: [], next_team: 'two', context_updates: { seen: { all: '{{tasks.read.output}}' } } }],
            default: null,
          },
        },
        two: {
          name: 'two',
          tasks: [{ name: 'label', agent: 'Label@v1', input: {} }],
          routing: {
            rules: [{ condition: [], next_team: 'three', context_updates: { seen: '{{tasks.label.output.label}}' } }],
            default: null,
          },
        },
        three: { name: 'three', tasks: [{ name: 'write', agent: 'Writer@v1' }], routing: { default: null } },
      },
    },
  });
  expect(await outcome(chain({ type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false }))).toBe('refuted');
  expect(await outcome(chain({ enum: ['a', 'b'] }))).toBe('proved');
});

describe('tools that only a run knows', () => {
  const unlisted: PermitFiles = { ...labelled, mcp: { servers: { ...(labelled.mcp?.servers as JsonObject), late: { command: 'late' } } } };

  test('may have the name of one that is known', async () => {
    const agent = looping('A', { client_ids: ['web', 'late'], enabled_tools: ['read'] });
    expect(await outcome({ ...unlisted, 'agents/A/v1': agent })).toBe('not_known');
    expect(await outcome({ ...unlisted, 'agents/A/v1': { ...agent, enabled_tools: [] } })).toBe('proved');
  });

  test('may be what a plan names', async () => {
    const steps = [
      { name: 'a', skill: 'read', input: {} },
      { name: 'b', skill: 'save', input: { x: '{{steps.a.output}}' } },
    ];
    expect(await outcome({ ...unlisted, 'agents/Plan/v1': { ...plan(...steps), client_ids: ['web', 'notes', 'late'] } })).toBe('not_known');
  });

  test('may be of any server where a variable names it', async () => {
    const agents = {
      'agents/A/v1': looping('A', { client_ids: ['web', '${SERVER}'] }),
      'agents/B/v1': looping('B', { client_ids: ['notes', 'mail'], enabled_tools: ['list', 'send'] }),
    };
    expect(await outcome({ ...labelled, ...agents }, 'web/read', 'mail/send')).toBe('not_known');
  });
});

describe('stores', () => {
  const agents = (first: string, second: readonly string[], fields: JsonObject = {}) => ({
    'agents/A/v1': looping('A', { client_ids: ['web', first] }),
    'agents/B/v1': looping('B', { client_ids: [...second, 'mail'], ...fields }),
  });

  test('what is sent may be read again', async () => {
    expect(
      await outcome({ ...labelled, ...agents('chat', ['chat'], { enabled_tools: ['history', 'send'] }) }, 'web/read', 'mail/send'),
    ).toBe('refuted');
  });

  test('resources are of their servers', async () => {
    const enabled_tools = ['read_resource', 'send'];
    expect(await outcome({ ...labelled, ...agents('notes', ['notes'], { enabled_tools }) }, 'web/read', 'mail/send')).toBe('refuted');
    expect(await outcome({ ...labelled, ...agents('notes', [], { enabled_tools }) }, 'web/read', 'mail/send')).toBe('proved');
  });

  test('a tool without labels may write files', async () => {
    expect(await outcome({ ...labelled, ...agents('odd', [], { enabled_tools: ['read_file', 'send'] }) }, 'web/read', 'mail/send')).toBe(
      'not_known',
    );
  });
});

describe('a contract', () => {
  const free = { type: 'string' };
  const label = { enum: ['a'] };

  test('that does not say that something is a list or an object may hold the other', () => {
    expect(isClosedAt({ properties: { list: { items: label } } }, ['list', '0'])).toBe(false);
    expect(isClosedAt({ properties: { list: { type: 'array', items: label } } }, ['list', '0'])).toBe(true);
    expect(isClosedAt({ properties: { any: { properties: { 0: label } } } }, ['any', '0'])).toBe(false);
    expect(isClosedAt({ properties: { any: { type: 'object', properties: { 0: label } } } }, ['any', '0'])).toBe(true);
  });

  test('may have other items first', () => {
    const list = { type: 'array', prefixItems: [free], items: label };
    expect(isClosedAt({ $schema: 'https://json-schema.org/draft/2020-12/schema', properties: { list } }, ['list', '0'])).toBe(false);
  });

  test('is read through the parts of a combination', () => {
    const part = { type: 'object', properties: { label } };
    const root = (schema: JsonObject) => ({ type: 'object', properties: { part: schema } });
    expect(isClosedAt(root({ anyOf: [part, { type: 'null' }] }), ['part', 'label'])).toBe(true);
    expect(isClosedAt(root({ anyOf: [part, { type: 'object' }] }), ['part', 'label'])).toBe(false);
    expect(isClosedAt(root({ allOf: [{ type: 'object' }, part] }), ['part', 'label'])).toBe(true);
  });

  test('of many levels is read in little time', () => {
    const levels = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`d${at}`, { allOf: Array.from({ length: 4 }, () => ({ $ref: `#/definitions/d${at + 1}` })) }]),
    );
    expect(isClosedAt({ definitions: { ...levels, d40: free }, $ref: '#/definitions/d0' }, [])).toBe(false);
  });
});
