import { describe, expect, test } from 'vitest';
import { compareSides, isDifferent } from '../../core/diff/compareSides.js';
import type { JsonObject } from '../../core/json.js';
import { type Files, sideOf, sidesOf } from './sides.js';

const sorter: JsonObject = {
  system_text: 'Sort it.',
  llm_config_id: 'main',
  output_schema: { type: 'object', properties: { label: { enum: ['bug', 'idea'] } }, required: ['label'] },
};
const main = { provider: 'openai', model_name: 'gpt-5.4-mini' };
const isBug = { task: 'sort', output_field: 'label', operator: 'equals', value: 'bug' };
const isIdea = { ...isBug, value: 'idea' };
const fixesBugs = { condition: isBug, next_team: 'fix' };
const toFix = (update: string) => ({ next_team: 'fix', context_updates: { kind: update } });
const flow = (routing: JsonObject, task: JsonObject = { agent: 'Sort@v1' }, more: JsonObject = {}): Files => ({
  'orchestrations/flow': {
    entry_team: 'in',
    teams: {
      in: { tasks: [{ name: 'sort', ...task }], routing },
      fix: { tasks: [{ name: 'mend', persona_key: 'mender' }] },
      ...more,
    },
  },
});
const routing: JsonObject = { rules: [fixesBugs], default: null };
const planOf = (...steps: JsonObject[]): Files => ({ 'agents/Plan/v1': { agent_type: 'orchestrating', execution_plan: { steps } } });
const fileServer = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', 'docs'] };
const looping = (server: string): Files => ({
  'agents/Loop/v1': { agent_type: 'react', llm_config_id: 'main', client_ids: [server], enabled_tools: ['read_text_file'] },
});
const files: Files = {
  'llms/main': main,
  'personas/mender': { system_text: 'Mend it.', llm_config_id: 'main' },
  'agents/Sort/v1': sorter,
  ...flow(routing),
  ...planOf({ name: 'sort', agent: 'Sort@v1' }),
};

const partsOf = async (change: Files, name: string, before: Files = {}) => {
  const { costs: _costs, ...parts } = await compareSides(...(await sidesOf({ ...files, ...before }, change, name)));
  return { ...parts, costs: null };
};

describe('only written differently', () => {
  test.each<[string, string, Files, Files?]>([
    [
      'a persona of another name',
      'flow',
      {
        'personas/mender': undefined,
        'personas/fixer': files['personas/mender'],
        ...flow(routing, undefined, { fix: { tasks: [{ name: 'mend', persona_key: 'fixer' }] } }),
      },
    ],
    [
      'an agent of another name, in a task',
      'flow',
      { 'agents/Sort/v1': undefined, 'agents/Order/v1': sorter, ...flow(routing, { agent: 'Order@v1' }) },
    ],
    [
      'an agent of another name, in a plan',
      'Plan',
      {
        'agents/Sort/v1': undefined,
        'agents/Order/v1': sorter,
        ...planOf({ name: 'sort', agent: 'Order@v1' }),
      },
    ],
    [
      'a profile of another name',
      'Sort',
      { 'llms/main': undefined, 'llms/other': main, 'agents/Sort/v1': { ...sorter, llm_config_id: 'other' } },
    ],
    [
      'a text in the prompt store',
      'Sort',
      {
        'agents/Sort/v1': { ...sorter, system_text: undefined as never, prompts: { system_prompt: 'sort@v1' } },
        'prompts/sort/v1': { template: 'Sort it.' },
      },
    ],
    [
      'rules with the same updates, in another order',
      'flow',
      flow({
        rules: [
          { condition: isIdea, ...toFix('x') },
          { condition: isBug, ...toFix('x') },
        ],
        default: null,
      }),
      flow({
        rules: [
          { condition: isBug, ...toFix('x') },
          { condition: isIdea, ...toFix('x') },
        ],
        default: null,
      }),
    ],
    [
      'a step of another name',
      'Plan',
      planOf(
        { name: 'order', agent: 'Sort@v1' },
        {
          name: 'keep',
          skill: 'write_file',
          when: { step: 'order', status: 'success' },
          input: { path: 'sort', content: '{{steps.order.output.label}}' },
        },
      ),
      planOf(
        { name: 'sort', agent: 'Sort@v1' },
        {
          name: 'keep',
          skill: 'write_file',
          when: { step: 'sort', status: 'success' },
          input: { path: 'sort', content: '{{steps.sort.output.label}}' },
        },
      ),
    ],
    [
      'a server of another name',
      'Loop',
      { ...looping('files'), mcp: { servers: { files: fileServer } } },
      { ...looping('docs'), mcp: { servers: { docs: fileServer } } },
    ],
    ['a team that nothing leads to', 'flow', flow(routing, undefined, { old: { tasks: [{ name: 'keep', agent: 'Sort@v1' }] } })],
  ])('%s', async (_name, name, change, before) => {
    expect(isDifferent(await partsOf(change, name, before))).toBe(false);
  });
});

