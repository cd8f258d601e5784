import { expect, test } from 'vitest';
import type { Stop } from '../../core/agent/gate.js';
import { answerHas } from '../../core/debug/answerPlaces.js';

const schema = {
  type: 'object',
  required: ['label'],
  properties: {
    label: { type: 'string', enum: ['bug', 'feature'] },
    items: { type: 'array', items: { $ref: '#/$defs/item' } },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'object', properties: { deep: { const: 1 } } }] },
    either: { anyOf: [{ type: 'null' }, { type: 'object', properties: { left: { type: 'number' } } }] },
    extra: { type: 'object', additionalProperties: { type: 'object', properties: { size: { enum: [1, 2] } } } },
    tree: { $ref: '#/$defs/tree' },
    circle: { $ref: '#/$defs/a' },
  },
  $defs: {
    item: { type: 'object', properties: { kind: { enum: ['x', 'y'] }, 'a/b': { type: 'string' } } },
    tree: { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
    a: { $ref: '#/$defs/b' },
    b: { $ref: '#/$defs/a' },
  },
};

const after = (text: string) =>
  ({
    at: 'answer',
    completion: { text },
    agent: { resolved: { config: { agent_type: 'single_shot', output_schema: schema } } },
  }) as unknown as Stop;

test.each([
  ['/properties/label', '{"label":"bug"}', true],
  ['/properties/label', '{"other":"bug"}', false],
  ['/properties/label/enum/0', '{"label":"bug"}', true],
  ['/properties/label/enum/1', '{"label":"bug"}', false],
  ['/properties/label/enum', '{"label":"neither"}', true],
  ['/properties/label/type', '```json\n{"label":"bug"}\n```', true],
  ['/$defs/item/properties/kind/enum/1', '{"items":[{"kind":"x"},{"kind":"y"}]}', true],
  ['/$defs/item/properties/kind/enum/1', '{"items":[{"kind":"x"}]}', false],
  ['/$defs/item/properties/a~1b', '{"items":[{"a/b":""}]}', true],
  ['/properties/items/items', '{"items":[]}', false],
  ['/properties/items/items', '{"items":[{}]}', true],
  ['/properties/pair/prefixItems/1/properties/deep/const', '{"pair":["",{"deep":1}]}', true],
  ['/properties/pair/prefixItems/1/properties/deep/const', '{"pair":["",{"deep":2}]}', false],
  ['/properties/either/anyOf/1/properties/left', '{"either":{"left":0}}', true],
  ['/properties/extra/additionalProperties/properties/size/enum/1', '{"extra":{"any":{"size":2}}}', true],
  ['/$defs/tree/properties/name', '{"tree":{"children":[{"children":[{"name":"deep"}]}]}}', true],
  ['/$defs/tree/properties/name', '{"tree":{"children":[{"children":[]}]}}', false],
  ['/$defs/b', '{"circle":1}', true],
  ['/$defs/a', '{"circle":null}', true],
  ['', '{}', true],
  ['', 'no object', false],
  ['/required/0', '{}', true],
])('%s and %s: %s', (pointer, text, hit) => expect(answerHas(after(text), pointer)).toBe(hit));

test('a thousand answers in a tree take no time to speak of', () => {
  const deep = `${'{"tree":{"children":['}${'{"children":['.repeat(300)}${']}'.repeat(300)}]}}`;
  const start = performance.now();
  expect(answerHas(after(deep), '/$defs/tree/properties/name')).toBe(false);
  expect(performance.now() - start).toBeLessThan(2_000);
});
