import { isObject, type Json, type JsonObject } from '../json.js';
import type { OutputContract } from '../schema/outputContract.js';

/** Deeper than any schema that could pass; keeps the walk off the end of the stack. */
export const walkLimit = 128;

/**
 * Objects and arrays on the longest way from here to a leaf, this one included. References are followed once: a recursive
 * schema is allowed and counts as deep as its one round.
 */
export function depthOf(node: Json | undefined, contract: OutputContract, known = new Map<JsonObject, number>(), level = 0): number {
  if (!isObject(node) || level > walkLimit) return 0;
  const seen = known.get(node);
  if (seen !== undefined) return seen;
  known.set(node, 0);

  let below = 0;
  if (isObject(node.properties)) {
    for (const child of Object.values(node.properties)) below = Math.max(below, depthOf(child, contract, known, level + 1));
  }
  if (!Array.isArray(node.items)) below = Math.max(below, depthOf(node.items, contract, known, level + 1));
  let beside = depthOf(contract.target(node)?.schema, contract, known, level + 1);
  if (Array.isArray(node.anyOf)) for (const member of node.anyOf) beside = Math.max(beside, depthOf(member, contract, known, level + 1));

  const own = isObjectSchema(node) || typesOf(node).includes('array') ? below + 1 : below;
  const depth = Math.max(own, beside);
  known.set(node, depth);
  return depth;
}

export function isObjectSchema(node: JsonObject): boolean {
  return typesOf(node).includes('object') || node.properties !== undefined;
}

export function typesOf(node: JsonObject): readonly string[] {
  if (typeof node.type === 'string') return [node.type];
  return Array.isArray(node.type) ? node.type.map(String) : [];
}
