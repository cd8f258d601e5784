import { contains } from './contains.js';
import { equals } from './equals.js';
import { exists } from './exists.js';
import { greaterThan } from './greaterThan.js';
import { isIn } from './in.js';
import { isEmpty } from './isEmpty.js';
import { lessThan } from './lessThan.js';
import { matches } from './matches.js';
import { notContains } from './notContains.js';
import { notEquals } from './notEquals.js';
import type { Operator } from './operator.js';

/** Every operator, in the order of the schema. */
export const operators: readonly Operator[] = [
  equals,
  notEquals,
  contains,
  notContains,
  greaterThan,
  lessThan,
  isIn,
  exists,
  isEmpty,
  matches,
];

const byName: ReadonlyMap<unknown, Operator> = new Map(operators.map((operator) => [operator.name, operator]));

export function findOperator(name: unknown): Operator | undefined {
  return byName.get(name);
}
