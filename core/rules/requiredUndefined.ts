import { isObject, listOf } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import type { OutputContract } from '../schema/outputContract.js';
import type { Place } from '../schema/schemaPlaces.js';
import { isEssential, misspeltKeywords, schemasOf } from './facts/agentContract.js';
import type { Report, Rule } from './rule.js';

/** A field that `required` lists and `properties` does not define: usually a misspelling, which leaves the field undescribed. */
export const requiredUndefined: Rule = {
  code: 'required-undefined',
  severity: 'error',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, context, report) {
    // A misspelt keyword, which schema-keyword-unknown reports, may hide definitions.
    for (const { contract, at } of schemasOf(file, context, report))
      if (!misspeltKeywords(contract).some(isEssential)) checkSchema(contract, at, report);
  },
};

function checkSchema(contract: OutputContract, at: string, report: Report): void {
  const combined = new Set<string>();
  for (const place of contract.places.all.values()) {
    for (const child of place.children) if (child.inPlace) combined.add(child.pointer);
    // A part of a combination is about the same object as the schema around it, so both are judged together, from there.
    if (!combined.has(place.pointer) && !place.unexpected) checkObject(contract, place, at, report);
  }
}

function checkObject(contract: OutputContract, place: Place, at: string, report: Report): void {
  if (!hasRequired(contract, place)) return;
  const names = new ObjectNames(contract);
  names.add(place, true);
  // Below the root, `required` without `properties` is a legal way to say "has these".
  if (names.open || (names.defined.size === 0 && place.pointer !== '')) return;
  for (const { name, pointer } of names.required) {
    if (names.defined.has(name)) continue;
    const nearest = names.defined.size > mostCompared ? [] : nearestNames(name, names.defined);
    report({
      pointer: at + pointer,
      message: `required lists ${JSON.stringify(name)}, which properties does not define.${didYouMean(nearest)}`,
      data: { name, nearest },
    });
  }
}

/** Whether a schema, or a part combined with it, has `required`. */
function hasRequired(contract: OutputContract, { schema, children }: Place): boolean {
  if (!isObject(schema)) return false;
  if (schema.required !== undefined) return true;
  return children.some(({ pointer, inPlace }) => {
    const part = inPlace ? contract.places.all.get(pointer) : undefined;
    return part !== undefined && hasRequired(contract, part);
  });
}

/** Searching more names for each of as many wrong names would take long. */
const mostCompared = 1_000;

/** The names that a schema and the parts combined with it define and require for one object. */
class ObjectNames {
  readonly defined = new Set<string>();
  readonly required: { readonly name: string; readonly pointer: string }[] = [];
  /** A `$ref` to nothing, or `patternProperties`: every name may be defined. */
  open = false;
  private readonly seen = new Set<Place>();
  private readonly contract: OutputContract;

  constructor(contract: OutputContract) {
    this.contract = contract;
  }

  /**
   * A chain of references may be as long as the file, so it is followed without recursion.
   *
   * @param judged whether the names that `required` lists here must be defined: not in the target of a `$ref`, which is judged separately
   */
  add(start: Place, judged: boolean): void {
    const open: Part[] = [{ place: start, judged }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const part of this.addSchema(next).reverse()) open.push(part);
    }
  }

  /** Adds one schema without its parts, which it returns. */
  private addSchema({ place, judged }: Part): Part[] {
    const { schema, pointer } = place;
    if (!isObject(schema) || this.seen.has(place)) return [];
    this.seen.add(place);
    if (schema.patternProperties !== undefined) this.open = true;
    if (isObject(schema.properties)) for (const name in schema.properties) this.defined.add(name);
    if (judged) {
      listOf(schema.required).forEach((name, index) => {
        if (typeof name === 'string') this.required.push({ name, pointer: `${pointer}/required/${index}` });
      });
    }
    const parts: Part[] = [];
    for (const { target } of this.contract.referencesOf(schema)) {
      if (typeof target === 'object') parts.push({ place: target, judged: false });
      else this.open = true;
    }
    for (const child of place.children) {
      const part = child.inPlace ? this.contract.places.all.get(child.pointer) : undefined;
      if (part !== undefined) parts.push({ place: part, judged: judged && child.keyword !== 'not' && child.keyword !== 'if' });
    }
    return parts;
  }
}

interface Part {
  readonly place: Place;
  readonly judged: boolean;
}
