import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentsOfSnapshot } from '../../core/agent/load/agentsOfSnapshot.js';
import { fitFields, unmetReferences } from '../../core/diff/mixFaults.js';
import { createMixer } from '../../core/diff/mixSnapshots.js';
import type { JsonObject } from '../../core/json.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { type Files, sidesOf } from './sides.js';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const schemas = await loadSchemaCompiler();
const answer = (...names: string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
  additionalProperties: false,
});
const agent: JsonObject = {
  system_text: 'Sort it.',
  user_text: '{{input.text}}',
  input_keys: ['text'],
  llm_config_id: 'main',
  output_schema: answer('label', 'area'),
};
const llm = (llm_id: string, more: JsonObject = {}): JsonObject => ({
  llm_id,
  provider: 'openai',
  model_name: 'gpt-5.4-mini',
  api_key: 'secret://key',
  ...more,
});
const task = (name: string, agentName: string, more: JsonObject = {}) => ({
  name,
  agent: `${agentName}@v1`,
  input: { text: 'Hi' },
  ...more,
});
const flow = (tasks: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  entry_team: 'in',
  context: {},
  teams: { in: { name: 'In', tasks, routing: { default: null } }, ...more },
});
const loop: JsonObject = { ...agent, agent_type: 'react', user_text: null, output_schema: null, enabled_tools: ['calculator'] };
const files: Files = {
  'agents/A/v1': agent,
  'agents/B/v1': agent,
  'llms/main': llm('main'),
  'llms/other': llm('other', { provider: 'anthropic', model_name: 'claude-sonnet-4-6', api_key: 'secret://other' }),
  'orchestrations/flow': flow([task('one', 'A'), task('two', 'B')]),
};

async function mixerOf(change: Files, name = 'A', base: Files = files) {
  const [before, after] = await sidesOf(base, change, name);
  return { before, after, mixer: createMixer(before, after, sha256) };
}
const titles = ({ fields }: { readonly fields: readonly { readonly names: readonly string[]; readonly instances: readonly string[] }[] }) =>
  fields.map(({ names, instances }) => `${names.join()}${instances.length > 1 ? ` of ${instances.join()}` : ''}`);

