import type { Issue } from '../../errors.js';
import { isObject, type Json, pointerOf } from '../../json.js';
import { parseTemplate } from '../../prompt/template.js';

/** What only a run decides at a place: the whole value, or the text. */
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

/** Keywords that judge the keys and the number of items, whatever their values. */
const shapeKeywords: ReadonlySet<string> = new Set([
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

/** Whether an issue holds whatever the open places contain. */
export function isCertain({ path, keyword }: Issue, open: ReadonlyMap<string, Openness>): boolean {
  const openness = open.get(path);
  if (openness !== undefined) return openness === 'text' && keyword === 'type';
  for (const place of open.keys()) if (place.startsWith(`${path}/`)) return shapeKeywords.has(keyword);
  return true;
}

/** Keywords by which the value at one place decides about others. */
const choices = /"(?:anyOf|oneOf|not|if|contains|dependentSchemas|unevaluatedProperties|unevaluatedItems|discriminator)"\s*:/;

/** Whether a schema judges each place independently. */
export function judgesEachPlace(schema: Json | undefined): boolean {
  return schema === undefined || !choices.test(JSON.stringify(schema));
}
