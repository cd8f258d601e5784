import { isObject, type Json, pointerOf } from '../../core/json.js';
import { findTemplatePaths, type TemplatePath } from '../../core/prompt/template.js';
import { pathNames } from './contractNames.js';
import type { Contract, InputPlace } from './contracts.js';
import type { Entity } from './entity.js';
import type { Listing } from './listing.js';

/** What the roots of a template's paths refer to. */
export interface TemplateScope {
  /** The payloads that `input` refers to; several where several agents share a prompt. */
  readonly inputs?: readonly InputPlace[];
  /** The orchestration with the context that `context` and `input` refer to. */
  readonly context?: string;
  /** The entity and the output of `tasks.name` or `steps.name`. */
  readonly part?: (root: 'tasks' | 'steps', name: string) => NamedPart | undefined;
}

export interface NamedPart {
  readonly entity: Entity;
  readonly contract: () => Contract | undefined;
  readonly isCertain: boolean;
}

/** The names in the `{{paths}}` of every string of a value; keys are not templates. */
export function templateNames(listing: Listing, value: Json | undefined, pointer: string, scope: TemplateScope): void {
  if (!listing.reaches(pointer)) return;
  if (typeof value === 'string') {
    if (!value.includes('{{')) return;
    for (const path of findTemplatePaths(value)) pathParts(listing, path, value.indexOf(path.path, path.start + 2), pointer, scope);
  } else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) templateNames(listing, item, `${pointer}/${index}`, scope);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) templateNames(listing, item, pointer + pointerOf(key), scope);
  }
}

/** The names in one dotted path. @param start its start in the decoded text */
export function pathParts(
  listing: Listing,
  { segments }: Pick<TemplatePath, 'segments'>,
  start: number,
  pointer: string,
  scope: TemplateScope,
): void {
  const [root = '', name] = segments;
  if (name === undefined) return;
  const from = start + root.length + 1;
  const within = { start: from, end: from + name.length };
  if (root === 'tasks' || root === 'steps') {
    const part = scope.part?.(root, name);
    if (part === undefined) return;
    if (listing.mayBe(name)) listing.add(part.entity, pointer, { within, isCertain: part.isCertain });
    const [, , output, ...path] = segments;
    if (output !== 'output' || path.length === 0 || !listing.wants('field')) return;
    const contract = part.contract();
    if (contract !== undefined) pathNames(listing, path, pointer, within.end + '.output.'.length, contract);
    return;
  }
  if (!listing.mayBe(name)) return;
  if (root === 'context' || root === 'input') {
    const isContext = scope.context !== undefined;
    if (isContext) listing.add({ kind: 'context-key', file: scope.context, name }, pointer, { within });
    else if (root === 'input') inputNames(listing, name, pointer, scope.inputs ?? [], { within });
  }
}

/** A key of the payload of each of these. */
export function inputNames(
  listing: Listing,
  name: string,
  pointer: string,
  inputs: readonly InputPlace[],
  details: Parameters<Listing['add']>[2],
): void {
  if (!listing.mayBe(name)) return;
  for (const { file, at } of inputs) {
    listing.add({ kind: 'input-key', file, at, name }, pointer, { isCertain: inputs.length === 1, ...details });
  }
}
