import type { Code, CodeKeywordDefinition, _ as CodeTemplate, Ajv as Core, KeywordCxt, Name } from 'ajv';
import type { Json } from '../json.js';
import { isEqual, isScalar, isShorter, isUnique } from './jsonCompare.js';

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
  const contains = takeKeyword(ajv, 'contains');
  const containsParams = contains.error?.params as (cxt: unknown) => Code;
  ajv.addKeyword({
    ...contains,
    keyword: 'contains',
    error: {
      message: 'must contain items of a kind',
      params: (cxt) => _`{...${containsParams(cxt)}, inner: errors - ${cxt.errsCount as Name}}`,
    },
  });
  for (const keyword of ['anyOf', 'oneOf']) {
    const original = takeKeyword(ajv, keyword);
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

function takeKeyword(ajv: Core, keyword: string): CodeKeywordDefinition {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
  ajv.removeKeyword(keyword);
  return definition;
}

/**
 * Keywords whose work is not seen in generated code, so that what they cost is counted: `spend` is told one unit per value or
 * character looked at. Ajv's own compare every item of a list with every other, and trust the `constructor` and `valueOf` of
 * the values they compare.
 */
export function compareSafely({ ajv, _ }: AjvParts, spend: (units: number) => void): void {
  for (const keyword of ['enum', 'const', 'uniqueItems', 'minLength', 'maxLength']) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    errors: false,
    error: { message: 'must be one of a list', params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}` },
    compile(allowed: readonly Json[]) {
      const scalars = new Set(allowed.filter(isScalar));
      const others = allowed.filter((value) => !isScalar(value));
      return (value: Json) => (isScalar(value) ? scalars.has(value) : others.some((other) => isEqual(value, other, spend)));
    },
  });
  ajv.addKeyword({
    keyword: 'const',
    errors: false,
    error: { message: 'must be one value', params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
    compile: (allowed: Json) => (value: Json) => isEqual(value, allowed, spend),
  });
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    error: { message: 'must hold each item once' },
    compile: (wanted: boolean) => (items: readonly Json[]) => !wanted || isUnique(items, spend),
  });
  for (const keyword of ['minLength', 'maxLength'] as const) {
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      errors: false,
      error: { message: 'must have another length', params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
      compile(limit: number) {
        return (text: string) => {
          const isShort = isShorter(text, keyword === 'minLength' ? limit : limit + 1, spend);
          return keyword === 'minLength' ? !isShort : isShort;
        };
      },
    });
  }
}
