import { describe, expect, test } from 'vitest';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { type MigrationRequest, planMigration } from '../../core/migrate/planMigration.js';
import { writeMigration } from '../../core/migrate/writeMigration.js';
import { type MemoryFiles, memoryFiles } from '../support/memoryFiles.js';

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
const schema = {
  type: 'object',
  properties: { tone: { type: 'string', enum: ['a', 'b'] } },
  required: ['tone'],
  additionalProperties: false,
};
const facts = { context_window: 128000, max_output_tokens: 16384, price: { input: 2, output: 8 } };
const models = {
  old: { ...facts, deprecated: true },
  new: { ...facts, max_output_tokens: 8000, price: { input: 2.5, output: 8 }, unsupported: ['temperature'] },
  same: facts,
};
const agent = (more: object = {}) => json({ system_text: 'Choose.', output_schema: schema, ...more });
const tested = json({ input: { text: 'a' }, expect: [{ output_field: 'tone', operator: 'equals', value: 'a' }] });

interface Options extends Partial<MigrationRequest> {
  /** More models of agentstack.json. */
  readonly facts?: object;
  readonly variables?: MigrationRequest['variables'];
}

async function plan(texts: Readonly<Record<string, string>>, { facts: more, ...options }: Options = {}) {
  const files: MemoryFiles = memoryFiles({ 'agentstack.json': json({ models: { ...models, ...more } }), ...texts });
  const index = await loadProjectIndex(files);
  const variables = { get: () => undefined };
  const planned = await planMigration({ files, index, variables, subjects: [], allow_unknown: false, from: 'old', to: 'new', ...options });
  const places = planned.moves.flatMap((move) => move.places.map((place) => `${place.write} ${place.new_file ?? place.file}`));
  const uses = planned.moves.flatMap((move) => move.uses.map((use) => `${use.subject} (${use.environments.join(', ')}) ${use.outcome}`));
  const reasons = planned.moves.flatMap((move) => move.uses.flatMap((use) => use.reasons));
  return { ...planned, files, places, uses, reasons, whys: planned.moves.flatMap((move) => move.places.map(({ why }) => why)) };
}

describe('one place and not forty', () => {
  test('a profile is written for all its agents, and what the new model refuses goes with its name', async () => {
    const { places, uses, changes, parameters, price_change } = await plan({
      'config/llms/main.json': '{ "provider": "openai", "model_name": "old",  "temperature": 0.2 }\n',
      'config/agents/A/v1.json': agent({ llm_config_id: 'main' }),
      'config/agents/B/v1.json': agent({ llm_config_id: 'main', max_output_tokens: 9000 }),
    });
    expect(places).toEqual(['in_place config/llms/main.json']);
    expect(uses).toEqual(['A@v1 (dev) fits', 'B@v1 (dev) fits']);
    expect(changes.map(({ file, after }) => [file, after])).toEqual([
      ['config/llms/main.json', '{ "provider": "openai", "model_name": "new" }\n'],
      ['config/agents/B/v1.json', agent({ llm_config_id: 'main', max_output_tokens: 8000 })],
    ]);
    expect(parameters.map(({ note }) => note)).toEqual([
      'removes temperature 0.2, which new does not take.',
      'lowers max_output_tokens from 9000 to 8000, the most that new gives.',
    ]);
    expect(price_change).toBeCloseTo(0.25);
  });

  test('personas, defaults, environments and tasks are written where they name the model', async () => {
    const { places, uses } = await plan({
      'config/system.json': json({ agent_defaults: { model_name: 'old' } }),
      'config/environments/prod.json': json({ agents: { A: { model_name: 'old' } } }),
      'config/personas/helper.json': json({ model_name: 'old', system_text: 'Help.' }),
      'config/agents/A/v1.json': agent(),
      'config/agents/B/v1.json': agent({ persona_key: 'helper' }),
      'config/orchestrations/Flow.json': json({
        entry_team: 'one',
        teams: { one: { tasks: [{ name: 'draft', agent: 'A', config: { model_name: 'old' } }] } },
      }),
    });
    expect(places).toEqual([
      'in_place config/system.json',
      'in_place config/personas/helper.json',
      'in_place config/orchestrations/Flow.json',
      'in_place config/environments/prod.json',
    ]);
    expect(uses).toEqual(['A@v1 (dev) fits', 'B@v1 (dev, prod) fits', 'Flow: one/draft (dev, prod) fits', 'A@v1 (prod) fits']);
  });

  test('a parameter that also counts for an agent whose model takes it stays', async () => {
    const { changes, moves } = await plan({
      'config/system.json': json({ agent_defaults: { temperature: 0.3 } }),
      'config/agents/A/v1.json': agent({ model_name: 'old' }),
      'config/agents/B/v1.json': agent({ model_name: 'same' }),
    });
    expect(changes.map(({ file }) => file)).toEqual(['config/agents/A/v1.json']);
    expect(moves[0]?.uses[0]?.notes).toEqual(['temperature 0.3 has no effect any more: new does not take it.']);
  });

  test('an environment chooses places, which move in all others too', async () => {
    const texts = {
      'config/llms/main.json': json({ provider: 'openai', model_name: 'old', temperature: 0.2 }),
      'config/environments/prod.json': json({ agents: { A: { llm_config_id: 'main' }, B: { model_name: 'same' } } }),
      'config/environments/test.json': json({ agents: { A: { llm_config_id: 'main', persona_key: 'other' }, B: { model_name: 'old' } } }),
      'config/personas/other.json': json({ model_name: 'same' }),
      'config/agents/A/v1.json': agent(),
      'config/agents/B/v1.json': agent(),
    };
    const { uses, changes } = await plan(texts, { environment: 'prod' });
    expect(uses).toEqual(['A@v1 (dev, prod) fits', 'B@v1 (dev) fits']);
    // In the environment `test`, the temperature of the profile counts for a model that takes it.
    expect(changes.map(({ after }) => after)).toEqual([json({ provider: 'openai', model_name: 'new', temperature: 0.2 })]);
  });

  test('a profile that no agent uses is written too, and its price counts', async () => {
    const { places, uses, price_change } = await plan({
      'config/llms/spare.json': json({ provider: 'openai', model_name: 'old' }),
      'config/agents/A/v1.json': agent({ model_name: 'same' }),
    });
    expect([places, uses]).toEqual([['in_place config/llms/spare.json'], []]);
    expect(price_change).toBeCloseTo(0.25);
  });
});

