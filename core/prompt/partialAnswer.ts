import type { Json } from '../json.js';
import { maxDepth } from '../jsonText/jsonShape.js';

/** A top-level field of the answer, complete. */
export interface PartialField {
  readonly name: string;
  readonly value: Json;
}

export interface PartialAnswer {
  /** The fields that became complete with this chunk, in order. */
  push(chunk: string): readonly PartialField[];
}

/**
 * Reads an answer while it arrives: each top-level field of its first object as soon as it is complete. For display only: it makes no
 * repairs and gives up at the first error; only `parseAndValidate` of the whole text is authoritative. Linear in the length of all chunks.
 */
export function createPartialAnswer(): PartialAnswer {
  return new FieldReader();
}

type State =
  | 'before the object'
  | 'after the brace'
  | 'before a key'
  | 'in a key'
  | 'before the colon'
  | 'before a value'
  | 'in a string'
  | 'in a container'
  | 'in a scalar'
  | 'after a value'
  | 'over';

const space = /\s/;

/** `#text` is the part of the current key or value from earlier chunks; `#from` is where it continues in this chunk. */
class FieldReader implements PartialAnswer {
  #state: State = 'before the object';
  #name = '';
  #text = '';
  #chunk = '';
  #from = 0;
  #depth = 0;
  #isQuoted = false;
  #isEscaped = false;
  #hasFields = false;
  #fields: PartialField[] = [];

  push(chunk: string): readonly PartialField[] {
    this.#chunk = chunk;
    this.#from = 0;
    this.#fields = [];
    for (let at = 0; at < chunk.length && this.#state !== 'over'; at += 1) this.#step(chunk.charAt(at), at);
    if (isReading(this.#state)) this.#text += chunk.slice(this.#from);
    return this.#fields;
  }

  #step(unit: string, at: number) {
    switch (this.#state) {
      case 'in a key':
      case 'in a string':
        if (this.#endsString(unit)) this.#complete(at + 1);
        return;
      case 'in a container':
        if (this.#endsContainer(unit)) this.#complete(at + 1);
        return;
      case 'in a scalar':
        if (!space.test(unit) && unit !== ',' && unit !== '}') return;
        this.#complete(at);
        this.#between(unit, at);
        return;
      default:
        this.#between(unit, at);
    }
  }

  /** Handles one unit outside keys and values. */
  #between(unit: string, at: number) {
    if (space.test(unit)) return;
    switch (this.#state) {
      case 'before the object':
        if (unit === '{') this.#state = 'after the brace';
        return;
      case 'after the brace':
        if (unit === '"') this.#begin('in a key', at);
        else if (unit === '}') this.#state = 'over';
        else if (unit !== '{') this.#state = 'before the object';
        return;
      case 'before a key':
        if (unit === '"') this.#begin('in a key', at);
        else this.#state = 'over';
        return;
      case 'before the colon':
        if (unit === ':') this.#state = 'before a value';
        // A brace and a quoted word without a colon were prose.
        else this.#state = this.#hasFields ? 'over' : 'before the object';
        return;
      case 'before a value':
        this.#begin(unit === '"' ? 'in a string' : unit === '{' || unit === '[' ? 'in a container' : 'in a scalar', at);
        return;
      case 'after a value':
        this.#state = unit === ',' ? 'before a key' : 'over';
        return;
    }
  }

  #begin(state: State, at: number) {
    this.#state = state;
    this.#from = at;
    this.#text = '';
    this.#depth = 1;
    this.#isQuoted = false;
    this.#isEscaped = false;
  }

  #endsString(unit: string): boolean {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (unit === '\\') this.#isEscaped = true;
    else return unit === '"';
    return false;
  }

  #endsContainer(unit: string): boolean {
    if (this.#isQuoted) {
      if (this.#endsString(unit)) this.#isQuoted = false;
    } else if (unit === '"') this.#isQuoted = true;
    else if (unit === '{' || unit === '[') {
      this.#depth += 1;
      if (this.#depth > maxDepth) this.#state = 'over';
    } else if (unit === '}' || unit === ']') this.#depth -= 1;
    return this.#depth === 0;
  }

  /** The key or value being read ends before `end`. */
  #complete(end: number) {
    const value = parse(this.#text + this.#chunk.slice(this.#from, end));
    if (value === undefined) this.#state = 'over';
    else if (this.#state === 'in a key') {
      this.#name = String(value);
      this.#state = 'before the colon';
    } else {
      this.#fields.push({ name: this.#name, value });
      this.#hasFields = true;
      this.#state = 'after a value';
    }
  }
}

function isReading(state: State): boolean {
  return state === 'in a key' || state === 'in a string' || state === 'in a container' || state === 'in a scalar';
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Not JSON: the reader gives up, and parsing the whole answer reports why.
    return undefined;
  }
}
