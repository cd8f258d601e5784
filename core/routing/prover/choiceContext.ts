import type { Json } from '../../json.js';
import type { SchemaCompiler } from '../../schema/schemaCompiler.js';
import type { Patterns } from '../patterns.js';
import { type Domain, domainOf } from './domain.js';
import { createFits } from './outputSchema.js';
import type { ChoiceContext } from './question.js';

export interface ProverTools {
  /** For schemas that say more than simple things; without it more stays unknown. */
  readonly schemas?: SchemaCompiler | undefined;
  /** For `matches`; without it, what depends on one stays unknown. */
  readonly patterns?: Patterns | undefined;
}

/** What is needed to look at values of one schema. */
export function createChoiceContext(root: Json, { schemas, patterns }: ProverTools): ChoiceContext {
  const domains = new Map<Json, Domain>();
  const domain = (schema: Json) => {
    const known = domains.get(schema);
    if (known !== undefined) return known;
    const found = domainOf(schema, root);
    domains.set(schema, found);
    return found;
  };
  return { root, fits: createFits(root, schemas), domain, patterns };
}
