import { operators } from '../../generated/operators.js';
import type { Operator } from './operator.js';
import { similar } from './similar.js';

const byName: ReadonlyMap<unknown, Operator> = new Map(operators.map((operator) => [operator.name, operator]));

export function findOperator(name: unknown): Operator | undefined {
  return byName.get(name);
}

/** The operator of an expectation, which may also compare similarity. */
export function findExpectationOperator(name: unknown): Operator | undefined {
  return name === similar.name ? similar : findOperator(name);
}
