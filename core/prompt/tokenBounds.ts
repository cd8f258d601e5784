import { isObject, type Json, type JsonObject, listOf } from '../json.js';
import type { ModelFacts } from '../llm/modelTable.js';
import { OutputContract } from '../schema/outputContract.js';
import type { EffectiveAgent } from '../snapshot/effective.js';
import { parseTemplate } from './template.js';

/** Ordinary text has one token for about four characters; here one for three, and one for each character beyond ASCII. */
export function cautiousTokens(text: string): number {
  let others = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) others += 1;
  return Math.ceil((text.length - others) / 3) + others;
}

interface AnswerFacts {
  readonly config: Pick<EffectiveAgent, 'agent_type' | 'max_output_tokens' | 'output_schema' | 'defaults'>;
  readonly model: ModelFacts | undefined;
}

/**
 * The most tokens that an agent's output, or the part of it at a path, can have as JSON: the longest answer its model may give, or the limit of its
 * output schema allows (`enum`, `maxLength`, `maxItems`), whichever is less. Undefined if nothing bounds it.
 */
export function answerBound({ config, model }: AnswerFacts, path: readonly string[]): number | undefined {
  const { agent_type, max_output_tokens, output_schema, defaults } = config;
  // Defaults fill in fields that an answer lacks.
  const filled = defaults === undefined ? 0 : cautiousTokens(JSON.stringify(defaults));
  const longest =
    agent_type === 'orchestrating'
      ? Number.POSITIVE_INFINITY
      : Math.min(max_output_tokens ?? Number.POSITIVE_INFINITY, model?.max_output_tokens ?? Number.POSITIVE_INFINITY) + filled;
  const allowed = output_schema === undefined ? undefined : schemaBound(output_schema, path);
  const most = Math.min(longest, allowed ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(most) ? most : undefined;
}

/** The same from the schema alone. */
export function schemaBound(root: JsonObject, path: readonly string[]): number | undefined {
  const contract = new OutputContract(root);
  let schema: Json | undefined = root;
  for (const segment of path) {
    const properties: Json | undefined = toObject(schema, contract)?.properties;
    schema = isObject(properties) && Object.hasOwn(properties, segment) ? properties[segment] : undefined;
    if (schema === undefined) return undefined;
  }
  return valueBound(schema, contract, 0);
}

/** A schema with keywords, its `$ref` followed; undefined for any other. */
function toObject(schema: Json, contract: OutputContract): JsonObject | undefined {
  const place = contract.follow({ schema, pointer: '' });
  return isObject(place?.schema) ? place.schema : undefined;
}

/** Only recursive schemas are nested deeper. */
const deepest = 16;
/** The longest number JSON.stringify writes has 24 characters, and digits may be tokens of their own. */
const longestNumber = 24;

function valueBound(schema: Json, contract: OutputContract, depth: number): number | undefined {
  const place = toObject(schema, contract);
  if (place === undefined || depth > deepest) return undefined;
  if (place.const !== undefined) return cautiousTokens(JSON.stringify(place.const));
  if (Array.isArray(place.enum)) return Math.max(0, ...place.enum.map((value: Json) => cautiousTokens(JSON.stringify(value))));
  const types = typeof place.type === 'string' ? [place.type] : listOf(place.type);
  if (types.length === 0) return undefined;
  let most = 0;
  for (const type of types) {
    const bound = typeof type === 'string' ? boundOfType(type, place, contract, depth) : undefined;
    if (bound === undefined) return undefined;
    most = Math.max(most, bound);
  }
  return most;
}

function boundOfType(type: string, schema: JsonObject, contract: OutputContract, depth: number): number | undefined {
  const { maxLength, maxItems, items, properties, additionalProperties, patternProperties } = schema;
  switch (type) {
    case 'null':
    case 'boolean':
      return 2;
    case 'number':
    case 'integer':
      return longestNumber;
    case 'string':
      return typeof maxLength === 'number' ? maxLength + 2 : undefined;
    case 'array': {
      const each = typeof maxItems === 'number' && items !== undefined ? valueBound(items, contract, depth + 1) : undefined;
      return each === undefined ? undefined : (maxItems as number) * (each + 1) + 2;
    }
    case 'object': {
      if (!isObject(properties) || additionalProperties !== false || patternProperties !== undefined) return undefined;
      let sum = 2;
      for (const [name, part] of Object.entries(properties)) {
        const bound = valueBound(part, contract, depth + 1);
        if (bound === undefined) return undefined;
        sum += cautiousTokens(JSON.stringify(name)) + bound + 2;
      }
      return sum;
    }
    default:
      return undefined;
  }
}

/** An upper bound of the tokens of an input. */
export interface InputBound {
  readonly tokens: number;
  /** Whether part of it comes from outside, and counts with an assumed size. */
  readonly isAssumed: boolean;
}

/**
 * The bound of an input made from a template: its text, and the values of its paths. A value inserted into a longer text may be JSON that is escaped
 * once more, so it counts twice.
 *
 * @param boundOf the bound of the value at a path
 * @param assumed total tokens of the values from outside
 */
export function inputBound(template: Json, boundOf: (segments: readonly string[]) => InputBound, assumed: number): InputBound {
  let tokens = cautiousTokens(JSON.stringify(template));
  let isAssumed = false;
  for (const text of textsIn(template)) {
    const { parts } = text.includes('{{') ? parseTemplate(text) : { parts: [] };
    for (const part of parts) {
      if (typeof part === 'string') continue;
      const bound = boundOf(part.segments);
      tokens += bound.tokens * (parts.length === 1 ? 1 : 2);
      isAssumed ||= bound.isAssumed;
    }
  }
  return { tokens: tokens + (isAssumed ? assumed : 0), isAssumed };
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
