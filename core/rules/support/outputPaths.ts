import { isObject, type Json, listOf } from '../../json.js';
import { childOf, namesIn, resolve } from '../../routing/prover/outputSchema.js';
import type { Contract } from './routingProofs.js';

/** The first part of a path below an output that its schema does not have. */
export interface MissingPart {
  readonly missing: string;
  /** Parts of the path before it. */
  readonly depth: number;
  /** Fields there are in its place; none below a text or number. */
  readonly known: readonly string[];
  /** Whether an answer that fits the schema can never have it. */
  readonly surely: boolean;
}

/** Follows a path below an output, by the schema alone; undefined where it may lead to something, as into lists and combinations. */
export function findMissingPart({ output_schema: root, isText }: Contract, segments: readonly string[]): MissingPart | undefined {
  const [first] = segments;
  if (isText && first !== undefined) return { missing: first, depth: 0, known: [], surely: true };
  let schema: Json = root;
  for (const [depth, missing] of segments.entries()) {
    const resolved = resolve(schema, root);
    const types = isObject(resolved) ? (typeof resolved.type === 'string' ? [resolved.type] : listOf(resolved.type)) : [];
    if (types.includes('array')) return undefined;
    if (types.length > 0 && !types.includes('object')) return { missing, depth, known: [], surely: true };
    const child = childOf(resolved, missing, root);
    if (!child.declared) return { missing, depth, known: namesIn(resolved, root), surely: child.schema === false };
    schema = child.schema;
  }
  return undefined;
}