describe('versions of an agent', () => {
  test.each([
    ['cases', { 'config/payloads/A/one.json': tested }, 'it has cases'],
    ['a baseline', { 'config/baselines/A.json': json({ format: 1, verdicts: [] }) }, 'it has a baseline'],
    [
      'a caller that names the version',
      { 'config/orchestrations/Flow.json': flow('A@v1') },
      'config/orchestrations/Flow.json names this version',
    ],
  ])('one with %s gets a new version', async (_, texts, why) => {
    const { places, whys, changes } = await plan({ 'config/agents/A/v1.json': agent({ version: 'v1', model_name: 'old' }), ...texts });
    expect([places, whys]).toEqual([['new_version config/agents/A/v2.json'], [why]]);
    expect(changes).toMatchObject([{ action: 'create', after: agent({ version: 'v2', model_name: 'new' }) }]);
  });

  test('an exposed one gets a new version, which callers without a version get', async () => {
    const { moves, whys } = await plan({
      'config/agents/A/v1.json': agent({ model_name: 'old', expose: true }),
      'config/orchestrations/Flow.json': flow('A'),
    });
    expect(whys).toEqual(['it is exposed']);
    expect(moves[0]?.places[0]?.notes).toEqual(['config/orchestrations/Flow.json gets v2, since it names no version.']);
  });

  test('one that nothing relies on is written in place', async () => {
    const { places } = await plan({ 'config/agents/A/v1.json': agent({ model_name: 'old' }) });
    expect(places).toEqual(['in_place config/agents/A/v1.json']);
  });

  test('an older version stays: its copy would take the place of the newest', async () => {
    const { places, whys, changes, uses } = await plan({
      'config/agents/A/v1.json': agent({ model_name: 'old' }),
      'config/agents/A/v2.json': agent({ model_name: 'same' }),
      'config/orchestrations/Flow.json': flow('A@v1'),
    });
    expect(places).toEqual(['left config/agents/A/v1.json']);
    expect(whys[0]).toContain('config/orchestrations/Flow.json names it');
    expect([uses, changes]).toEqual([['A@v1 (dev) does_not_fit'], []]);
  });

  test('a subject is one agent; a place that it shares moves the others too', async () => {
    const texts = {
      'config/llms/main.json': json({ provider: 'openai', model_name: 'old' }),
      'config/agents/A/v1.json': agent({ llm_config_id: 'main' }),
      'config/agents/B/v1.json': agent({ llm_config_id: 'main' }),
      'config/agents/C/v1.json': agent({ model_name: 'old' }),
    };
    expect((await plan(texts, { subjects: ['C'] })).uses).toEqual(['C@v1 (dev) fits']);
    expect((await plan(texts, { subjects: ['A@v1'] })).uses).toEqual(['A@v1 (dev) fits', 'B@v1 (dev) fits']);
    // An orchestration includes the agents that it calls, and what shares their places.
    const calls = { 'config/orchestrations/Flow.json': flow('A') };
    const { uses, missing } = await plan({ ...texts, ...calls }, { subjects: ['Flow', 'Flo'] });
    expect([uses, missing]).toEqual([['A@v1 (dev) fits', 'B@v1 (dev) fits'], ['Flo']]);
  });
});

