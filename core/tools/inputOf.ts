import type { Json, JsonObject } from '../json.js';

/** The type of the values of a plain JSON Schema: `type`, `enum`, `const`, `properties`, `required` and `items`. All else is any JSON. */
export type InputOf<Schema> = string extends keyof Schema ? JsonObject : ValueOf<Schema>;

type ValueOf<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: 'string' }
      ? string
      : Schema extends { readonly type: 'number' | 'integer' }
        ? number
        : Schema extends { readonly type: 'boolean' }
          ? boolean
          : Schema extends { readonly type: 'null' }
            ? null
            : Schema extends { readonly type: 'array' }
              ? Schema extends { readonly items: infer Item }
                ? readonly ValueOf<Item>[]
                : readonly Json[]
              : Schema extends { readonly type: 'object' }
                ? Schema extends { readonly properties: infer Properties }
                  ? ObjectOf<Properties, Schema extends { readonly required: readonly (infer Name)[] } ? Name : never>
                  : JsonObject
                : Json;

type ObjectOf<Properties, Required> = {
  readonly [Name in keyof Properties as Name extends Required ? Name : never]: ValueOf<Properties[Name]>;
} & {
  readonly [Name in keyof Properties as Name extends Required ? never : Name]?: ValueOf<Properties[Name]>;
};
