import type { Issue } from '../../errors.js';
import { isObject, type JsonObject } from '../../json.js';
import { loadSchemaCompiler, type SchemaCompiler } from '../../schema/schemaCompiler.js';
import { fitsSimply } from '../../schema/simpleSchema.js';
import type { Tool } from '../../tools/types.js';

/** The issues of an input; empty if the tool accepts it. */
export type CheckInput = (tool: Tool, input: JsonObject) => Promise<readonly Issue[]> | readonly Issue[];

const noIssues: readonly Issue[] = [];

/**
 * Validates inputs with the parameters of their tool. Most schemas are simple and most inputs valid: the compiler is loaded only for the others.
 * Invalid parameters check nothing, and are reported.
 */
export function createInputCheck(schemas: SchemaCompiler | undefined, report: (tool: string, problem: string) => void): CheckInput {
  let compiler: Promise<SchemaCompiler> | undefined;
  return (tool, input) => {
    if (fitsSimply(tool.parameters, input) === true) return noIssues;
    compiler ??= schemas ? Promise.resolve(schemas) : loadSchemaCompiler();
    return compiler.then((schemas) => {
      const compiled = schemas.compile(tool.parameters);
      if (compiled.ok) return compiled.check(input);
      report(tool.name, compiled.problems.map(({ pointer, message }) => `${pointer} ${message}`).join('; '));
      return noIssues;
    });
  };
}

/** The input of a tool with a single text parameter, from bare text: `Action Input: weather in Paris`. Undefined for other tools. */
export function inputOfText({ parameters }: Pick<Tool, 'parameters'>, text: string): JsonObject | undefined {
  const { properties } = parameters;
  // Text that begins like JSON is broken JSON.
  if (!isObject(properties) || /^\s*[{[]/.test(text)) return undefined;
  const [name, ...others] = Object.keys(properties);
  if (name === undefined || others.length > 0) return undefined;
  const schema = properties[name];
  if (!isObject(schema) || schema.type !== 'string') return undefined;
  // A computed key, so that `__proto__` is an ordinary name.
  return { [name]: unquoted(text) };
}

function unquoted(text: string): string {
  const trimmed = text.trim();
  return /^"[^"]*"$|^'[^']*'$|^`[^`]*`$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}