function flow(reference: string): string {
  return json({ entry_team: 'one', teams: { one: { tasks: [{ name: 'draft', agent: reference, input: { text: 'x' } }] } } });
}

describe('three outcomes', () => {
  const one = { 'config/agents/A/v1.json': agent({ model_name: 'old' }) };

  test('a model nobody knows', async () => {
    const { uses, reasons, changes, price_change } = await plan(one, { to: 'newest' });
    expect([uses, changes]).toEqual([['A@v1 (dev) not_known'], []]);
    expect(reasons).toEqual(['newest: no facts about it are known. Add it to "models" in agentstack.json.']);
    expect(price_change).toBe(0);
    const allowed = await plan(one, { to: 'newest', allow_unknown: true });
    expect([allowed.changes.length, allowed.price_change]).toEqual([1, null]);
  });

  test('an error that an agent has with the old model too is no reason', async () => {
    // In a new version, its message names that one.
    const text = agent({ agent_name: 'A', version: 'v1', mode: 'Writer', output_schema: undefined, model_name: 'old', expose: true });
    const { uses, reasons, places } = await plan({ 'config/agents/A/v1.json': text });
    expect([uses, reasons, places]).toEqual([['A@v1 (dev) fits'], [], ['new_version config/agents/A/v2.json']]);
  });

  test('a model of another provider', async () => {
    expect((await plan(one, { to: 'claude-opus-5' })).reasons).toEqual(['openai has no model claude-opus-5: it is one of anthropic.']);
  });

  test('a price that is not known', async () => {
    const { uses, reasons } = await plan(one, { facts: { new: { context_window: 1000000, max_output_tokens: 9000 } } });
    expect([uses, reasons]).toEqual([['A@v1 (dev) not_known'], ['Of new, its price is not known.']]);
  });

  test('a profile with a price of its own', async () => {
    const { reasons } = await plan({
      'config/llms/main.json': json({ provider: 'openai', model_name: 'old', price: { input: 1, output: 2 } }),
      'config/agents/A/v1.json': agent({ llm_config_id: 'main' }),
    });
    expect(reasons).toEqual(['The profile writes a price of its own, which may be that of the old model: check it.']);
  });

  test('options for reasoning, which no table lists by model', async () => {
    const { reasons } = await plan({
      'config/llms/main.json': json({ provider: 'openai', model_name: 'old', options: { reasoning_effort: 'low' } }),
      'config/agents/A/v1.json': agent({ llm_config_id: 'main' }),
    });
    expect(reasons).toEqual(['Whether new takes options.reasoning_effort "low" is not known.']);
  });

  test('a case that is longer than the window', async () => {
    const texts = { ...one, 'config/payloads/A/long.json': json({ input: { text: 'many words '.repeat(3000) } }) };
    const { uses, reasons } = await plan(texts, { facts: { new: { ...models.new, context_window: 2000 } } });
    expect(uses).toEqual(['A@v1 (dev) does_not_fit']);
    expect(reasons[0]).toMatch(/^The longest case has about [\d,]+ tokens, and new has a window of 2,000\.$/);
  });

  test('a model without a successor, and one that is fine-tuned', async () => {
    expect((await plan(one, { to: undefined })).reasons[0]).toMatch(/^No successor of old named by openai is known\. Name the new model: /);
    const tuned = { 'config/agents/A/v1.json': agent({ model_name: 'ft:old:org::1' }) };
    expect((await plan(tuned, { to: undefined, from: undefined })).reasons[0]).toContain('ft:old:org::1 is fine-tuned');
    expect((await plan(tuned)).moves).toEqual([]);
  });

  test('the successor that the provider names, past those that end too', async () => {
    const chain = {
      old: { ...facts, ends: '2027-01-14', successor: 'next' },
      next: { ...facts, ends: '2027-02-01', successor: 'last' },
      last: facts,
    };
    const { moves, uses } = await plan(one, { from: undefined, to: undefined, facts: chain });
    expect(moves).toMatchObject([{ from: 'old', to: 'last', ends: '2027-01-14', chosen_by: 'provider' }]);
    expect(uses).toEqual(['A@v1 (dev) fits']);
    const circle = { ...chain, next: { ...chain.next, successor: 'old' } };
    expect((await plan(one, { from: undefined, to: undefined, facts: circle })).reasons[0]).toContain('lead in a circle');
  });

  test('a successor that ends too', async () => {
    const { uses, reasons } = await plan(one, { facts: { new: { ...models.new, deprecated: 'retired on 2026-01-01' } } });
    expect([uses, reasons]).toEqual([['A@v1 (dev) does_not_fit'], ['new ends too (retired on 2026-01-01).']]);
    // In no tense: the day may have come.
    expect((await plan(one, { facts: { new: { ...models.new, ends: '2020-01-01' } } })).reasons).toEqual(['new ends too (2020-01-01).']);
  });

  test('a name that comes from a variable', async () => {
    const texts = { 'config/agents/A/v1.json': agent({ model_name: '${MODEL}' }) };
    const { places, whys } = await plan(texts, { variables: { get: () => 'old' } });
    expect([places, whys]).toEqual([['left config/agents/A/v1.json'], ['its name comes from a variable (${MODEL}): change the variable.']]);
  });

  test('a place whose agents have different providers', async () => {
    const { places } = await plan(
      {
        'config/system.json': json({ agent_defaults: { model_name: 'claude-sonnet-4-5' } }),
        'config/agents/A/v1.json': agent({ provider: 'anthropic' }),
        'config/agents/B/v1.json': agent({ provider: 'openai_compatible' }),
      },
      { from: 'claude-sonnet-4-5', to: undefined },
    );
    expect(new Set(places)).toEqual(new Set(['left config/system.json']));
  });

  test('a broken file is told, and the others are planned', async () => {
    const broken = '{ "model_name": "old"';
    const { unread, places } = await plan({ ...one, 'config/agents/B/v1.json': broken, 'config/llms/main.json': broken });
    expect([unread, places]).toEqual([['config/llms/main.json', 'config/agents/B/v1.json'], ['in_place config/agents/A/v1.json']]);
  });
});

