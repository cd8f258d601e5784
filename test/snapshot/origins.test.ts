import { describe, expect, test } from 'vitest';
import { isObject, type Json, pointerOf, valueAt } from '../../core/json.js';
import { canonicalJson } from '../../core/snapshot/canonicalJson.js';
import { outlineSnapshot, type SnapshotSubject } from '../../core/snapshot/createSnapshot.js';
import type { Origin } from '../../core/snapshot/effective.js';
import { forEachLeaf } from '../../core/snapshot/origins.js';
import { resolveOrchestration } from '../../core/snapshot/resolveOrchestration.js';
import { indexOf, minimal } from './support.js';

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
    ['something that is not a task before them', [5, ...tasks]],
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

  test('agents of one persona have what it says, and what their tasks say in its place', () => {
    const { agents } = resolved(...tasks);
    const schemaOf = (instance: string) => agents.get(instance)?.config.output_schema;
    expect(schemaOf('t/one')).toEqual(schemaOf('u/v/one'));
    expect(isObject(schemaOf('t/one')) && Object.isFrozen(schemaOf('t/one')?.properties)).toBe(true);
    expect(schemaOf('t/two')).toEqual({ type: 'object', title: 'own' });
  });
});
