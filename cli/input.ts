import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { type EvalTurn, readCases } from '../core/eval/readCases.js';
import { isObject, type Json, type JsonObject, setAt } from '../core/json.js';
import { maxDepth } from '../core/jsonText/jsonShape.js';
import { parseJson } from '../core/jsonText/parseJson.js';
import { positionsIn } from '../core/jsonText/textPositions.js';
import { didYouMean, firstNames, nearestNames } from '../core/names.js';
import { plural, shellQuote } from '../core/words.js';
import { type Cli, UsageError } from './cli.js';

/** How a command line gives an agent its input. */
export interface InputOptions {
  /** A file, or `-` for stdin: a payload object, or a payload file `{input: {...}}`. */
  readonly input?: string;
  /** A payload file of the project, `payloads/{agent}/{case}.json`, or a case of a data set: `{file}/{name}`. */
  readonly case?: string;
  /** `key=value`, applied in order on top of the others. */
  readonly set?: readonly string[];
  /** The key `message`, as text. */
  readonly message?: string;
}

export interface InputSource {
  readonly cli: Pick<Cli, 'cwd' | 'stdin'>;
  /** Of the agent or orchestration. */
  readonly agentName: string;
  /** Names of its payload files to their texts. */
  readonly cases: { readonly names: readonly string[]; readonly read: (name: string) => Promise<string> };
  /** The input of the record that is replayed, for a command line that gives none. */
  readonly recorded?: JsonObject | undefined;
}

/** More than this is refused: an input that no model's context window could hold. */
const maxBytes = 64 * 1024 * 1024;

/**
 * The payload a command line asks for; `{}` when it gives none.
 *
 * @throws UsageError when it cannot be read, is not JSON, or is not an object
 */
export async function readInput(options: InputOptions, source: InputSource): Promise<JsonObject> {
  if (options.input !== undefined && options.case !== undefined) throw new UsageError('Give --input or --case, not both.');
  const isGiven = [options.input, options.case, options.message, options.set].some((option) => option !== undefined);
  if (!isGiven && source.recorded !== undefined) return source.recorded;
  let payload: JsonObject = {};
  if (options.input === '-') payload = toPayload(decode(await readAll(source.cli.stdin, 'stdin'), 'stdin'), 'stdin');
  else if (options.input !== undefined)
    payload = toPayload(await readInputFile(resolve(source.cli.cwd, options.input), options.input), options.input);
  else if (options.case !== undefined) payload = await readCase(options.case, source);
  if (options.message !== undefined) payload = setAt(payload, ['message'], options.message);
  return withAssignments(payload, options.set);
}

/** How a command line gives an orchestration its context. */
export interface ContextOptions extends Pick<InputOptions, 'set' | 'case'> {
  /** A file, `-` for stdin, or the JSON object itself; used unchanged. */
  readonly context?: string;
}

/** The context a command line asks for; `{}` when it gives none. @throws as `readInput` */
export async function readContext(options: ContextOptions, source: InputSource): Promise<JsonObject> {
  if (options.context !== undefined && options.case !== undefined) throw new UsageError('Give --context or --case, not both.');
  const isGiven = [options.context, options.case, options.set].some((option) => option !== undefined);
  if (!isGiven && source.recorded !== undefined) return source.recorded;
  if (options.case !== undefined) return withAssignments(await readCase(options.case, source, {}), options.set);
  return withAssignments(options.context === undefined ? {} : await readObject(options.context, source.cli), options.set);
}

function withAssignments(start: JsonObject, assignments: readonly string[] = []): JsonObject {
  let object = start;
  for (const assignment of assignments) object = setAt(object, ...parseAssignment(assignment));
  return object;
}

