import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { createSnapshot } from '../../core/snapshot/createSnapshot.js';
import type { Origin } from '../../core/snapshot/effective.js';
import { effectiveView, originMark, originWords } from '../../core/snapshot/effectiveView.js';
import { minimal, resolve, type Scenario, sha256 } from './support.js';

function viewOf(scenario: Scenario) {
  const { text, origins_text } = createSnapshot({ kind: 'agent', resolved: resolve(scenario), sha256 });
  const origins = new Map(Object.entries(JSON.parse(origins_text) as { readonly [pointer: string]: Origin }));
  return effectiveView({ value: JSON.parse(text) as JsonObject, origins });
}

/** A value of which every leaf is written at the same pointer of `f.json`. */
function plainView(value: JsonObject, origins: ReadonlyMap<string, Origin> = new Map()) {
  return effectiveView({ value, origins }).map(({ text }) => text);
}

const scenario: Scenario = {
  files: {
    'agents/A/v1': {
      ...minimal,
      persona_key: 'kind',
      llm_config_id: 'm',
      output_schema: { type: 'object', properties: { zebra: { type: 'string' }, apple: { type: 'string' } } },
    },
    'llms/m': { llm_id: 'm', model_name: 'x', api_key: 'secret://key' },
    'personas/kind': { temperature: 0.5, budget: { max_cost: 1 } },
    system: { agent_defaults: { budget: { max_time_ms: 100 } } },
  },
};

describe('the effective view', () => {
  const lines = viewOf(scenario);
  const lineAt = (pointer: string) => lines.find((line) => line.pointer === pointer);

  test('is JSON of the same value, in the order of the documentation', () => {
    const text = lines.map((line) => line.text).join('\n');
    const parsed = JSON.parse(text) as JsonObject;
    const { key_order: _, ...frozen } = JSON.parse(
      createSnapshot({ kind: 'agent', resolved: resolve(scenario), sha256 }).text,
    ) as JsonObject;
    expect(parsed).toEqual(frozen);
    expect(text).toBe(JSON.stringify(parsed, null, 2));
    expect(Object.keys(parsed).slice(0, 5)).toEqual(['format', 'kind', 'name', 'version', 'environment']);
    const { A: agent } = parsed.agents as { A: JsonObject };
    expect(Object.keys(agent ?? {}).slice(0, 3)).toEqual(['agent_name', 'version', 'agent_type']);
    expect(text.indexOf('"zebra"')).toBeLessThan(text.indexOf('"apple"'));
  });

  test('tells of every leaf where it is written', () => {
    expect(lineAt('/agents/A/temperature')).toEqual({
      text: '      "temperature": 0.5,',
      pointer: '/agents/A/temperature',
      origin: { file: 'config/personas/kind.json', pointer: '/temperature', layer: 'persona' },
      whole: { file: 'config/personas/kind.json', pointer: '/temperature', layer: 'persona' },
    });
    const words = (pointer: string) => originWords(lineAt(pointer)?.origin as Origin);
    expect(words('/agents/A/temperature')).toBe('config/personas/kind.json, layer persona');
    expect(originMark(lineAt('/agents/A/temperature')?.origin as Origin)).toBe('persona: personas/kind.json');
    expect(originMark({ file: 'conf/system.json', pointer: '', layer: 'system' })).toBe('system: system.json');
    expect(originMark({ file: null, pointer: '', layer: 'default' })).toBe('built-in default');
    expect(words('/agents/A/max_iterations')).toBe('built-in default');
    expect(words('/llms/m/api_key')).toBe('config/llms/m.json, layer llm');
    expect(originWords({ file: null, pointer: '/x', layer: 'call' })).toBe('given with the call');
  });

  test('tells of an object where it is written as a whole, and of one that several layers give that there is no such place', () => {
    expect(lineAt('/agents/A/output_schema/properties')?.whole).toEqual({
      file: 'config/agents/A/v1.json',
      pointer: '/output_schema/properties',
      layer: 'agent',
    });
    expect(lineAt('/agents/A/budget')).toMatchObject({ text: '      "budget": {', origin: null, whole: null });
    expect(lines.at(-1)).toMatchObject({ text: '}', pointer: '' });
  });

  test('leaves a reference to a secret as it is written', () => {
    expect(lineAt('/llms/m/api_key')?.text).toContain('"secret://key"');
  });

  test('covers what looks like a secret, in values, keys and lists', () => {
    const token = `sk-proj-${'aB3dE5fG7h'.repeat(4)}`;
    const text = plainView({
      agents: { A: { system_text: `Use ${token} now.`, api_key: 'kX9vQ2mL7pR4tZ8wB3nY6c', list: [token], [token]: 1 } },
    }).join('\n');
    expect(text).not.toContain(token);
    expect(text).not.toContain('kX9vQ2mL7pR4tZ8wB3nY6c');
    expect(text).toMatch(/"system_text": "Use \*+ now\."/);
  });

  test('of two snapshots of the same value is the same for any order of keys', () => {
    const orchestration = {
      teams: { b: { tasks: [{ persona_key: 'p', name: 't' }], name: 'B' }, a: { tasks: [], name: 'A' } },
      entry_team: 'b',
    };
    const value: JsonObject = { kind: 'orchestration', agents: { 'x@v1': {}, 'b/t': { version: 'p', agent_name: 't' } }, orchestration };
    const turned = JSON.parse(
      '{"orchestration":{"entry_team":"b","teams":{"a":{"name":"A","tasks":[]},"b":{"name":"B","tasks":[{"name":"t","persona_key":"p"}]}}},"agents":{"b/t":{"agent_name":"t","version":"p"},"x@v1":{}},"kind":"orchestration"}',
    ) as JsonObject;
    expect(plainView(value)).toEqual(plainView(turned));
    expect(plainView(value).join('\n')).toMatch(
      /"orchestration"[\s\S]*"name": "t",\n\s+"persona_key"[\s\S]*"agents"[\s\S]*"b\/t"[\s\S]*"x@v1": \{\}/,
    );
  });

  test('tells of teams as a run may come to them', () => {
    const routing = (...next: readonly (string | null)[]) => ({
      rules: next.map((next_team) => ({ condition: [], next_team })),
      default: null,
    });
    const teams = {
      a: { routing: routing() },
      b: { routing: routing('d', 'c') },
      c: { routing: routing('b') },
      d: { routing: routing(null) },
    };
    const text = plainView({ orchestration: { entry_team: 'b', teams } }).join('\n');
    expect(Object.keys((JSON.parse(text) as { orchestration: { teams: object } }).orchestration.teams)).toEqual(['b', 'd', 'c', 'a']);
  });

  test('keeps names from Object.prototype', () => {
    const value = JSON.parse('{"agents":{"__proto__":{"defaults":{"__proto__":2},"constructor":1}}}') as JsonObject;
    expect(JSON.stringify(JSON.parse(plainView(value).join('')))).toBe(JSON.stringify(value));
  });
});
