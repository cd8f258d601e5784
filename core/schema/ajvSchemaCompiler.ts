import type { Issue } from '../errors.js';
import { escapeSegment, type Json, type JsonObject } from '../json.js';
import { shownErrors } from './ajvErrors.js';
import { CheckGuard, TooManyErrors, TooMuchWork } from './ajvGuard.js';
import { toAjvInput, tooLarge } from './ajvInput.js';
import { compareSafely, countWork, findUnevaluatedSafely, noteEvaluatedByIf, reportInnerErrors } from './ajvKeywords.js';
import { _, Ajv, Ajv2020, fullFormats, type Options, type ValidateFunction } from './ajvPackage.js';
import { type LinearRegExp, linearRegExp } from './linearRegExp.js';
import type { CompiledSchema, SchemaCompiler, SchemaProblem } from './schemaCompiler.js';
import { type Dialect, dialectOf } from './schemaPlaces.js';
import type { ShownError } from './types.js';

/** Maximum issues of a check. */
const mostIssues = 100;
/** Maximum errors that ajv collects at a time; beyond that a check starts over and reports only the first. */
const mostErrors = 10_000;
/** Number of compiled schemas cached by content, least recently used dropped first, and the longest cached text, in UTF-16 units. */
const cache = { entries: 200, text: 100_000 };

const noIssues: readonly Issue[] = [];

/**
 * Compiles users' schemas with ajv. The only file that loads ajv, and itself loaded lazily (`loadSchemaCompiler`). Each
 * compiler has its own cache, by identity first, then by content. A schema must not be changed after it was compiled.
 */
export function createSchemaCompiler(): SchemaCompiler {
  const byIdentity = new WeakMap<JsonObject, CompiledSchema>();
  const byContent = new Map<string, CompiledSchema>();
  return { compile };

  function compile(schema: JsonObject | boolean): CompiledSchema {
    if (typeof schema === 'boolean') return compileSchema(schema);
    const cached = byIdentity.get(schema);
    if (cached) return cached;
    const tooMuch = tooLarge(schema);
    const compiled = tooMuch === undefined ? fromContent(schema) : refused(tooMuch);
    byIdentity.set(schema, compiled);
    return compiled;
  }

  function fromContent(schema: JsonObject): CompiledSchema {
    const text = JSON.stringify(schema);
    if (text.length > cache.text) return compileSchema(schema);
    const compiled = byContent.get(text) ?? compileSchema(schema);
    byContent.delete(text);
    byContent.set(text, compiled);
    const [oldest] = byContent.keys();
    if (byContent.size > cache.entries && oldest !== undefined) byContent.delete(oldest);
    return compiled;
  }
}

function compileSchema(schema: JsonObject | boolean): CompiledSchema {
  const dialect = dialectOf(schema);
  const guard = new CheckGuard();
  const regExp = memoized(linearRegExp);
  const input = toAjvInput(schema, dialect, { regExp, hasFormat: (name) => Object.hasOwn(fullFormats, name) });
  if (!input.ok) return input;

  const namesProto = JSON.stringify(schema).includes('__proto__');
  const compileWith = (allErrors: boolean) => createAjv(dialect, guard, regExp, { allErrors, namesProto }).compile(input.schema);
  try {
    const all = compileWith(true);
    const first = once(() => compileWith(false));
    return { ok: true, check: (value) => checkValue(value, guard, all, first) };
  } catch (error) {
    return refused(`cannot be compiled: ${error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message}`);
  }
}

function refused(message: string): CompiledSchema {
  const problem: SchemaProblem = { pointer: '', kind: 'schema', message };
  return { ok: false, problems: [problem] };
}

