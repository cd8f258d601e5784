import type { Code, CodeKeywordDefinition, _ as CodeTemplate, Ajv as Core, KeywordCxt, Name } from 'ajv';
import type { Json } from '../json.js';
import { isEqual, isScalar, isShorter, isUnique, type Spend } from '../jsonText/jsonCompare.js';

/** What this file needs of ajv, handed in by whoever has loaded it. */
interface AjvParts {
  readonly ajv: Core;
  readonly _: typeof CodeTemplate;
}

/**
 * Makes errors say which of the errors before them are theirs. `anyOf` and `oneOf` get `params.ends`: for each alternative
 * that was looked at the number of errors up to its end, counted from the first of the first, and `count`, how many there are;
 * `contains` gets the number of its errors, `params.inner`.
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
        params: ({ params, schema }) => _`{ends: ${params.ends as Name}, count: ${(schema as readonly Json[]).length}}`,
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
 * the values they compare. Their functions are shared by all places: ajv takes time for each it is given.
 */
export function compareSafely({ ajv, _ }: AjvParts, spend: Spend): void {
  for (const keyword of ['enum', 'const']) {
    const original = takeKeyword(ajv, keyword);
    ajv.addKeyword({
      ...original,
      keyword,
      code(cxt: KeywordCxt) {
        const allowed = (keyword === 'enum' ? cxt.schema : [cxt.schema]) as readonly Json[];
        if (allowed.every(isScalar)) return original.code(cxt);
        const isAllowed = (value: Json) => allowed.some((one) => isEqual(value, one, spend));
        cxt.fail(_`!${cxt.gen.scopeValue('func', { ref: isAllowed })}(${cxt.data})`);
      },
    });
  }
  const unique = (items: readonly Json[]) => isUnique(items, spend);
  const uniqueItems = takeKeyword(ajv, 'uniqueItems');
  ajv.addKeyword({
    ...uniqueItems,
    keyword: 'uniqueItems',
    error: { message: 'must hold each item once' },
    code(cxt: KeywordCxt) {
      if (cxt.schema === true) cxt.fail(_`!${cxt.gen.scopeValue('func', { ref: unique })}(${cxt.data})`);
    },
  });
  const shorter = (text: string, limit: number) => isShorter(text, limit, spend);
  for (const keyword of ['minLength', 'maxLength']) {
    const original = takeKeyword(ajv, keyword);
    ajv.addKeyword({
      ...original,
      keyword,
      code(cxt: KeywordCxt) {
        const call = cxt.gen.scopeValue('func', { ref: shorter });
        const limit = cxt.schema as number;
        cxt.fail(keyword === 'minLength' ? _`${call}(${cxt.data}, ${limit})` : _`!${call}(${cxt.data}, ${limit + 1})`);
      },
    });
  }
}
