import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, pointerOf, valueAt } from '../../core/json.js';
import { canonicalJson } from '../../core/snapshot/canonicalJson.js';
import { outlineSnapshot, type SnapshotSubject } from '../../core/snapshot/createSnapshot.js';
import type { Origin } from '../../core/snapshot/effective.js';
import type { Path } from '../../core/snapshot/layering.js';
import { forEachLeaf, type OriginSource } from '../../core/snapshot/origins.js';
import { resolveOrchestration } from '../../core/snapshot/resolveOrchestration.js';
import { sortKeys } from '../../core/snapshot/sortKeys.js';
import { type OriginPart, writeOrigins } from '../../core/snapshot/writeOrigins.js';
import { indexOf, minimal } from './support.js';

/** What the text must be, leaf by leaf. */
function expected(parts: readonly OriginPart[]): string {
  const entries: [string, Origin][] = [];
  for (const { pointer, value, source } of parts) forEachLeaf(value, (leaf, path) => entries.push([pointer + leaf, source.originAt(path)]));
  return canonicalJson(Object.fromEntries(entries) as unknown as Json);
}

const everywhere = { isWhole: () => true, placeAround: () => undefined };
const nowhere = { isWhole: () => false, placeAround: () => undefined };
const at = (file: string | null, base: string) => (path: Path) => ({ file, pointer: base + pointerOf(...path), layer: 'agent' }) as const;

// Names that come before and after the slash, that it escapes, that JSON escapes, and that are numbers.
const name = fc.oneof(
  fc.constantFrom('a', 'b', 'a-b', 'a/b', 'a~b', 'a!', 'a0', '10', '9', '"', '\\', '', '__proto__', 'ö', '\n', '\ud83d', '\u{1f600}'),
  fc.string(),
);
const values = fc.letrec<{ value: Json; object: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(null, true, 1, 'x'),
    fc.array(tie('value'), { maxLength: 12 }),
    tie('object'),
  ),
  object: fc.dictionary(name, tie('value'), { maxKeys: 6 }) as fc.Arbitrary<Json>,
}));

describe('the text of an origins file', () => {
  test('is canonical JSON, whatever the names are, and in how large pieces the origins are known', () => {
    const cases = fc.array(fc.record({ value: values.object, base: name, depth: fc.integer({ min: 0, max: 3 }), isAround: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(cases, fc.uniqueArray(name, { minLength: 8, maxLength: 8 }), (parts, names) => {
        const sources = parts.map(({ base, depth, isAround }): OriginSource => {
          const place = { file: base, pointer: `/${base.replaceAll(/[~/]/g, '')}`, layer: 'agent' } as const;
          const originAt = at(place.file, place.pointer);
          return { originAt, isWhole: (path) => path.length >= depth, placeAround: () => (isAround ? place : undefined) };
        });
        // Each part stands in two places.
        const twice = [...parts, ...parts].map(({ value }, index) => ({
          pointer: pointerOf('agents', names[index] as string),
          value,
          source: sources[index % parts.length] as OriginSource,
        }));
        expect(writeOrigins(twice)).toBe(expected(twice));
        expect(writeOrigins(twice.slice(0, parts.length))).toBe(expected(twice.slice(0, parts.length)));
      }),
    );
  });

  test('has the same value in two places of one part, and in two parts from two files', () => {
    const shared = { x: { y: [1, {}] } };
    const parts = [
      { pointer: '/a', value: { one: shared, two: shared }, source: { originAt: at('f', '/at'), ...everywhere } },
      { pointer: '/b', value: { one: shared }, source: { originAt: at('g', ''), ...everywhere } },
      { pointer: '/c', value: { one: shared, two: shared }, source: { originAt: at(null, ''), ...nowhere } },
    ];
    expect(writeOrigins(parts)).toBe(expected(parts));
  });

  test('of nothing is an empty object', () => expect(writeOrigins([])).toBe('{}'));
});

test('keys are sorted as `sort` does it, few or many', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 60 }), (keys) => {
      expect(sortKeys([...keys])).toEqual([...keys].sort());
    }),
  );
});

