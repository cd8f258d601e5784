import type { Issue } from '../../errors.js';
import { isObject, type JsonObject } from '../../json.js';
import { loadSchemaCompiler, type SchemaCompiler } from '../../schema/schemaCompiler.js';
import { fitsSimply } from '../../schema/simpleSchema.js';
import type { Tool } from '../../tools/types.js';

/** What is wrong with an input; empty when the tool can take it. */
export type CheckInput = (tool: Tool, input: JsonObject) => Promise<readonly Issue[]> | readonly Issue[];

const fine: readonly Issue[] = [];

/**
 * Checks inputs against the parameters of their tool. Most schemas are simple, and their inputs right: the compiler is loaded for the others
 * only. Parameters that are no valid schema check nothing; `report` hears of them.
 */
export function createInputCheck(schemas: SchemaCompiler | undefined, report: (tool: string, problem: string) => void): CheckInput {
  let compiler: Promise<SchemaCompiler> | undefined;
  return (tool, input) => {
    if (fitsSimply(tool.parameters, input) === true) return fine;
    compiler ??= schemas ? Promise.resolve(schemas) : loadSchemaCompiler();
    return compiler.then((schemas) => {
      const compiled = schemas.compile(tool.parameters);
      if (compiled.ok) return compiled.check(input);
      report(tool.name, compiled.problems.map(({ pointer, message }) => `${pointer} ${message}`).join('; '));
      return fine;
    });
  };
}

/** The one text a tool takes, given bare: `Action Input: weather in Paris`. Undefined where the tool takes more, or something else. */
export function inputOfText({ parameters }: Pick<Tool, 'parameters'>, text: string): JsonObject | undefined {
  const { properties } = parameters;
  // What begins like JSON was meant as JSON, and is broken.
  if (!isObject(properties) || /^\s*[{[]/.test(text)) return undefined;
  const [name, ...others] = Object.keys(properties);
  if (name === undefined || others.length > 0) return undefined;
  const schema = properties[name];
  if (!isObject(schema) || schema.type !== 'string') return undefined;
  // A computed key, so that `__proto__` is a name like all others.
  return { [name]: unquoted(text) };
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  return /^"[^"]*"$|^'[^']*'$|^`[^`]*`$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}
