import type { Code, CodeGen, CodeKeywordDefinition, _ as CodeTemplate, Ajv as Core, KeywordCxt, Name } from 'ajv';
import type { Json } from '../json.js';
import { isEqual, isScalar, isShorter, isUnique, type Spend } from '../jsonText/jsonCompare.js';

/** What this file needs of ajv, passed in by the callers that load it. */
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

/**
 * Generates code at the start of every pass of a loop over the items or fields of a value.
 *
 * @param write called with the generator whenever ajv writes such a loop
 */
export function atEachPass(ajv: Core, write: (gen: CodeGen) => void): void {
  onEachFunction(ajv, (gen) => {
    const { forRange, forOf, forIn } = gen;
    const begun = (body: (name: Name) => void) => (name: Name) => {
      write(gen);
      body(name);
    };
    gen.forRange = (name, from, to, body, kind) => forRange.call(gen, name, from, to, begun(body), kind);
    gen.forOf = (name, iterable, body, kind) => forOf.call(gen, name, iterable, begun(body), kind);
    // With `ownProperties`, it calls `forOf`.
    if (!ajv.opts.ownProperties) gen.forIn = (name, object, body, kind) => forIn.call(gen, name, object, begun(body), kind);
  });
}

/** Notes which fields were evaluated in objects without a prototype, or a field called `constructor` would always count as evaluated. */
export function noteFieldsSafely({ ajv, _ }: AjvParts): void {
  onEachFunction(ajv, (gen) => {
    const { var: declare, assign } = gen;
    const none = _`{__proto__: null}`;
    gen.var = (name, value, constant) => declare.call(gen, name, name === 'props' && String(value) === '{}' ? none : value, constant);
    gen.assign = (target, value, sideEffects) =>
      assign.call(gen, target, String(value) === `${target} || {}` ? _`${target} || ${none}` : value, sideEffects);
  });
}

/** Calls `prepare` with the generator of each function that ajv compiles, before the first keyword is written. */
function onEachFunction(ajv: Core, prepare: (gen: CodeGen) => void): void {
  const prepared = new WeakSet<CodeGen>();
  for (const rule of Object.values(ajv.RULES.all)) {
    if (typeof rule !== 'object' || !('code' in rule.definition)) continue;
    const { definition } = rule;
    const { code } = definition;
    definition.code = (cxt, type) => {
      if (!prepared.has(cxt.gen)) prepare(cxt.gen);
      prepared.add(cxt.gen);
      code(cxt, type);
    };
  }
}

function takeKeyword(ajv: Core, keyword: string): CodeKeywordDefinition {
  const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
  ajv.removeKeyword(keyword);
  return definition;
}

/** Told by generated code of the work it does; `this` of every compiled function. */
export interface WorkCounter {
  readonly spend: Spend;
  /** At each pass of a loop, with the errors found so far. */
  readonly pass: (errors: number) => void;
  /** Before each call of another compiled function. */
  readonly call: () => void;
  /** After a call that has found errors, which were copied to those found so far. */
  readonly copied: (errors: number) => void;
}

/**
 * Makes generated code call its counter (option `passContext`) at every pass of a loop and at every call of another function.
 */
export function countWork({ ajv, _ }: AjvParts): void {
  atEachPass(ajv, (gen) => gen.code(_`this.pass(errors)`));
  const definition = ajv.getKeyword('$ref') as CodeKeywordDefinition;
  const { code } = definition;
  definition.code = (cxt) => {
    const { gen } = cxt;
    const { assign } = gen;
    gen.code(_`this.call()`);
    // Where the errors of the call have been copied, ajv sets `errors` to their number.
    gen.assign = (target, value, sideEffects) => {
      assign.call(gen, target, value, sideEffects);
      return String(target) === 'errors' ? gen.code(_`this.copied(errors)`) : gen;
    };
    code(cxt);
    gen.assign = assign;
  };
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
