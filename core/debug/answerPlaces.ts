import type { Stop } from '../agent/gate.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf, segmentsOf, valueAt } from '../json.js';
import { OutputContract } from '../schema/outputContract.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import { outputAt } from './stopValues.js';

/** Whether the answer at a stop has what a place in the agent's output schema describes: a field at any depth, or a value of an enum. */
export function answerHas(stop: Stop, pointer: string): boolean {
  const root = stop.at === 'answer' ? stop.agent.resolved.config.output_schema : undefined;
  const answer = outputAt(stop);
  if (!isObject(root) || answer === undefined) return false;
  const contract = contractOf(root);
  const place = schemaAround(contract, pointer);
  const [keyword, index] = segmentsOf(pointer.slice(place.length));
  const isListed = keyword === 'const' || (keyword === 'enum' && index !== undefined);
  const listed = isListed ? valueAt(root, pointer) : undefined;
  for (const { schema, value } of describedValues(contract, answer))
    if (schema === place && (!isListed || isSame(value, listed))) return true;
  return false;
}

/** The pointer of the innermost schema around a place. */
function schemaAround({ places }: OutputContract, pointer: string): string {
  const segments = segmentsOf(pointer);
  for (let length = segments.length; length > 0; length -= 1) {
    const outer = pointerOf(...segments.slice(0, length));
    if (places.all.has(outer)) return outer;
  }
  return '';
}

const contracts = new WeakMap<JsonObject, OutputContract>();

function contractOf(root: JsonObject): OutputContract {
  const contract = contracts.get(root) ?? new OutputContract(root);
  contracts.set(root, contract);
  return contract;
}

interface Described {
  readonly schema: string;
  readonly value: Json;
  /** The schemas seen so far that are about this very value: a circle of references would never end. */
  readonly seen: Set<string>;
}

/** Every value in an answer with the pointer of each schema that is about it, in all branches of combinations and through `$ref`. */
function* describedValues(contract: OutputContract, answer: Json): Generator<Described> {
  const open: Described[] = [{ schema: '', value: answer, seen: new Set() }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.seen.has(next.schema)) continue;
    next.seen.add(next.schema);
    yield next;
    const keywords = valueAt(contract.root, next.schema);
    if (!isObject(keywords)) continue;
    for (const schema of sameValue(contract, keywords, next.schema)) open.push({ ...next, schema });
    for (const [schema, value] of innerValues(keywords, next)) open.push({ schema, value, seen: new Set() });
  }
}

/** The schemas that are about the same value. */
function sameValue(contract: OutputContract, keywords: JsonObject, schema: string): readonly string[] {
  const target = contract.target(keywords)?.pointer;
  const combined = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    listOf(keywords[keyword]).map((_, index) => `${schema}/${keyword}/${index}`),
  );
  const conditional = ['if', 'then', 'else'].filter((keyword) => isObject(keywords[keyword])).map((keyword) => `${schema}/${keyword}`);
  return [...(target === undefined ? [] : [target]), ...combined, ...conditional];
}

function innerValues({ properties, additionalProperties, items, prefixItems }: JsonObject, { schema, value }: Described): [string, Json][] {
  if (isObject(value))
    return Object.entries(value).flatMap(([name, member]): [string, Json][] => {
      if (isObject(properties) && Object.hasOwn(properties, name)) return [[schema + pointerOf('properties', name), member]];
      return isObject(additionalProperties) ? [[`${schema}/additionalProperties`, member]] : [];
    });
  const [keyword, first] = Array.isArray(prefixItems) ? ['prefixItems', prefixItems.length] : ['items', listOf(items).length];
  return listOf(value).flatMap((item, index): [string, Json][] => {
    if (index < first) return [[`${schema}/${keyword}/${index}`, item]];
    return isObject(items) ? [[`${schema}/items`, item]] : [];
  });
}

export function isSame(left: Json | undefined, right: Json | undefined): boolean {
  return left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right);
}
