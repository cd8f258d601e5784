import type { ToolAnnotations, ToolLabels } from '../generated/types.js';
import { isObject, type Json, type JsonObject } from '../json.js';

/** The labels that a tool has or has not. */
export const flagLabels = ['untrusted', 'sends', 'changes', 'destroys', 'runs_code'] as const satisfies readonly (keyof ToolLabels)[];

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const satisfies readonly (keyof ToolAnnotations)[];

/** The labels of a tool; undefined for a value that is not labels: what it does is then unknown. */
export function labelsIn(value: unknown): ToolLabels | undefined {
  if (!isObject(value)) return undefined;
  const isLabel = ([name, entry]: readonly [string, Json | undefined]) =>
    name === 'reads' ? entry === 'public' || entry === 'private' : flagLabels.some((flag) => flag === name) && typeof entry === 'boolean';
  return Object.entries(value).every(isLabel) ? value : undefined;
}

/** The annotations that a server gives a tool, as far as they are booleans; undefined if there are none. */
export function annotationsIn(value: Json | undefined): ToolAnnotations | undefined {
  if (!isObject(value)) return undefined;
  const given: JsonObject = Object.fromEntries(hints.flatMap((hint) => (typeof value[hint] === 'boolean' ? [[hint, value[hint]]] : [])));
  return Object.keys(given).length > 0 ? given : undefined;
}