describe('the origins file of an orchestration', () => {
  const path = 'config/orchestrations/o.json';
  const persona = {
    mode: 'Writer',
    system_text: 's',
    purpose_text: 'p',
    output_schema: { type: 'object', properties: { z: { type: 'string' }, 'a/b': { enum: ['x'] } } },
    tracing: { sample_rate: 0.5 },
  };
  const files = {
    system: { agent_defaults: { budget: { max_cost: 1 } } },
    'agents/A/v1': { ...minimal, budget: { max_time_ms: 5 } },
    'personas/p': persona,
    'llms/m': { llm_id: 'm', model_name: 'x', options: { top: { k: 1 } } },
  };
  const tasks: readonly Json[] = [
    { name: 'one', persona_key: 'p', config: { temperature: 1 } },
    { name: 'two', persona_key: 'p', config: { output_schema: { type: 'object', title: 'own' } }, input: { 'b-c': '1', b: { c: [] } } },
    { name: 'three', agent: 'A@v1' },
    { name: 'four', agent: 'A@v1', depends_on: ['one'] },
  ];

  function resolved(...all: readonly Json[]) {
    const routing = { rules: [{ condition: { task: 'one', status: 'failure' }, next_team: null }], default: null };
    const value = { name: 'o', entry_team: 't', context: { k: {} }, teams: { t: { tasks: all, routing }, 'u/v': { tasks: all } } };
    const agents = new Map([['A@v1', { path: 'config/agents/A/v1.json', value: files['agents/A/v1'] }]]);
    return resolveOrchestration({ file: { path, value }, project: indexOf(files), agents, variables: { get: () => undefined } });
  }

  /** The same by the other way: from what every agent and the orchestration say of each leaf. */
  function leafByLeaf(subject: SnapshotSubject & { readonly kind: 'orchestration' }): ReadonlyMap<string, Origin> {
    const { agents, origins } = subject.resolved;
    const ofAgents = [...agents].flatMap(([instance, agent]) =>
      [...agent.origins].map(([at, origin]) => [pointerOf('agents', instance) + at, origin] as const),
    );
    return new Map([...ofAgents, ...[...origins].map(([at, origin]) => [`/orchestration${at}`, origin] as const)]);
  }

  test.each([
    ['tasks as they stand in the file', tasks],
    ['something that is no task before them', [5, ...tasks]],
    ['a task without a name among them', [tasks[0] as Json, { agent: 'A@v1' }, tasks[1] as Json]],
    ['no task', []],
  ])('knows every leaf: %s', (_, all) => {
    const subject = { kind: 'orchestration', resolved: resolved(...all) } as const;
    const { value, origins_text } = outlineSnapshot(subject);
    const origins = JSON.parse(origins_text) as Record<string, Origin>;
    expect(canonicalJson(origins as unknown as Json)).toBe(origins_text);
    const { key_order: _order, ...content } = value;
    const leaves: string[] = [];
    forEachLeaf(content as unknown as Json, (pointer) => leaves.push(pointer));
    expect(Object.keys(origins).sort()).toEqual(leaves.sort());
    for (const [pointer, origin] of leafByLeaf(subject)) expect([pointer, origins[pointer]]).toEqual([pointer, origin]);
  });

  test('points at the task that a value is of, where another before it was left out', () => {
    const { value, origins_text } = outlineSnapshot({ kind: 'orchestration', resolved: resolved({ agent: 'A@v1' }, tasks[1] as Json) });
    const pointer = '/orchestration/teams/t/tasks/0/input/b-c';
    expect(valueAt(value as unknown as Json, pointer)).toBe('1');
    expect(JSON.parse(origins_text)[pointer]).toEqual({ file: path, pointer: '/teams/t/tasks/1/input/b-c', layer: 'orchestration' });
  });

  test('agents of one persona share what it says, and what they say themselves they have for themselves', () => {
    const { agents } = resolved(...tasks);
    const schemaOf = (instance: string) => agents.get(instance)?.config.output_schema;
    expect(schemaOf('t/one')).toBe(schemaOf('u/v/one'));
    expect(isObject(schemaOf('t/one')) && Object.isFrozen(schemaOf('t/one')?.properties)).toBe(true);
    expect(schemaOf('t/two')).toEqual({ type: 'object', title: 'own' });
  });
});
