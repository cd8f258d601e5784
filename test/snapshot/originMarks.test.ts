import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { createSnapshot } from '../../core/snapshot/createSnapshot.js';
import type { Origin } from '../../core/snapshot/effective.js';
import { effectiveView, originMark } from '../../core/snapshot/effectiveView.js';
import { originMarks } from '../../core/snapshot/originMarks.js';
import { minimal, resolve, sha256 } from './support.js';

const { text, origins_text } = createSnapshot({
  kind: 'agent',
  resolved: resolve({
    files: {
      'agents/A/v1': {
        ...minimal,
        persona_key: 'kind',
        llm_config_id: 'm',
        output_schema: { type: 'object', properties: { zebra: { type: 'string' } } },
      },
      'llms/m': { llm_id: 'm', model_name: 'x', api_key: 'secret://key' },
      'personas/kind': { temperature: 0.5, budget: { max_cost: 1 } },
      system: { agent_defaults: { budget: { max_time_ms: 100 } } },
    },
  }),
  sha256,
});
const value = JSON.parse(text) as JsonObject;
const origins = new Map(Object.entries(JSON.parse(origins_text) as { readonly [pointer: string]: Origin }));
const lines = effectiveView({ value, origins });
const marks = originMarks(lines, { value, origins });
/** Pointers of lines with a mark, and the mark. */
const told = Object.fromEntries(lines.flatMap(({ pointer }, index) => (marks[index] ? [[pointer, originMark(marks[index])]] : [])));

test('lines of the file itself have no mark', () => {
  expect(told).not.toHaveProperty('/agents/A');
  expect(told).not.toHaveProperty('/agents/A/mode');
  expect(Object.keys(told).filter((pointer) => pointer.startsWith('/agents/A/output_schema'))).toEqual([]);
});

test('what other layers and defaults give has one', () => {
  expect(told).toMatchObject({
    '/agents/A/temperature': 'persona: personas/kind.json',
    '/agents/A/budget/max_cost': 'persona: personas/kind.json',
    '/agents/A/budget/max_time_ms': 'system: system.json',
  });
  expect(Object.values(told)).toContain('built-in default');
});

test('a profile is marked at its first line, and what it does not say itself', () => {
  const profile = Object.entries(told).filter(([pointer]) => pointer.startsWith('/llms/'));
  expect(profile[0]).toEqual(['/llms/m', 'llm: llms/m.json']);
  expect(profile.slice(1).filter(([, mark]) => mark === 'llm: llms/m.json')).toEqual([]);
});

test('what the snapshot says of itself has none', () => {
  expect(Object.keys(told).filter((pointer) => pointer.lastIndexOf('/') === 0)).toEqual([]);
});