describe('mixes of two frozen configs', () => {
  test('have a policy from the side that the tools are from', async () => {
    const policy = { never: [{ from: 'untrusted', to: 'sends' }] };
    const { before, after, mixer } = await mixerOf({ system: { policy }, 'agents/A/v1': { ...agent, system_text: 'Sort all.' } });
    expect(titles(mixer)).toEqual(['policy', 'system_text']);
    expect(mixer.mix([])).toMatchObject({ hash: before.hash });
    expect(mixer.mix([0, 1])).toMatchObject({ hash: after.hash });
    expect(mixer.mix([1]).value).not.toHaveProperty('policy');
  });

  const cases: readonly [string, string, Files, readonly string[], Files?][] = [
    ['fields one by one', 'A', { 'agents/A/v1': { ...agent, system_text: 'Sort.', temperature: 1 } }, ['system_text', 'temperature']],
    ['a field that comes and one that goes', 'A', { 'agents/A/v1': { ...agent, top_p: 0.5, user_text: null } }, ['top_p', 'user_text']],
    [
      'what an answer must be as one',
      'A',
      { 'agents/A/v1': { ...agent, output_schema: answer('label'), defaults: { label: 'x' } } },
      ['output_schema,defaults'],
    ],
    ['a connection as one', 'A', { 'agents/A/v1': { ...agent, llm_config_id: 'other' } }, ['llm_config_id,provider,model_name,api_key']],
    ['a model without its connection', 'A', { 'llms/main': llm('main', { model_name: 'gpt-5.4' }) }, ['model_name']],
    [
      'the choice of tools as one',
      'A',
      { 'agents/A/v1': { ...loop, enabled_tools: ['calculator', 'read_file'] } },
      ['enabled_tools,skills.read_file'],
      { ...files, 'agents/A/v1': loop },
    ],
    ['an agent of a flow', 'flow', { 'agents/B/v1': { ...agent, system_text: 'Sort.' } }, ['system_text']],
    [
      'the same change of several agents as one',
      'flow',
      { 'llms/main': llm('main', { options: { seed: 7 } }), system: { agent_defaults: { temperature: 0.5 } } },
      ['options of in/one,in/two', 'temperature of in/one,in/two'],
    ],
    [
      'a profile of one of two agents',
      'flow',
      { 'agents/B/v1': { ...agent, temperature: 1, llm_config_id: 'other' } },
      ['llm_config_id,provider,model_name,api_key', 'temperature'],
    ],
    [
      'a task more with all that it needs',
      'flow',
      {
        'orchestrations/flow': flow([task('one', 'A'), task('two', 'B'), task('three', 'A')]),
        'agents/A/v1': { ...agent, temperature: 1 },
      },
      ['orchestration,agents.in/three', 'temperature'],
    ],
    ['a task less', 'flow', { 'orchestrations/flow': flow([task('one', 'A')]) }, ['orchestration,agents.in/two']],
  ];

  test.each(cases)('take %s', async (_, name, change, expected, base = files) => {
    const { before, after, mixer } = await mixerOf(change, name, base);
    const all = [...mixer.fields.keys()];
    expect(titles(mixer)).toEqual(expected);
    expect(mixer.mix([]).hash).toBe(before.hash);
    expect(mixer.mix(all).hash).toBe(after.hash);
    for (const field of all) {
      const { hash, value } = mixer.mix([field]);
      expect(hash === after.hash).toBe(all.length === 1);
      expect(hash).not.toBe(before.hash);
      expect([...agentsOfSnapshot(mixer.mix([field]), { schemas }).keys()].sort()).toEqual(Object.keys(value.agents).sort());
    }
  });

  test('swap with their sides', async () => {
    for (const [, name, change, , base = files] of cases) {
      const [before, after] = await sidesOf(base, change, name);
      const [there, back] = [createMixer(before, after, sha256), createMixer(after, before, sha256)];
      expect(there.fields.length).toBe(back.fields.length);
    }
  });

  test('never send a key of one side to the host of the other', async () => {
    const { before, after, mixer } = await mixerOf({
      'llms/main': llm('main', {
        base_url: 'https://proxy.example.com/v1',
        api_key: 'secret://proxy',
        model_name: 'gpt-5.4',
        options: { seed: 1 },
      }),
      'agents/A/v1': { ...agent, temperature: 1, max_output_tokens: 50 },
    });
    const pair = ({ value }: { readonly value: typeof before.value }) => JSON.stringify(value.llms.main);
    fc.assert(
      fc.property(fc.subarray([...mixer.fields.keys()]), (taken) => {
        expect([pair(before), pair(after)]).toContain(pair(mixer.mix(taken)));
      }),
    );
  });

  test('never let an agent call what neither side lets it', async () => {
    const { before, after, mixer } = await mixerOf(
      {
        'agents/A/v1': {
          ...loop,
          enabled_tools: ['read_file', 'current_time'],
          exclude_components: ['current_time'],
          system_text: 'Look.',
          max_iterations: 3,
        },
      },
      'A',
      { ...files, 'agents/A/v1': { ...loop, enabled_tools: ['calculator', 'current_time'], timeout_ms: 900 } },
    );
    const toolsOf = (snapshot: Parameters<typeof agentsOfSnapshot>[0]) =>
      agentsOfSnapshot(snapshot, { schemas })
        .get('A')
        ?.resolved.tools.map(({ name }) => name);
    const ends = [before, after].map(({ agents }) => agents.get('A')?.resolved.tools.map(({ name }) => name));
    expect(ends[0]).not.toEqual(ends[1]);
    fc.assert(
      fc.property(fc.subarray([...mixer.fields.keys()]), (taken) => {
        expect(ends).toContainEqual(toolsOf(mixer.mix(taken)));
      }),
    );
  });

  test('have each field from one of the sides, and from the one that was asked for', async () => {
    const field = fc.constantFrom('system_text', 'user_text', 'purpose_text');
    const values = fc.dictionary(field, fc.constantFrom('a', 'b'), { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(values, values, fc.infiniteStream(fc.boolean()), async (one, other, coins) => {
        const base = { ...files, 'agents/A/v1': { ...agent, ...one } };
        const { before, after, mixer } = await mixerOf({ 'agents/A/v1': { ...agent, ...other } }, 'A', base);
        const taken = [...mixer.fields.keys()].filter(() => coins.next().value);
        const { value } = mixer.mix(taken);
        mixer.fields.forEach(({ names: [name = ''] }, number) => {
          const side = (taken.includes(number) ? after : before).value.agents.A as unknown as JsonObject;
          expect((value.agents.A as unknown as JsonObject)[name]).toEqual(side[name]);
        });
      }),
      { numRuns: 30 },
    );
  });
});

describe('what does not fit together', () => {
  const unmet = async (change: Files, name = 'A') => {
    const { after, before } = await mixerOf(change, name);
    return { before: unmetReferences(before.value, before.agents), after: unmetReferences(after.value, after.agents) };
  };

  test('is a prompt that names a field that the input does not have', async () => {
    expect(await unmet({ 'agents/A/v1': { ...agent, user_text: '{{input.text}} {{input.topic}}' } })).toEqual({
      before: [],
      after: ['the prompt names {{input.topic}}, which the input does not have'],
    });
  });

  test('is a template or a rule that reads what an answer does not have', async () => {
    const reading = (field: string) =>
      flow([task('one', 'A'), task('two', 'B', { depends_on: ['one'], input: { text: `{{tasks.one.output.${field}}}` } })]);
    expect(await unmet({ 'orchestrations/flow': reading('label') }, 'flow')).toEqual({ before: [], after: [] });
    expect((await unmet({ 'orchestrations/flow': reading('tone') }, 'flow')).after).toEqual([
      'the input of the task "two" of the team "in" reads "tone", which the answer of in/one does not have',
    ]);
  });

  /** @param sound the sets of fields that fit, by their letters */
  const fitted = (letters: string, isSound: (taken: string) => boolean) => {
    const faultOf = (taken: readonly number[]) => (isSound(taken.map((field) => letters[field]).join('')) ? undefined : 'why');
    return fitFields(letters.length, faultOf).map(({ fields, why }) => fields.map((field) => letters[field]).join('') + (why ?? ''));
  };

  test('is taken together, and the rest alone', () => {
    const needs = (one: string, other: string) => (taken: string) => !taken.includes(one) || taken.includes(other);
    expect(fitted('abcd', () => true)).toEqual(['a', 'b', 'c', 'd']);
    expect(fitted('abcd', needs('b', 'd'))).toEqual(['a', 'bdwhy', 'c']);
    expect(fitted('abc', (taken) => needs('a', 'b')(taken) && needs('b', 'c')(taken))).toEqual(['abcwhy']);
    expect(fitted('ab', (taken) => taken.length !== 1)).toEqual(['abwhy']);
    expect(fitted('abc', (taken) => taken.length === 0 || taken.length === 3)).toEqual(['abcwhy']);
  });
});
