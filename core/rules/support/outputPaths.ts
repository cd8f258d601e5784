import { isObject, type Json, listOf } from '../../json.js';
import { OutputContract } from '../../schema/outputContract.js';
import { childOf, namesIn, resolved } from '../../schema/schemaChild.js';
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
  const contract = new OutputContract(root);
  let schema: Json = root;
  for (const [depth, missing] of segments.entries()) {
    const followed = resolved(contract, schema);
    const types = isObject(followed) ? (typeof followed.type === 'string' ? [followed.type] : listOf(followed.type)) : [];
    if (types.includes('array')) return undefined;
    if (types.length > 0 && !types.includes('object')) return { missing, depth, known: [], surely: true };
    const child = childOf(contract, followed, missing);
    if (!child.declared) return { missing, depth, known: namesIn(contract, followed), surely: child.schema === false };
    schema = child.schema;
  }
  return undefined;
}
