import type { JsonType } from '../../routing/operators/operator.js';

const words: Readonly<Record<JsonType, string>> = {
  null: 'null',
  boolean: 'true or false',
  number: 'a number',
  string: 'a text',
  array: 'a list',
  object: 'an object',
};

/** `a number or null`. */
export function eitherType(types: readonly JsonType[]): string {
  return types.map((type) => words[type]).join(' or ');
}
