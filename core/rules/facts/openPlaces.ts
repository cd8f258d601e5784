import type { Issue } from '../../errors.js';
import { isObject, type Json, pointerOf } from '../../json.js';
import { parseTemplate } from '../../prompt/template.js';

/** What only a run knows of a place: a whole value, or which text it is. */
type Openness = 'value' | 'text';

/** The texts inside a value that are templates or hold a `${VAR}`, by pointer. */
export function findOpenPlaces(value: Json, pointer = '', open = new Map<string, Openness>()): ReadonlyMap<string, Openness> {
  if (typeof value === 'string') {
    const { parts } = parseTemplate(value);
    const paths = parts.filter((part) => typeof part !== 'string').length;
    if (paths === 1 && parts.length === 1) open.set(pointer, 'value');
    else if (paths > 0 || value.includes('${')) open.set(pointer, 'text');
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) findOpenPlaces(item as Json, `${pointer}/${index}`, open);
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) findOpenPlaces(item, pointer + pointerOf(key), open);
  }
  return open;
}

/** Keywords that judge which keys and how many items there are, whatever their values. */
const ofShape: ReadonlySet<string> = new Set([
  'input_keys',
  'required',
  'additionalProperties',
  'type',
  'minProperties',
  'maxProperties',
  'minItems',
  'maxItems',
  'dependentRequired',
  'propertyNames',
]);

/** Whether an issue is there whatever the open places hold. */
export function isCertain({ path, keyword }: Issue, open: ReadonlyMap<string, Openness>): boolean {
  const own = open.get(path);
  if (own !== undefined) return own === 'text' && keyword === 'type';
  for (const place of open.keys()) if (place.startsWith(`${path}/`)) return ofShape.has(keyword);
  return true;
}

/** Keywords by which a value at one place decides what holds at others. */
const choices = /"(?:anyOf|oneOf|not|if|contains|dependentSchemas|unevaluatedProperties|unevaluatedItems|discriminator)"\s*:/;

/** Whether a schema judges each place by itself. */
export function judgesEachPlace(schema: Json | undefined): boolean {
  return schema === undefined || !choices.test(JSON.stringify(schema));
}