describe('told with its cause, even if no part tells it', () => {
  test.each<[string, string, Files, Files?]>([
    ['tracing', 'Sort', { 'agents/Sort/v1': { ...sorter, tracing: { enabled: false } } }],
    ['what a failed step does', 'Plan', planOf({ name: 'sort', agent: 'Sort@v1', on_error: 'continue' })],
    ['whether a task is required', 'flow', flow(routing, { agent: 'Sort@v1', required: false })],
    ['what a rule writes into the context', 'flow', flow({ rules: [{ condition: isBug, ...toFix('bug') }], default: null })],
    [
      'which updates a rule makes, if others with the same team make others',
      'flow',
      flow({
        rules: [
          { condition: isBug, ...toFix('idea') },
          { condition: isIdea, ...toFix('bug') },
        ],
        default: null,
      }),
      flow({
        rules: [
          { condition: isBug, ...toFix('bug') },
          { condition: isIdea, ...toFix('idea') },
        ],
        default: null,
      }),
    ],
    [
      'an agent of another name that is not the same',
      'flow',
      { 'agents/Order/v1': { ...sorter, tracing: { enabled: false } }, ...flow(routing, { agent: 'Order@v1' }) },
    ],
    ['the description of an agent that may be exposed', 'Sort', { 'agents/Sort/v1': { ...sorter, description: 'Sorts.' } }],
  ])('%s', async (_name, name, change, before) => {
    const parts = await partsOf(change, name, before);
    expect(parts.causes).not.toEqual([]);
  });

  test('a name that is sent, and no other cause', async () => {
    const before = { 'agents/Sort/v1': { ...sorter, mode: 'Chooser', purpose_text: 'Choose.' } };
    const change = { 'agents/Sort/v1': undefined, 'agents/Order/v1': before['agents/Sort/v1'], ...flow(routing, { agent: 'Order@v1' }) };
    for (const [from, to] of [
      [await sideOf('before', { ...files, ...before }, 'flow'), await sideOf('after', { ...files, ...change }, 'flow')],
      [await sideOf('before', { ...files, ...before }, 'Sort'), await sideOf('after', { ...files, ...change }, 'Order')],
    ] as const) {
      const { causes, prompts, permissions } = await compareSides(from, to);
      expect(causes.flatMap(({ pointers }) => pointers)).toEqual([expect.stringMatching(/agent_name$/)]);
      expect(prompts.map(({ part }) => part)).toEqual(['system', 'response_format']);
      expect(permissions).toEqual([]);
    }
  });

  test('not two agents that change their names with each other', async () => {
    const other = { ...sorter, system_text: 'Order it.' };
    const before = { 'agents/Order/v1': other, ...flow(routing, { agent: 'Sort@v1' }) };
    expect((await partsOf({ 'agents/Order/v1': sorter, 'agents/Sort/v1': other }, 'flow', before)).prompts).toHaveLength(1);
  });

  test('what a team may do that nothing led to', async () => {
    const archive = { archive: { tasks: [{ name: 'keep', agent: 'Loop@v1', input: {} }] } };
    const before = { ...looping('docs'), mcp: { servers: { docs: fileServer } }, ...flow(routing, undefined, archive) };
    const { permissions } = await partsOf(flow({ ...routing, default: 'archive' }, undefined, archive), 'flow', before);
    expect(permissions.map(({ direction, subject, name }) => `${direction} ${subject} ${name}`).sort()).toEqual([
      'widened agent Loop',
      'widened server docs',
    ]);
  });

  test('what an agent could do that is gone', async () => {
    const [before] = await sidesOf(files, {}, 'Sort');
    const { permissions } = await compareSides(before, undefined);
    expect(permissions.map(({ direction, message }) => `${direction}: ${message}`)).toEqual([
      'narrowed: Its prompts no longer go to api.openai.com.',
    ]);
  });
});