describe('writing', () => {
  const texts = {
    'config/agents/A/v1.json': agent({ model_name: 'old' }),
    'config/agents/B/v1.json': agent({ model_name: 'old', expose: true }),
  };

  test('all files', async () => {
    const { files, changes } = await plan(texts);
    await writeMigration(files, changes);
    expect(files.texts.get('config/agents/A/v1.json')).toBe(agent({ model_name: 'new' }));
    expect(files.texts.get('config/agents/B/v1.json')).toBe(texts['config/agents/B/v1.json']);
    expect(files.texts.get('config/agents/B/v2.json')).toBe(agent({ model_name: 'new', expose: true }));
  });

  test('none where one cannot be written', async () => {
    const { files, changes } = await plan(texts);
    files.problems.set('config/agents/B/v2.json', 'no-permission');
    await expect(writeMigration(files, changes)).rejects.toMatchObject({ reason: 'no-permission' });
    expect(files.texts.get('config/agents/A/v1.json')).toBe(texts['config/agents/A/v1.json']);
  });

  test('none where one is read-only', async () => {
    const { files, changes } = await plan({ ...texts, 'config/agents/C/v1.json': agent({ model_name: 'old' }) });
    await files.writeText('config/agents/C/v1.json', agent({ model_name: 'old' }), { readOnly: true });
    await expect(writeMigration(files, changes)).rejects.toMatchObject({ reason: 'no-permission', path: 'config/agents/C/v1.json' });
    expect(files.texts.get('config/agents/A/v1.json')).toBe(texts['config/agents/A/v1.json']);
  });

  test('none where one has changed since', async () => {
    const { files, changes } = await plan(texts);
    files.texts.set('config/agents/A/v1.json', agent({ model_name: 'old', purpose_text: 'New.' }));
    await expect(writeMigration(files, changes)).rejects.toThrow('config/agents/A/v1.json has changed since it was read');
    // The new version of B would be a copy of a text of before.
    files.texts.set('config/agents/A/v1.json', texts['config/agents/A/v1.json']);
    files.texts.set('config/agents/B/v1.json', agent({ model_name: 'old', expose: true, purpose_text: 'New.' }));
    await expect(writeMigration(files, changes)).rejects.toThrow('config/agents/B/v1.json has changed since it was read');
    expect(files.texts.has('config/agents/B/v2.json')).toBe(false);
  });
});
