import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../core/json.js';
import { OutputContract } from '../../core/schema/outputContract.js';
import { environmentNames } from '../../core/snapshot/checkEnvironment.js';
import { environmentId } from '../../core/snapshot/collectFragments.js';
import type { Project } from '../workspace.js';
import type { Listing } from './listing.js';

/** The names in agentstack.json: the environment in use, and the skills it declares. */
export function settingsNames(listing: Listing): void {
  const { view } = listing;
  const { environment, skills } = view.value;
  const path = typeof environment === 'string' ? environmentPath(environment, view.project) : undefined;
  if (typeof environment === 'string' && path !== undefined)
    listing.add({ kind: 'environment', name: environment }, '/environment', { leadsTo: path });
  if (!isObject(skills)) return;
  for (const name of Object.keys(skills))
    listing.add({ kind: 'skill', name }, pointerOf('skills', name), { target: 'key', isDeclaration: true });
}

/** The file of an environment; undefined where there is none. */
export function environmentPath(name: string, { index }: Pick<Project, 'index'>): string | undefined {
  return environmentNames(index).includes(name) ? index.ids('system').get(environmentId(name)) : undefined;
}

/** A tool by the name of a skill that agentstack.json declares. */
export function skillName(listing: Listing, name: Json | undefined, pointer: string): void {
  if (typeof name !== 'string' || !listing.mayBe(name) || !listing.wants('skill')) return;
  if (Object.hasOwn(listing.view.project.settings.skills, name)) listing.add({ kind: 'skill', name }, pointer);
}

/** The `inputs` that mcp.json declares, and each `${input:id}` in its servers. */
export function mcpInputNames(listing: Listing): void {
  const { path, view } = listing;
  const entity = (name: string) => ({ kind: 'mcp-input', file: path, name }) as const;
  for (const [index, input] of listOf(view.value.inputs).entries()) {
    if (isObject(input) && typeof input.id === 'string') listing.add(entity(input.id), `/inputs/${index}/id`, { isDeclaration: true });
  }
  inputUses(view.value.servers, '/servers', (name, pointer, start) =>
    listing.add(entity(name), pointer, { within: { start, end: start + name.length } }),
  );
}

function inputUses(value: Json | undefined, pointer: string, add: (name: string, pointer: string, start: number) => void): void {
  if (typeof value === 'string') {
    for (const { 1: name = '', index } of value.matchAll(/\$\{input:([^${}]+)\}/g)) add(name, pointer, index + '${input:'.length);
  } else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) inputUses(item, `${pointer}/${index}`, add);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) inputUses(item, pointer + pointerOf(key), add);
  }
}

const definitionKeywords = ['$defs', 'definitions'];
/** Written the same in a key and in a `$ref`. */
const plainName = /^[\w.-]+$/;

/** The names of the `$defs` (or `definitions`) of an output or input schema, and of the `$ref`s to them. */
export function definitionNames(listing: Listing, schema: JsonObject, at: string): void {
  if (!listing.wants('definition') || !listing.reaches(at)) return;
  if (!definitionKeywords.some((keyword) => isObject(schema[keyword]))) return;
  const entity = (pointer: string, name: string) => ({ kind: 'definition', file: listing.path, pointer: at + pointer, name }) as const;
  const contract = new OutputContract(schema);
  const { base = '' } = contract.places.all.get('') ?? {};
  for (const place of contract.places.all.values()) {
    // Below another $id, a `#` means something else.
    if (!isObject(place.schema) || place.base !== base) continue;
    for (const keyword of definitionKeywords) {
      const definitions = place.schema[keyword];
      if (!isObject(definitions)) continue;
      for (const name of Object.keys(definitions)) {
        const pointer = `${place.pointer}/${keyword}/${name}`;
        if (plainName.test(name)) listing.add(entity(pointer, name), at + pointer, { target: 'key', isDeclaration: true });
      }
    }
    const { $ref } = place.schema;
    if (typeof $ref !== 'string' || !$ref.startsWith('#/')) continue;
    for (const { pointer, name, start } of definitionsIn($ref.slice(1))) {
      listing.add(entity(pointer, name), `${at}${place.pointer}/$ref`, { within: { start: 1 + start, end: 1 + start + name.length } });
    }
  }
}

/** The definitions that a pointer steps through, as in `/$defs/a/properties/b`. */
function definitionsIn(pointer: string): readonly { readonly pointer: string; readonly name: string; readonly start: number }[] {
  let start = 1;
  let around = '';
  return pointer
    .split('/')
    .slice(1)
    .flatMap((name, index, segments) => {
      const here = `${around}/${name}`;
      const isName = index > 0 && definitionKeywords.includes(segments[index - 1] ?? '') && plainName.test(name);
      const names = isName ? [{ pointer: here, name, start }] : [];
      around = here;
      start += name.length + 1;
      return names;
    });
}