/** A new instance for each schema, since instances keep everything they compiled. */
function createAjv(
  dialect: Dialect,
  guard: CheckGuard,
  regExp: (pattern: string) => LinearRegExp,
  { allErrors, namesProto }: { readonly allErrors: boolean; readonly namesProto: boolean },
): Ajv {
  const options: Options = {
    allErrors,
    code: {
      optimize: false,
      regExp: Object.assign((pattern: string) => countedRegExp(pattern, regExp(pattern), guard), { code: 'linear' }),
    },
    // Inlining copies the target into every place that refers to it.
    inlineRefs: false,
    logger: false,
    messages: false,
    meta: false,
    // Fields such as `constructor` and `toString` exist only when the value itself has them.
    ownProperties: true,
    passContext: true,
    strict: false,
    validateSchema: false,
  };
  const ajv = dialect === '2020-12' ? new Ajv2020(options) : new Ajv(options);
  reportInnerErrors({ ajv, _ });
  compareSafely({ ajv, _ }, guard.spend);
  countWork({ ajv, _ });
  noteEvaluatedByIf({ ajv, _ });
  findUnevaluatedSafely({ ajv, _ }, namesProto);
  addFormats(ajv, guard);
  return ajv;
}

/** Ajv distinguishes patterns by their text, `toString`. */
function countedRegExp(pattern: string, compiled: LinearRegExp, guard: CheckGuard) {
  const test = (text: string) => {
    guard.spend(text.length);
    return compiled.ok && compiled.test(text);
  };
  return { test, toString: () => pattern };
}

function addFormats(ajv: Ajv, guard: CheckGuard): void {
  for (const [name, format] of Object.entries(fullFormats)) {
    const validate = name === 'url' ? isUrl : textCheckOf(format);
    if (validate === undefined) ajv.addFormat(name, format);
    else {
      ajv.addFormat(name, (text: string) => {
        guard.spend(text.length);
        return validate(text);
      });
    }
  }
}

/** The test of a format for texts; undefined when it judges numbers or nothing. */
function textCheckOf(format: unknown): ((text: string) => boolean) | undefined {
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return (text) => Boolean(format(text));
  if (typeof format !== 'object' || format === null || !('validate' in format)) return undefined;
  return 'type' in format && format.type === 'number' ? undefined : textCheckOf(format.validate);
}

/** The package's own expression takes quadratic time. */
function isUrl(text: string): boolean {
  return /^(?:https?|ftp):\/\/[^\s]+$/i.test(text) && URL.canParse(text);
}

function checkValue(value: Json, guard: CheckGuard, all: ValidateFunction, first: () => ValidateFunction): readonly Issue[] {
  try {
    guard.start(mostErrors);
    if (all.call(guard, value)) return noIssues;
    if ((all.errors?.length ?? 0) <= mostErrors) return toIssues(all);
  } catch (error) {
    if (!(error instanceof TooManyErrors)) return unchecked(error);
  }
  try {
    guard.start(Number.POSITIVE_INFINITY);
    return first().call(guard, value) ? noIssues : toIssues(first());
  } catch (error) {
    return unchecked(error);
  }
}

/** A value that could not be judged does not fit. @throws any other error, which is a bug */
function unchecked(error: unknown): readonly Issue[] {
  if (error instanceof TooMuchWork)
    return [{ path: '', keyword: 'complexity', message: 'takes too long to be checked against this schema' }];
  if (error instanceof RangeError) return [{ path: '', keyword: 'depth', message: 'is nested too deeply to be checked' }];
  throw error;
}

function toIssues({ errors }: ValidateFunction): readonly Issue[] {
  return shownErrors(errors ?? [])
    .slice(0, mostIssues)
    .map(toIssue);
}

function toIssue({ pointer, keyword, params, message, allowed }: ShownError): Issue {
  const extra = params.additionalProperty ?? params.unevaluatedProperty;
  if (typeof extra !== 'string') return { path: pointer, keyword, message, ...(allowed && { allowed }) };
  const path = `${pointer}/${escapeSegment(extra)}`;
  return { path, keyword, message: `is not allowed: the schema has no field ${JSON.stringify(extra)} here` };
}

function memoized<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const result = results.get(text) ?? compute(text);
    results.set(text, result);
    return result;
  };
}

function once<Result>(compute: () => Result): () => Result {
  let result: { readonly value: Result } | undefined;
  return () => {
    result ??= { value: compute() };
    return result.value;
  };
}
