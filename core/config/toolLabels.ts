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

/** As options take them and people read them: `reads:private, sends`; `none` for a tool that does nothing of this. */
export function labelWords(labels: ToolLabels): string {
  const flags = flagLabels.filter((flag) => labels[flag] === true);
  return [...(labels.reads === undefined ? [] : [`reads:${labels.reads}`]), ...flags].join(', ') || 'none';
}

/** What annotations say without their defaults: `changes, sends nothing`. Undefined if they say nothing certain. */
export function claimWords({ readOnlyHint, destructiveHint, openWorldHint }: ToolAnnotations): string | undefined {
  const words = [
    ...(readOnlyHint === undefined ? [] : [readOnlyHint ? 'changes nothing' : 'changes']),
    ...(readOnlyHint === true || destructiveHint === undefined ? [] : [destructiveHint ? 'destroys' : 'destroys nothing']),
    ...(openWorldHint === false ? ['sends nothing'] : []),
  ];
  return words.length > 0 ? words.join(', ') : undefined;
}
