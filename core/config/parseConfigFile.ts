import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { parseJson, parseJsonWithComments } from '../jsonText/parseJson.js';
import { isPromptText, readPromptText } from '../jsonText/promptText.js';
import type { Kind } from '../kinds.js';
import { findForeign, unmarkedFile } from '../otherTools/foreignFile.js';
import { mcpLists } from '../otherTools/index.js';
import { isOfProject } from '../otherTools/mark.js';
import { FileProblem, type FileSystem } from '../ports.js';
import { validateKind } from '../schema/kindValidators.js';
import type { SchemaError } from '../schema/types.js';
import type { ConfigFile, FileIdentity } from './configFile.js';

/** Files that other tools write with comments. */
const withComments: ReadonlySet<Kind> = new Set(mcpLists.flatMap(({ kind, hasComments }) => (hasComments ? kind : [])));

const noErrors: readonly SchemaError[] = [];
const noIgnore: ConfigFile['ignore'] = new Map();

/**
 * Reads one config file's text. Never throws: errors are in `syntax`, `schemaErrors` and `ignoreErrors`. Text that is JSON costs
 * one pass and one `JSON.parse`; positions are computed only if something is wrong. A duplicate key leaves `value` as
 * `JSON.parse` has it (the last wins); any other syntax fault leaves it undefined.
 *
 * @param path project path
 * @param fileText the whole file; a leading BOM is skipped and counts as one unit in ranges
 */
export function parseConfigFile(path: string, fileText: string, identity: FileIdentity): ConfigFile {
  const { text, value: whole, syntax } = read(path, fileText, identity.kind);
  if (!isObject(whole)) {
    const schemaErrors = whole === undefined ? noErrors : validateKind(identity.kind, whole);
    const foreign = isUnmarked(identity, whole ?? fieldsOf(path, fileText)) ? unmarkedFile : undefined;
    return { path, identity, text, fileText, value: whole, ignore: noIgnore, ignoreErrors: noErrors, syntax, schemaErrors, foreign };
  }
  const value = withoutOurs(whole);
  const { ignore, ignoreErrors } = readIgnore(Object.hasOwn(whole, '$ignore') ? whole.$ignore : undefined);
  const schemaErrors = validateKind(identity.kind, value);
  const recognised = schemaErrors.length > 0 ? findForeign(whole, identity.kind) : undefined;
  const foreign = recognised ?? (isUnmarked(identity, whole) ? unmarkedFile : undefined);
  return { path, identity, text, fileText, value, ignore, ignoreErrors, syntax, schemaErrors, foreign };
}

function read(path: string, fileText: string, kind: Kind): Pick<ConfigFile, 'text' | 'syntax'> & { readonly value: Json | undefined } {
  if (!isPromptText(path)) return { text: fileText, ...(withComments.has(kind) ? parseJsonWithComments(fileText) : parseJson(fileText)) };
  const { json: text, faults } = readPromptText(fileText);
  return faults.length > 0 ? { text, value: undefined, syntax: faults } : { text, ...parseJson(text) };
}

/** Payloads, baselines and locks are looked for in projects only. */
const markedKinds: ReadonlySet<Kind> = new Set(['agent', 'llm', 'persona', 'prompt', 'orchestration', 'system', 'mcp']);

function isUnmarked({ kind, needsMark }: FileIdentity, value: Json | undefined): boolean {
  return needsMark === true && markedKinds.has(kind) && !isOfProject(kind, value);
}

/** The fields in the front matter of a broken prompt, as far as they can be read: any program may have Markdown whose front matter is not ours. */
function fieldsOf(path: string, fileText: string): JsonObject | undefined {
  if (!isPromptText(path)) return undefined;
  const written = readPromptText(fileText).members.filter(({ key, value }) => value.start > key.end);
  return Object.fromEntries(['template', ...written.map(({ name }) => name)].map((name) => [name, '']));
}

/** The object a config text holds, as rules see it: without `$schema` and `$ignore`. Undefined if it holds none or is not JSON. */
export function parseConfigObject(text: string): JsonObject | undefined {
  const { value } = parseJson(text);
  return isObject(value) ? withoutOurs(value) : undefined;
}

/** The value as all code after reading sees it: without `$schema` and `$ignore`. The same object if it has neither. */
export function withoutOurs(value: JsonObject): JsonObject {
  if (!Object.hasOwn(value, '$schema') && !Object.hasOwn(value, '$ignore')) return value;
  // Rest copies own properties as they are, `__proto__` included, and leaves an object with fast properties, which `delete` does not.
  const { $schema: _schema, $ignore: _ignore, ...rest } = value;
  return rest;
}

function readIgnore(written: Json | undefined): Pick<ConfigFile, 'ignore' | 'ignoreErrors'> {
  if (written === undefined) return { ignore: noIgnore, ignoreErrors: noErrors };
  if (!isObject(written))
    return { ignore: noIgnore, ignoreErrors: [ignoreError('/$ignore', 'must be an object: {"rule-code": ["/json/pointer"] or true}')] };
  const ignore = new Map<string, readonly string[] | true>();
  const ignoreErrors: SchemaError[] = [];
  for (const [code, places] of Object.entries(written)) {
    const pointer = pointerOf('$ignore', code);
    if (places === true) ignore.set(code, true);
    else if (Array.isArray(places)) {
      const pointers = places.filter((place): place is string => typeof place === 'string' && (place === '' || place.startsWith('/')));
      places.forEach((place, index) => {
        if (!pointers.includes(place))
          ignoreErrors.push(ignoreError(pointerOf('$ignore', code, index), 'must be a JSON pointer such as "/output_schema"'));
      });
      ignore.set(code, pointers);
    } else ignoreErrors.push(ignoreError(pointer, 'must be a list of JSON pointers, or true for the whole file'));
  }
  return { ignore, ignoreErrors };
}

function ignoreError(pointer: string, message: string): SchemaError {
  return { pointer, keyword: 'type', params: {}, message };
}

/** Reads and parses one config file. An unreadable one is a file without a value, whose only fault says why. */
export async function readConfigFile(files: Pick<FileSystem, 'readText'>, path: string, identity: FileIdentity): Promise<ConfigFile> {
  try {
    return parseConfigFile(path, await files.readText(path), identity);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    const fault = { code: 'json-syntax', message: error.message, range: { start: 0, end: 0 }, pointer: '' } as const;
    return { ...parseConfigFile(path, '', identity), syntax: [fault] };
  }
}
