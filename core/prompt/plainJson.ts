import { pointerOf } from '../json.js';
import { maxDepth } from '../jsonText/jsonShape.js';

/** Why a value is not JSON, and where: a JSON pointer below the value, empty for the value itself. */
export interface NotJson {
  readonly pointer: string;
  /** Continues a sentence after the name of the place: `is a function, which JSON cannot hold`. */
  readonly problem: string;
}

/**
 * The first thing in a value that JSON would drop, change or fail on: undefined, functions, symbols, bigints, NaN and infinities,
 * dates and other class instances, symbol keys, array holes, cycles, more than `maxDepth` levels. Undefined if it is plain JSON.
 */
export function findNotJson(value: unknown): NotJson | undefined {
  return check(value, []);
}

/** The same for an object itself, without examining its members. */
export function findNotPlain(value: object): NotJson | undefined {
  if (!Array.isArray(value) && !isPlain(value)) return fault(`is a ${nameOfClass(value)}, not a plain object`);
  return Object.getOwnPropertySymbols(value).length > 0 ? fault('has a symbol as a key') : undefined;
}

function check(value: unknown, ancestors: readonly unknown[]): NotJson | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : fault(`is ${value}, which is not a JSON number`);
    case 'object':
      return value === null ? undefined : checkObject(value, ancestors);
    case 'undefined':
      return fault('is undefined');
    default:
      return fault(`is a ${typeof value}, which JSON cannot hold`);
  }
}

function checkObject(value: object, ancestors: readonly unknown[]): NotJson | undefined {
  if (ancestors.includes(value)) return fault('contains itself');
  if (ancestors.length >= maxDepth) return fault(`is nested more than ${maxDepth} levels deep`);
  const notPlain = findNotPlain(value);
  if (notPlain) return notPlain;

  const within = [...ancestors, value];
  // Array.keys() visits holes too; Object.keys() would skip them.
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  for (const key of keys) {
    const below = check((value as Record<string | number, unknown>)[key], within);
    if (below) return { pointer: pointerOf(key) + below.pointer, problem: below.problem };
  }
  return undefined;
}

/** Object literals, objects without prototype, and either from another realm (whose prototype is the end of its chain). */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameOfClass(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? name : 'class instance';
}

function fault(problem: string): NotJson {
  return { pointer: '', problem };
}
