import type { Json, JsonObject } from '../../../json.js';
import { isSchema } from '../../../schema/schemaPlaces.js';
import { alternatives } from './alternatives.js';
import { type Checks, itemSchema, listOf, type Schema } from './fits.js';
import { numbersOf } from './numberValues.js';
import { type Payload, sharedWords } from './payload.js';
import { fullDepth, type Make, type Place } from './place.js';

const mostItems = 10_000;

interface Tools {
  readonly make: Make;
  readonly checks: Checks;
  readonly payload: Payload;
}

/** Arrays of the likeliest length, then of the shortest one. Each still has to be checked. */
export function* arrayValues(plain: readonly JsonObject[], place: Place, tools: Tools): Generator<readonly Json[], void, undefined> {
  const least = Math.max(0, ...numbersOf(plain, 'minItems'));
  const most = Math.min(mostItems, ...numbersOf(plain, 'maxItems'));
  if (least > most) return;
  const contained = plain.flatMap(({ contains, minContains = 1 }) =>
    isSchema(contains) ? Array.from({ length: Math.min(Number(minContains), most) }, () => contains) : [],
  );
  const tuple = Math.max(0, ...plain.map(({ prefixItems, items }) => Math.max(listOf(prefixItems).length, listOf(items).length)));
  const usual = Math.max(tuple, contained.length, place.depth < fullDepth ? choicesWorthMaking(plain, tools) : 0);
  const lengths = new Set([Math.min(most, Math.max(least, usual)), Math.max(least, contained.length), least]);

  for (const length of lengths) {
    const items = itemsFor(length, plain, contained, place, tools.make);
    if (items.length >= least) yield items;
  }
}

function itemsFor(length: number, plain: readonly JsonObject[], contained: readonly Schema[], { name, depth }: Place, make: Make): Json[] {
  const isUnique = plain.some(({ uniqueItems }) => uniqueItems === true);
  const items: Json[] = [];
  for (let index = 0; index < length; index++) {
    const schemas = schemasOf(plain, index);
    const containedSchema = contained[index];
    if (containedSchema !== undefined) schemas.push(containedSchema);
    // Distinct items read better, so a duplicate is the second choice even where it is allowed.
    const another = make(schemas, { name, depth: depth + 1, taken: items });
    const value = another === undefined && !isUnique ? make(schemas, { name, depth: depth + 1, taken: [] }) : another;
    if (value === undefined) break;
    items.push(value);
  }
  return items;
}

/** Every label that the payload mentions is worth choosing, and at least one. */
function choicesWorthMaking(plain: readonly JsonObject[], { checks, payload }: Tools): number {
  const [first] = alternatives(schemasOf(plain, 0), checks.targetsOf);
  const labels = first?.find((schema) => Array.isArray(schema.enum))?.enum;
  if (!Array.isArray(labels)) return 1;
  return Math.max(1, labels.filter((label) => typeof label === 'string' && sharedWords(label, payload) > 0).length);
}

function schemasOf(plain: readonly JsonObject[], index: number): Schema[] {
  return plain.map((schema) => itemSchema(schema, index)).filter((schema) => schema !== undefined);
}
