import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { isClosedAt, isNoObjectAt } from '../../core/permits/closedAt.js';
import { createRandom } from '../support/random.js';
import { everything, valuesOf } from './inhabitants.js';
import { prover } from './support.js';

const count = Number(process.env.PERMITS_SCHEMAS ?? 250);
const names = ['label', 'text', '0', '1'];

function randomSchema(random: () => number): JsonObject {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const chance = (part: number) => random() < part;
  const is2020 = chance(0.5);
  const part = (depth: number): Json => {
    const leaf = pick<Json>([
      { enum: ['a', 'b'] },
      { const: 'a' },
      { enum: ['a', { label: 'a' }] },
      { type: 'number' },
      { type: ['boolean', 'null'] },
      { type: 'string' },
      { type: 'string', maxLength: 100 },
      { type: ['string', 'null'] },
      {},
      true,
      { $ref: '#/definitions/x' },
      { $ref: '#/definitions/y' },
      { $ref: '#/definitions/x', type: 'string' },
      { not: { type: 'number' } },
    ]);
    if (depth > 2 || chance(0.3)) return leaf;
    const list = () => Array.from({ length: 1 + Math.floor(random() * 2) }, () => part(depth + 1));
    return pick<() => Json>([
      () => ({
        ...(chance(0.7) && { type: pick<Json>(['object', ['object', 'null'], ['object', 'array']]) }),
        ...(chance(0.9) && {
          properties: Object.fromEntries(names.flatMap((name) => (chance(0.5) ? [[name, part(depth + 1)]] : []))),
        }),
        ...(chance(0.6) && { additionalProperties: chance(0.7) ? false : part(depth + 1) }),
        ...(chance(0.15) && { patternProperties: { '^.$': part(depth + 1) } }),
      }),
      () => ({
        ...(chance(0.8) && { type: pick<Json>(['array', ['array', 'null']]) }),
        ...(chance(0.8) && { items: chance(0.1) && !is2020 ? list() : part(depth + 1) }),
        ...(chance(0.2) && is2020 && { prefixItems: list() }),
        ...(chance(0.2) && { additionalItems: part(depth + 1) }),
      }),
      () => ({ anyOf: list() }),
      () => ({ oneOf: list() }),
      () => ({ allOf: list() }),
      () => ({ ...(chance(0.5) && { type: 'object' }), anyOf: list(), properties: { label: part(depth + 1) } }),
    ])();
  };
  return {
    ...(is2020 && { $schema: 'https://json-schema.org/draft/2020-12/schema' }),
    ...(chance(0.9) && { type: 'object' }),
    properties: Object.fromEntries(names.flatMap((name) => (chance(0.7) ? [[name, part(0)]] : []))),
    ...(chance(0.5) && { additionalProperties: false }),
    definitions: { x: part(1), y: part(2) },
  };
}

function randomValue(random: () => number, depth: number): Json {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  if (depth > 2 || random() < 0.45) return pick<Json>([everything, everything, 'a', 'b', 1, true, null]);
  if (random() < 0.4) return Array.from({ length: Math.floor(random() * 3) }, () => randomValue(random, depth + 1));
  return Object.fromEntries([...names, 'more'].flatMap((name) => (random() < 0.4 ? [[name, randomValue(random, depth + 1)]] : [])));
}

/** The value with something else somewhere in it. */
function mutated(value: Json, random: () => number): Json {
  if (random() < 0.15) return randomValue(random, 1);
  if (Array.isArray(value)) return value.map((item: Json) => mutated(item, random));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, mutated(item, random)] as const);
  return Object.fromEntries(random() < 0.2 ? [...entries, [random() < 0.5 ? '0' : 'more', everything]] : entries);
}

/** As templates read a path. */
function at(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((part, segment) => {
    if (Array.isArray(part)) return /^(0|[1-9]\d*)$/.test(segment) ? (part[Number(segment)] as Json | undefined) : undefined;
    return isObject(part) && Object.hasOwn(part, segment) ? part[segment] : undefined;
  }, value);
}

test('what a contract holds is never a text of somebody, nor an object where there is none', { timeout: 600_000 }, () => {
  const random = createRandom(20261127);
  const paths = [
    [],
    ...names.map((name) => [name]),
    ...names.flatMap((name) => names.map((inner) => [name, inner])),
    ['label', 'text', '0'],
  ];
  const wrong: string[] = [];
  const figures = { schemas: 0, values: 0, closed: 0, read: 0 };
  for (let number = 0; number < count; number += 1) {
    const schema = randomSchema(random);
    const compiled = prover.schemas.compile(schema);
    if (!compiled.ok) continue;
    const closed = paths.filter((path) => isClosedAt(schema, path));
    const flat = paths.filter((path) => isNoObjectAt(schema, path));
    figures.schemas += 1;
    figures.closed += closed.length;
    if (closed.length + flat.length === 0) continue;
    const fitting = valuesOf(schema, schema, 0).slice(0, 40);
    const changed = fitting.flatMap((value) => [mutated(value, random), mutated(value, random), mutated(value, random)]);
    for (const value of [...fitting, ...changed]) {
      // The output of a run is an object.
      if (!isObject(value) || compiled.check(value).length > 0) continue;
      figures.values += 1;
      for (const path of closed) {
        const part = at(value, path);
        if (part !== undefined) figures.read += 1;
        if (part !== undefined && JSON.stringify(part).includes(everything))
          wrong.push(`${path.join('.')} of ${JSON.stringify([schema, value])}`);
        const keys = JSON.stringify(part ?? null);
        if (keys.includes('"more"')) wrong.push(`a key at ${path.join('.')} of ${JSON.stringify([schema, value])}`);
      }
      for (const path of flat)
        if (isObject(at(value, path))) wrong.push(`an object at ${path.join('.')} of ${JSON.stringify([schema, value])}`);
    }
  }
  if (process.env.PERMITS_SCHEMAS !== undefined) console.log(JSON.stringify(figures));
  expect(wrong.slice(0, 3)).toEqual([]);
  expect(figures.read).toBeGreaterThan(count);
});
