import type { Code, CodeKeywordDefinition, _ as CodeTemplate, Ajv as Core, KeywordCxt, Name } from 'ajv';
import type { Json } from '../json.js';
import { isEqual, isMultipleOf, isScalar, isShorter, isUnique, type Spend } from '../jsonText/jsonCompare.js';

/** The parts of ajv that this file needs, passed in by the callers that load it. */
interface AjvParts {
  readonly ajv: Core;
  readonly _: typeof CodeTemplate;
}

/**
 * Adds to errors which of the errors before them are theirs. `anyOf` and `oneOf` get `params.ends`: for each checked alternative
 * the number of errors up to its end, counted from the first of the first, and `count`, the number of alternatives;
 * `contains` gets the number of its errors, `params.inner`.
 */
export function reportInnerErrors({ ajv, _ }: AjvParts): void {
  changeKeyword(ajv, 'contains', ({ error }) => {
    const params = error?.params as (cxt: unknown) => Code;
    return {
      error: {
        message: 'must contain items of a kind',
        params: (cxt) => _`{...${params(cxt)}, inner: errors - ${cxt.errsCount as Name}}`,
      },
    };
  });
  for (const keyword of ['anyOf', 'oneOf']) {
    changeKeyword(ajv, keyword, ({ code }) => ({
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
        // `oneOf` sets its own parameters, which would replace `ends`.
        const setParams = cxt.setParams.bind(cxt);
        cxt.setParams = (params) => setParams({ ...params, ends });
        cxt.setParams({});
        code(cxt);
      },
    }));
  }
}

/** In a copy of a schema (`copyForAjv`), the units of work for judging one of many values, or for comparing with a long list. */
export const workKeyword = 'work';

/** Counts the work of a check; `this` of every compiled function (option `passContext`). */
export interface WorkCounter {
  readonly spend: Spend;
  /** Called before each of many values, with the number of errors so far. */
  readonly pass: (work: number, errors: number) => void;
  /** Called before each call of another compiled function. */
  readonly call: () => void;
  /** Called after a call whose errors were appended to those so far. */
  readonly copied: (errors: number) => void;
}

export function countWork({ ajv, _ }: AjvParts): void {
  ajv.addKeyword({
    keyword: workKeyword,
    before: '$ref',
    code: ({ gen, schema }) => void gen.code(_`this.pass(${schema as number}, errors)`),
  });
  changeKeyword(ajv, '$ref', ({ code }) => ({
    code(cxt) {
      const { gen } = cxt;
      gen.code(_`this.call()`);
      const result = cxt.result.bind(cxt);
      cxt.result = (condition, succeed, fail) =>
        result(condition, succeed, () => {
          fail?.();
          gen.code(_`this.copied(errors)`);
        });
      code(cxt);
    },
  }));
}

/** Fields evaluated by an `if` count only where the `if` fits: ajv always counts them. */
export function noteEvaluatedByIf({ ajv }: AjvParts): void {
  changeKeyword(ajv, 'if', ({ code }) => ({
    code(cxt: KeywordCxt) {
      const subschema = cxt.subschema.bind(cxt);
      const mergeEvaluated = cxt.mergeEvaluated.bind(cxt);
      let fits: Name;
      cxt.subschema = (part, valid) => {
        fits = valid;
        return subschema(part, valid);
      };
      cxt.mergeEvaluated = (part, toName) => {
        if (toName === undefined) cxt.mergeValidEvaluated(part, fits);
        else mergeEvaluated(part, toName);
      };
      code(cxt);
    },
  }));
}

/**
 * Looks up evaluated fields among own properties, or a field `constructor` would always count as evaluated. Ajv loses the record of `__proto__`: a
 * schema that names it counts as having evaluated it.
 */
export function findUnevaluatedSafely({ ajv, _ }: AjvParts, namesProto: boolean): void {
  if (!ajv.getKeyword('unevaluatedProperties')) return;
  changeKeyword(ajv, 'unevaluatedProperties', ({ code }) => ({
    code(cxt: KeywordCxt) {
      const { props } = cxt.it;
      const noted = namesProto ? _`{__proto__: null, ["__proto__"]: true}` : _`{__proto__: null}`;
      // Fields known at compile time are listed in an object, those known only when a value is judged in a variable.
      if (props !== undefined && props !== true && 'str' in props)
        cxt.gen.if(_`${props as Name} !== true`, () => cxt.gen.assign(props as Name, _`Object.assign(${noted}, ${props as Name})`));
      code(cxt);
    },
  }));
  changeKeyword(ajv, 'unevaluatedItems', ({ code }) => ({
    code(cxt: KeywordCxt) {
      const { items } = cxt.it;
      // The variable has no number until an alternative fits, and is true where an alternative evaluates all items.
      if (typeof items === 'object') cxt.gen.assign(items, _`${items} === true ? ${cxt.data}.length : ${items} ?? 0`);
      code(cxt);
    },
  }));
}

/**
 * Keywords whose work depends on the value, replaced by versions that count it: `spend` gets one unit per value or
 * character read. Ajv's own versions compare every item of a list with every other, and trust the `constructor` and `valueOf` of
 * the values they compare. The functions are shared by all places, since ajv takes time for each function.
 */
export function compareSafely({ ajv, _ }: AjvParts, spend: Spend): void {
  const isMultiple = (value: number, step: number) => isMultipleOf(value, step, spend);
  changeKeyword(ajv, 'multipleOf', () => ({
    code(cxt: KeywordCxt) {
      cxt.fail(_`!${cxt.gen.scopeValue('func', { ref: isMultiple })}(${cxt.data}, ${cxt.schema as number})`);
    },
  }));
  for (const keyword of ['enum', 'const']) {
    changeKeyword(ajv, keyword, ({ code }) => ({
      code(cxt: KeywordCxt) {
        const allowed = (keyword === 'enum' ? cxt.schema : [cxt.schema]) as readonly Json[];
        if (allowed.every(isScalar)) return code(cxt);
        const isAllowed = (value: Json) => allowed.some((each) => isEqual(value, each, spend));
        cxt.fail(_`!${cxt.gen.scopeValue('func', { ref: isAllowed })}(${cxt.data})`);
      },
    }));
  }
  const unique = (items: readonly Json[]) => isUnique(items, spend);
  changeKeyword(ajv, 'uniqueItems', () => ({
    error: { message: 'must hold each item once' },
    code(cxt: KeywordCxt) {
      if (cxt.schema === true) cxt.fail(_`!${cxt.gen.scopeValue('func', { ref: unique })}(${cxt.data})`);
    },
  }));
  const shorter = (text: string, limit: number) => isShorter(text, limit, spend);
  for (const keyword of ['minLength', 'maxLength']) {
    changeKeyword(ajv, keyword, () => ({
      code(cxt: KeywordCxt) {
        const call = cxt.gen.scopeValue('func', { ref: shorter });
        const limit = cxt.schema as number;
        cxt.fail(keyword === 'minLength' ? _`${call}(${cxt.data}, ${limit})` : _`!${call}(${cxt.data}, ${limit + 1})`);
      },
    }));
  }
}

/** Each instance of ajv has its own definitions. */
function changeKeyword(
  ajv: Core,
  keyword: string,
  change: (original: CodeKeywordDefinition) => Partial<Pick<CodeKeywordDefinition, 'code' | 'error'>>,
): void {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
  Object.assign(definition, change({ ...definition }));
}
