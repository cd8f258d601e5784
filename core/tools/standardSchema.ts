import type { Issue } from '../errors.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';

/** What tools use of Standard Schema (standardschema.dev, version 1), which Zod, Valibot, ArkType and others implement. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Of Standard JSON Schema, which adds it. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => Record<string, unknown> };
  };
}

type StandardResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a schema gives back: its output, after defaults and transformations. */
export type StandardOutput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

/** The schemas of some vendors are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  const isHolder = typeof value === 'function' || isObject(value);
  return isHolder && '~standard' in value && isObject(value['~standard']) && typeof value['~standard'].validate === 'function';
}

/** The JSON Schema of what a schema takes; undefined where its vendor gives none. @throws what the vendor throws for a schema that has no such form */
export function jsonSchemaOf(schema: StandardSchema): JsonObject | undefined {
  const { jsonSchema } = schema['~standard'];
  if (jsonSchema !== undefined) return withoutDialect(jsonSchema.input({ target: 'draft-07' }));
  const own = schema as { readonly toJSONSchema?: unknown; readonly toJsonSchema?: unknown };
  const convert = own.toJSONSchema ?? own.toJsonSchema;
  return typeof convert === 'function' ? (convert.call(schema) as JsonObject) : undefined;
}

/** Draft-07 is what a schema without `$schema` is taken for. */
function withoutDialect({ $schema: _, ...schema }: Record<string, unknown>): JsonObject {
  return schema as JsonObject;
}

/** The output for an input, or what is wrong with it. */
export async function validateWith(
  schema: StandardSchema,
  input: Json,
): Promise<{ readonly value: unknown } | { readonly issues: readonly Issue[] }> {
  const result = await schema['~standard'].validate(input);
  if (result.issues === undefined) return { value: result.value };
  const issues = result.issues.map(({ message, path = [] }) => {
    const segments = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment));
    return { path: pointerOf(...segments), keyword: 'schema', message };
  });
  return { issues };
}
