import type { Issue } from '../errors.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';

/** The part of Standard Schema (standardschema.dev, version 1) that tools use; Zod, Valibot, ArkType and others implement it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Added by Standard JSON Schema. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => Record<string, unknown> };
  };
}

type StandardResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The output of a schema, after defaults and transformations. */
export type StandardOutput<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output'];

/** Some vendors' schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  const isHolder = typeof value === 'function' || isObject(value);
  return isHolder && '~standard' in value && isObject(value['~standard']) && typeof value['~standard'].validate === 'function';
}

/** The JSON Schema of a schema's input; undefined if its vendor provides none. @throws the vendor's error if it cannot be expressed */
export function jsonSchemaOf(schema: StandardSchema): JsonObject | undefined {
  const { jsonSchema } = schema['~standard'];
  if (jsonSchema !== undefined) return withoutDialect(jsonSchema.input({ target: 'draft-07' }));
  const methods = schema as { readonly toJSONSchema?: unknown; readonly toJsonSchema?: unknown };
  const convert = methods.toJSONSchema ?? methods.toJsonSchema;
  return typeof convert === 'function' ? (convert.call(schema) as JsonObject) : undefined;
}

/** A schema without `$schema` counts as draft-07. */
function withoutDialect({ $schema: _, ...schema }: Record<string, unknown>): JsonObject {
  return schema as JsonObject;
}

/** The output for an input, or its issues. */
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
