import { ErrorCodes, type Range, ResponseError } from 'vscode-languageserver';
import { isObject, type Json } from '../core/json.js';

/** The members of a request's parameters that a feature cannot do without. */
const members = {
  textDocument: (value: unknown) => isObject(value) && typeof value.uri === 'string',
  position: isPosition,
  positions: (value: unknown) => Array.isArray(value) && value.every(isPosition),
  range: (value: unknown): value is Range => isObject(value) && isPosition(value.start) && isPosition(value.end),
  context: isObject,
  options: isObject,
  item: (value: unknown) => isObject(value) && typeof value.uri === 'string',
  files: (value: unknown) =>
    Array.isArray(value) && value.every((file) => isObject(file) && typeof file.oldUri === 'string' && typeof file.newUri === 'string'),
  previousResultIds: (value: unknown) => Array.isArray(value) && value.every(isObject),
  ch: isText,
  command: isText,
  label: isText,
  name: isText,
  newName: isText,
  previousResultId: isText,
  query: isText,
  title: isText,
} as const satisfies Readonly<Record<string, (value: unknown) => boolean>>;

export type Member = keyof typeof members;

/** @throws ResponseError (InvalidParams) when a request lacks what the protocol requires */
export function checkParams(method: string, params: unknown, needed: readonly Member[]): void {
  if (!isObject(params)) throw invalid(`${method} needs an object as its parameters.`);
  const missing = needed.find((member) => !members[member](params[member]));
  if (missing !== undefined) throw invalid(`${method} needs ${JSON.stringify(missing)} in its parameters, as the protocol describes it.`);
}

function invalid(message: string): ResponseError {
  return new ResponseError(ErrorCodes.InvalidParams, message);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isPosition(value: unknown): boolean {
  return isObject(value) && isCount(value.line) && isCount(value.character);
}

function isCount(value: Json | undefined): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}
