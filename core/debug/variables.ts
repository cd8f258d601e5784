import type { DebugProtocol } from '@vscode/debugprotocol';
import { isObject, type Json, type JsonObject } from '../json.js';
import { Handles, Scope } from './dapSdk.js';

/** A value with members, and where it is: the name of the value at the stop, and the path in it. */
interface Node {
  readonly load: () => Json;
  readonly path: readonly string[];
}

/** The value to set, or one line of it. */
export interface Target {
  readonly path: readonly string[];
  /** From 1. */
  readonly line?: number;
}

/** Most characters of a value in its line; the rest is below it. */
const longest = 160;

/** Roots that take time to make. */
const expensive: ReadonlySet<string> = new Set(['sources', 'story']);

/** What a client has been shown of a stop: values as lines, and what is below each. They end with the stop. */
export class Variables {
  readonly #nodes = new Handles<Node>();

  reset(): void {
    this.#nodes.reset();
  }

  scopes(values: JsonObject): Scope[] {
    return Object.keys(values).map((name) => {
      const isExpensive = expensive.has(name);
      const scope: DebugProtocol.Scope = new Scope(
        name,
        this.#nodes.create({ load: () => values[name] ?? null, path: [name] }),
        isExpensive,
      );
      const value = isExpensive ? undefined : values[name];
      if (Array.isArray(value)) scope.indexedVariables = value.length;
      return scope;
    });
  }

  members({ variablesReference, filter, start = 0, count }: DebugProtocol.VariablesArguments): DebugProtocol.Variable[] {
    const node = this.#nodes.get(variablesReference);
    if (!node) return [];
    const { path } = node;
    const value = node.load();
    const page = <Item>(items: readonly Item[]) => items.slice(start, count ? start + count : undefined);
    if (Array.isArray(value)) {
      if (filter === 'named') return [];
      return page(value).map((item, index) => this.variable(String(start + index), item, [...path, String(start + index)]));
    }
    if (isObject(value)) {
      if (filter === 'indexed') return [];
      return page(Object.entries(value)).flatMap(([name, item]) =>
        item === undefined ? [] : [this.variable(name, item, [...path, name])],
      );
    }
    // A root that has no members has itself.
    if (path.length === 1 && !isLong(value)) return [this.variable('value', value, path)];
    if (typeof value !== 'string') return [];
    return page(linesOf(value)).map((line, index) => ({
      name: String(start + index + 1),
      value: shortText(line),
      type: 'line',
      variablesReference: isLong(line) ? this.#nodes.create({ load: () => piecesOf(line), path: [] }) : 0,
    }));
  }

  /** @param path where it is, if it can be set */
  variable(name: string, value: Json, path: readonly string[] = []): DebugProtocol.Variable {
    const hasMembers = isObject(value) || Array.isArray(value) || isLong(value);
    const indexed = Array.isArray(value) ? value.length : typeof value === 'string' && hasMembers ? linesOf(value).length : undefined;
    return {
      name,
      value: shortText(value),
      type: typeName(value),
      variablesReference: hasMembers ? this.#nodes.create({ load: () => value, path }) : 0,
      ...(indexed !== undefined && { indexedVariables: indexed }),
      ...(path.length > 0 && path.every((part) => /^[^.{}\s]+$/.test(part)) && { evaluateName: path.join('.') }),
    };
  }

  /** What a member of a shown value is; undefined if it cannot be set. */
  target({ variablesReference, name }: Pick<DebugProtocol.SetVariableArguments, 'variablesReference' | 'name'>): Target | undefined {
    const node = this.#nodes.get(variablesReference);
    if (!node || node.path.length === 0) return undefined;
    const value = node.load();
    if (isObject(value) || Array.isArray(value)) return { path: [...node.path, name] };
    return typeof value === 'string' && isLong(value) ? { path: node.path, line: Number(name) } : { path: node.path };
  }
}

/** A value in one line: short texts as they are, those with line breaks as JSON, what is long cut. */
export function shortText(value: Json): string {
  if (typeof value !== 'string') return cutTo(previewOf(value, longest), longest);
  const isLine = !/[\n\r\u2028\u2029]/.test(value);
  if (isLine && value.length <= longest) return value;
  const escaped = isLine ? value : JSON.stringify(value.slice(0, longest));
  if (value.length <= longest && escaped.length <= 2 * longest) return escaped;
  return `${cutTo(escaped, longest)}${cutMark(value)}`;
}

/** Ends a text that is cut off. A text that ends in it cannot be set: it would replace the whole by its beginning. */
export function cutMark(text: string): string {
  return ` (${text.length} characters)`;
}

/** A text that one line does not show. */
export function isLong(value: Json): boolean {
  return typeof value === 'string' && (value.length > longest || /[\n\r\u2028\u2029]/.test(value));
}

export function linesOf(text: string): string[] {
  return text.split(/\r\n|[\n\r\u2028\u2029]/);
}

/** A long line in parts. */
function piecesOf(line: string): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < line.length; at += longest) pieces.push(line.slice(at, at + longest));
  return pieces;
}

/** The beginning of a value as JSON, about as long as `room`. */
function previewOf(value: Json, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, Math.max(room, 0) + 1));
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) return JSON.stringify(value) ?? 'undefined';
  let text = isList ? '[' : '{';
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const item = (value as JsonObject)[key];
    if (item === undefined) continue;
    if (text.length > room) break;
    text += `${text.length > 1 ? ',' : ''}${isList ? '' : `${JSON.stringify(key)}:`}`;
    text += previewOf(item, room - text.length);
  }
  return text + (isList ? ']' : '}');
}

/** The beginning of a text that is longer than `most`. */
export function cutTo(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

export function typeName(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}