/** A file, `-` for stdin, or the JSON object itself. @throws UsageError as `readInput` */
export async function readObject(context: string, { cwd, stdin }: InputSource['cli'], option = '--context'): Promise<JsonObject> {
  if (/^\s*(?:[{[]|$)/.test(context)) return toObject(context, option);
  if (context === '-') return toObject(decode(await readAll(stdin, 'stdin'), 'stdin'), 'stdin');
  return toObject(await readInputFile(resolve(cwd, context), context, option), context);
}

/** A payload file, or a case of a data set: `labels/three`. @param ifNone the input of a case that has an expectation alone */
async function readCase(name: string, { agentName, cases }: InputSource, ifNone?: JsonObject): Promise<JsonObject> {
  const [file = '', ...rest] = name.split('/');
  if (cases.names.includes(file)) {
    const value = toObject(await cases.read(file), `the case ${file}`);
    return rest.length === 0 ? toInput(value, file, ifNone) : toInputOfSet(value, file, name);
  }
  const hint = cases.names.length === 0 ? ' It has no payload files.' : ` There are: ${cases.names.join(', ')}.`;
  throw new UsageError(`${agentName} has no case ${JSON.stringify(name)}.${didYouMean(nearestNames(file, cases.names))}${hint}`);
}

async function readInputFile(path: string, written: string, option = '--input'): Promise<string> {
  try {
    return decode(await readAll(createReadStream(path), written), written);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UsageError(`${option} ${written}: there is no such file.`);
    if (code === 'EISDIR') throw new UsageError(`${option} ${written}: this is a folder; name a JSON file in it.`);
    if (code === 'EACCES') throw new UsageError(`${option} ${written}: no permission to read it.`);
    throw error;
  }
}

/** Stops reading at the limit: the source may be a pipe or a device without an end. */
async function readAll(source: AsyncIterable<Buffer>, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > maxBytes) {
      throw new UsageError(
        `The input from ${name} is larger than ${maxBytes / 1024 / 1024} MB. No model takes that much; send less of it.`,
        'input-invalid',
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`The input from ${name} is not UTF-8 text. Save it as UTF-8.`, 'input-invalid');
  }
}

function toPayload(text: string, name: string): JsonObject {
  return unwrap(toObject(text, name));
}

/** What a payload file of the project holds: its `input`, as `check` expects it. */
function toInput({ input: own, context, cases, turns, expect }: JsonObject, name: string, ifNone?: JsonObject): JsonObject {
  const input = own ?? context ?? (expect === undefined ? undefined : ifNone);
  if (Array.isArray(cases))
    throw new UsageError(
      `The case ${name} is a data set of ${plural(cases.length, 'case')}, and a run takes one. Name it${exampleOf(name, { cases })}, or ask them all with \`eval\`.`,
      'input-invalid',
    );
  if (Array.isArray(turns)) return onlyInput(readCases(name, { turns })[0]?.turns ?? [], name);
  if (isObject(input)) return input;
  const fault = input === undefined ? 'has no "input"' : `has ${nameOf(input)} as "input"`;
  throw new UsageError(`The case ${name} ${fault}: a payload file is {"input": {"key": "value"}}.`, 'input-invalid');
}

function onlyInput([first, ...others]: readonly EvalTurn[], name: string): JsonObject {
  if (first !== undefined && others.length === 0) return first.input;
  const count = plural(first === undefined ? 0 : others.length + 1, 'turn');
  const message = `The case ${name} is a conversation of ${count}, and a run asks once. Ask all of it with \`eval\`, or give one input with --input.`;
  throw new UsageError(message, 'input-invalid');
}

function exampleOf(file: string, value: JsonObject): string {
  const [first] = readCases(file, value);
  return first === undefined ? '' : `, e.g. --case ${shellQuote(first.name)}`;
}

/** @param name `labels/three`; `three` may be the number of the case */
function toInputOfSet(value: JsonObject, file: string, name: string): JsonObject {
  if (!Array.isArray(value.cases))
    throw new UsageError(
      `The case ${file} is not a data set, so there is no ${JSON.stringify(name)}. Write --case ${file}.`,
      'input-invalid',
    );
  const names: string[] = [];
  for (const sample of readCases(file, value)) {
    if (sample.name === name) return onlyInput(sample.turns, name);
    names.push(sample.name);
  }
  throw new UsageError(
    `The data set ${file} has no case ${JSON.stringify(name)}.${didYouMean(nearestNames(name, names))} There are: ${firstNames(names)}.`,
    'input-invalid',
  );
}

function toObject(text: string, name: string): JsonObject {
  const invalid = (fault: string) => new UsageError(`The input from ${name} ${fault}`, 'input-invalid');
  if (text.trim() === '') throw invalid('is empty. Give a JSON object like {"key": "value"}.');
  const { value, syntax } = parseJson(text);
  const [fault] = syntax;
  if (fault !== undefined) {
    const { line, column } = positionsIn(text)(fault.range.start);
    throw invalid(`is not valid JSON, line ${line}, column ${column}: ${fault.message}`);
  }
  if (!isObject(value)) throw invalid(`must be a JSON object like {"key": "value"}, but it is ${nameOf(value)}.`);
  return value;
}

/** Of any file: one that holds `input` and nothing else but our own keys is a payload file; anything else is the payload itself. */
function unwrap(value: JsonObject): JsonObject {
  const keys = Object.keys(value).filter((key) => key !== '$schema' && key !== '$ignore');
  return keys.length === 1 && keys[0] === 'input' && isObject(value.input) ? value.input : value;
}

function nameOf(value: Json | undefined): string {
  if (value === null || value === undefined) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

/** `a.b=1`: a dotted path (`\.` is a dot in a key) and a value, JSON where it is JSON, otherwise text. */
function parseAssignment(assignment: string): [path: readonly string[], value: Json] {
  const equals = assignment.indexOf('=');
  const path = assignment
    .slice(0, Math.max(0, equals))
    .split(/(?<!\\)\./)
    .map((key) => key.replaceAll('\\.', '.'));
  if (equals < 1 || path.includes('')) {
    throw new UsageError(`--set ${assignment}: expected KEY=VALUE, e.g. --set task="Write a parser" or --set options.depth=2.`);
  }
  if (path.length >= maxDepth) throw new UsageError(`--set ${assignment.slice(0, 40)}...: deeper than ${maxDepth} levels.`);
  const text = assignment.slice(equals + 1);
  const { value, syntax } = parseJson(text);
  return [path, value === undefined || syntax.length > 0 ? text : value];
}

/** The names of an agent's payload files, for `--case`. */
export function caseNames(files: ReadonlyMap<string, string>, agentName: string): string[] {
  const prefix = `${agentName}/`;
  return [...files.keys()].filter((id) => id.startsWith(prefix)).map((id) => basename(id));
}
