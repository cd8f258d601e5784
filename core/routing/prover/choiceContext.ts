import { isObject, type Json, type JsonObject, listOf } from '../../json.js';
import { OutputContract } from '../../schema/outputContract.js';
import type { SchemaCompiler } from '../../schema/schemaCompiler.js';
import { fitsSimply } from '../../schema/simpleSchema.js';
import type { Patterns } from '../patterns.js';
import { type Domain, domainOf } from './domain.js';
import type { ChoiceContext } from './question.js';

export interface ProverTools {
  /** For schemas beyond simple keywords; without it, more stays unknown. */
  readonly schemas?: SchemaCompiler | undefined;
  /** For `matches`; without it, conditions with one stay unknown. */
  readonly patterns?: Patterns | undefined;
}

/** The context for choosing values of one schema. */
export function createChoiceContext(root: JsonObject, { schemas, patterns }: ProverTools): ChoiceContext {
  const contract = new OutputContract(root);
  const domains = new Map<Json, Domain>();
  const domain = (schema: Json) => {
    const cached = domains.get(schema);
    if (cached !== undefined) return cached;
    const created = domainOf(schema, contract);
    domains.set(schema, created);
    return created;
  };
  return { contract, fits: createFits(contract, schemas), domain, patterns };
}

/** Longest chain of `$ref`s and alternatives that is followed. */
const deepest = 16;

function createFits(contract: OutputContract, compiler: SchemaCompiler | undefined): ChoiceContext['fits'] {
  const fits = (schema: Json, value: Json, depth: number): boolean | undefined => {
    const simply = fitsSimply(schema, value);
    if (simply !== undefined || !isObject(schema) || depth > deepest) return simply;
    const keys = Object.keys(schema);
    if (keys.length === 1 && schema.$ref !== undefined) {
      const target = contract.target(schema);
      return target && fits(target.schema, value, depth + 1);
    }
    if (keys.length === 1 && Array.isArray(schema.anyOf)) {
      const answers = listOf(schema.anyOf).map((part) => fits(part, value, depth + 1));
      return answers.includes(true) ? true : answers.includes(undefined) ? undefined : false;
    }
    const standalone = contract.standalone(schema);
    const compiled = standalone && compiler?.compile(standalone);
    return compiled?.ok === true ? compiled.check(value).length === 0 : undefined;
  };
  return (schema, value) => fits(schema, value, 0);
}
