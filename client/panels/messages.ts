// What a panel and its page send each other is plain data with a `type`. Imported by both sides.
import { isObject } from '../../core/json.js';

export interface Message {
  readonly type: string;
}

/** One function for each type of message. */
export type Handlers<Sent extends Message> = {
  readonly [Type in Sent['type']]: (message: Extract<Sent, { readonly type: Type }>) => unknown;
};

type Guard<Value> = (value: unknown) => value is Value;
type Fields = Readonly<Record<string, Guard<unknown>>>;

/** The messages that a page may send: the fields of each type, with what a value must be. A page sends `ready` too, which is the panel's own. */
export type Shapes = Readonly<Record<string, Fields>>;

export type MessageOf<Declared extends Shapes> = {
  [Type in keyof Declared & string]: { readonly type: Type } & {
    readonly [Field in keyof Declared[Type]]: Declared[Type][Field] extends Guard<infer Value> ? Value : never;
  };
}[keyof Declared & string];

/** Whether a page has sent a message that its panel declares. Pages show what models wrote, so they are not trusted. */
export function isMessage<Declared extends Shapes>(declared: Declared, value: unknown): value is MessageOf<Declared> {
  if (!isObject(value) || typeof value.type !== 'string' || !Object.hasOwn(declared, value.type)) return false;
  return Object.entries(declared[value.type] ?? {}).every(([field, isValid]) => isValid(value[field]));
}

export function isString(value: unknown): value is string {
  return typeof value === 'string';
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** A whole number that is not negative. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isOneOf<const Value extends string>(...values: readonly Value[]): Guard<Value> {
  return (value): value is Value => values.some((allowed) => allowed === value);
}

/** Calls the handler of a message. A message of another type is ignored. */
export function dispatch<Sent extends Message>(handlers: Handlers<Sent>, message: unknown): unknown {
  if (!isObject(message) || typeof message.type !== 'string' || !Object.hasOwn(handlers, message.type)) return undefined;
  return (handlers as Readonly<Record<string, (message: unknown) => unknown>>)[message.type]?.(message);
}

/** The state of a run, as pages show it. */
export type ViewStatus = 'running' | 'completed' | 'partial' | 'failed' | 'cancelled' | 'open' | 'broken';
