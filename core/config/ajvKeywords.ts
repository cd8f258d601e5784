import type { Code, CodeKeywordDefinition, _ as CodeTemplate, Ajv as Core, KeywordCxt, Name } from 'ajv';
import type { Json, JsonObject } from '../json.js';

/** What this file needs of ajv, handed in by whoever has loaded it. */
interface AjvParts {
  readonly ajv: Core;
  readonly _: typeof CodeTemplate;
}

/**
 * Makes errors say which of the errors before them are theirs. `anyOf` and `oneOf` get `params.ends`: for each alternative
 * the number of errors up to its end, counted from the first of the first; `contains` gets their number, `params.inner`.
 */
export function reportInnerErrors({ ajv, _ }: AjvParts): void {
  const contains = ajv.getKeyword('contains') as CodeKeywordDefinition;
  const containsParams = contains.error?.params as (cxt: unknown) => Code;
  ajv.removeKeyword('contains');
  ajv.addKeyword({
    ...contains,
    keyword: 'contains',
    error: {
      message: 'must contain items of a kind',
      params: (cxt) => _`{...${containsParams(cxt)}, inner: errors - ${cxt.errsCount as Name}}`,
    },
  });
  for (const keyword of ['anyOf', 'oneOf']) {
    const original = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      ...original,
      keyword,
      error: {
        message: 'must fit an alternative',
        params: ({ params }) => _`{ends: ${params.ends as Name}}`,
      },
      code(cxt: KeywordCxt) {
        const ends = cxt.gen.const('ends', _`[]`);
        const subschema = cxt.subschema.bind(cxt);
        cxt.subschema = (branch, valid) => {
          const inner = subschema(branch, valid);
          cxt.gen.code(_`${ends}.push(errors - ${cxt.errsCount as Name})`);
          return inner;
        };
        // `oneOf` sets parameters of its own, which would drop ours.
        const setParams = cxt.setParams.bind(cxt);
        cxt.setParams = (params) => setParams({ ...params, ends });
        cxt.setParams({});
        original.code(cxt);
      },
    });
  }
}

/**
 * `enum`, `const` and `uniqueItems` that take time in proportion to the value and read own properties only: ajv's compare
 * every item with every other, and trust `constructor` and `valueOf` of what they compare.
 */
export function compareSafely({ ajv, _ }: AjvParts): void {
  for (const keyword of ['enum', 'const', 'uniqueItems']) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    errors: false,
    error: { message: 'must be one of a list', params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}` },
    compile: (allowed: readonly Json[]) => {
      const keys = new Set(allowed.map(keyOf));
      return (value: Json) => keys.has(keyOf(value));
    },
  });
  ajv.addKeyword({
    keyword: 'const',
    errors: false,
    error: { message: 'must be one value', params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
    compile: (allowed: Json) => {
      const key = keyOf(allowed);
      return (value: Json) => keyOf(value) === key;
    },
  });
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    error: { message: 'must hold each item once' },
    compile: (wanted: boolean) => (items: readonly Json[]) => !wanted || new Set(items.map(keyOf)).size === items.length,
  });
}

/** Equal for equal JSON values only: scalars as they are, lists and objects as text with sorted keys, marked as such. */
function keyOf(value: Json): Json {
  if (typeof value === 'string') return `"${value}`;
  return typeof value === 'object' && value !== null ? canonicalText(value) : value;
}

function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const object = value as JsonObject;
  const entries = Object.keys(object).sort();
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonicalText(object[key] as Json)}`).join()}}`;
}
