import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { createSnapshot } from '../../core/snapshot/createSnapshot.js';
import { type DiffGroup, snapshotDiff } from '../../core/snapshot/snapshotDiff.js';
import { parseOrigins } from '../../core/snapshot/snapshotOrigins.js';
import { minimal, resolve, type Scenario, sha256 } from './support.js';

const agent = { ...minimal, persona_key: 'p', llm_config_id: 'm' };
const files = {
  'agents/A/v1': agent,
  'personas/p': { temperature: 0.1 },
  'personas/q': { temperature: 0.1 },
  'llms/m': { llm_id: 'm', model_name: 'x', top_p: 0.5 },
  'llms/n': { llm_id: 'n', model_name: 'x', top_p: 0.5 },
  'environments/prod': { agent_defaults: { max_iterations: 3 } },
} as const;

function side(scenario: Partial<Scenario> & { files?: JsonObject }) {
  const { value, origins_text } = createSnapshot({ kind: 'agent', resolved: resolve({ files, ...scenario } as Scenario), sha256 });
  return { value, origins: parseOrigins(origins_text) };
}

/** `cause layer file: pointer before -> after`. */
const words = (groups: readonly DiffGroup[]) =>
  groups.flatMap(({ cause, layer, file, changes }) =>
    changes.map(
      ({ pointer, before, after }) =>
        `${cause} ${layer ?? '-'} ${file ?? '-'}: ${pointer} ${JSON.stringify(before) ?? '-'} -> ${JSON.stringify(after) ?? '-'}`,
    ),
  );
const diff = (change: object, scenario: Partial<Scenario> = {}) =>
  words(snapshotDiff(side({}), side({ files: { ...files, ...change } as JsonObject, ...scenario })));

describe('what differs between two snapshots', () => {
  test('is nothing where nothing does', () => expect(diff({})).toEqual([]));

  test('is nothing where another file says the same', () => expect(diff({ 'agents/A/v1': { ...agent, temperature: 0.1 } })).toEqual([]));

  test('comes from a place that says something else', () =>
    expect(diff({ 'personas/p': { temperature: 0.9 } })).toEqual([
      'value persona config/personas/p.json: /agents/A/temperature 0.1 -> 0.9',
    ]));

  test('comes from a higher layer that speaks now', () =>
    expect(diff({ 'agents/A/v1': { ...agent, temperature: 0.7 } })).toEqual([
      'layer-wins agent config/agents/A/v1.json: /agents/A/temperature 0.1 -> 0.7',
    ]));

  test('comes from a layer that speaks no more', () =>
    expect(diff({ 'personas/p': {} })).toEqual(['layer-gone persona config/personas/p.json: /agents/A/temperature 0.1 -> 0']));

  test('comes from another file of the same layer', () =>
    expect(diff({ 'agents/A/v1': { ...agent, persona_key: 'q' }, 'personas/q': { temperature: 0.4 } })).toEqual([
      'value agent config/agents/A/v1.json: /agents/A/persona_key "p" -> "q"',
      'other-file persona config/personas/q.json: /agents/A/temperature 0.1 -> 0.4',
    ]));

  test('compares a profile with the one that took its place', () =>
    expect(diff({ 'agents/A/v1': { ...agent, llm_config_id: 'n' }, 'llms/n': { ...files['llms/n'], request_timeout_ms: 5 } })).toEqual([
      'value agent config/agents/A/v1.json: /agents/A/llm_config_id "m" -> "n"',
      'layer-wins llm config/llms/n.json: /llms/n/request_timeout_ms 60000 -> 5',
      'other-file llm config/llms/n.json: /llms/n/llm_id "m" -> "n"',
    ]));

  test('names the environment and what its file brings', () =>
    expect(diff({}, { environment: 'prod' })).toEqual([
      'layer-wins environment config/environments/prod.json: /agents/A/max_iterations 10 -> 3',
      'value - -: /environment "dev" -> "prod"',
    ]));

  test('names the call', () =>
    expect(diff({}, { overrides: { config: { max_iterations: 2 } } })).toEqual(['layer-wins call -: /agents/A/max_iterations 10 -> 2']));

  test('holds what only one side has, leaf by leaf', () => {
    expect(diff({ 'agents/A/v1': { ...agent, input_keys: ['a', 'b'] } })).toEqual([
      'added agent config/agents/A/v1.json: /agents/A/input_keys/0 - -> "a"',
      'added agent config/agents/A/v1.json: /agents/A/input_keys/1 - -> "b"',
    ]);
    expect(words(snapshotDiff(side({ files: { ...files, 'agents/A/v1': { ...agent, input_keys: [] } } as never }), side({})))).toEqual([
      'removed agent config/agents/A/v1.json: /agents/A/input_keys [] -> -',
    ]);
  });

  test('tells an empty list that is filled by what fills it', () =>
    expect(
      words(
        snapshotDiff(
          side({ files: { ...files, 'agents/A/v1': { ...agent, input_keys: [] } } as never }),
          side({ files: { ...files, 'agents/A/v1': { ...agent, input_keys: ['a'] } } as never }),
        ),
      ),
    ).toEqual(['added agent config/agents/A/v1.json: /agents/A/input_keys/0 - -> "a"']));

  test('holds an order that prompts follow', () => {
    const ordered = (...names: string[]) => ({
      'agents/A/v1': { ...agent, output_schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) } },
    });
    const before = side({ files: { ...files, ...ordered('a', 'b') } as JsonObject });
    const after = side({ files: { ...files, ...ordered('b', 'a') } as JsonObject });
    const pointer = '/agents/A/output_schema/properties';
    expect(words(snapshotDiff(before, after))).toEqual([`order agent config/agents/A/v1.json: ${pointer} ["a","b"] -> ["b","a"]`]);
  });

  test('covers what looks like a secret', () => {
    const secret = `sk-proj-${'a1B2c3D4'.repeat(6)}`;
    const before = side({});
    const value = { ...before.value, agents: { A: { ...before.value.agents.A, purpose_text: secret } } } as never;
    expect(JSON.stringify(snapshotDiff(before, { value, origins: before.origins }))).not.toContain(secret);
  });

  test('is told without a cause where the origins of values are unknown', () => {
    const bare = (files: JsonObject) => ({ ...side({ files }), origins: new Map() });
    expect(words(snapshotDiff(bare(files as never), bare({ ...files, 'personas/p': {} } as never)))).toEqual([
      'value - -: /agents/A/temperature 0.1 -> 0',
    ]);
  });
});
