import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../json.js';
import { nearestNames } from '../../names.js';
import { type ObjectPlace, OutputContract, type SchemaPlace } from '../../schema/outputContract.js';
import { listed, quoted } from '../../words.js';
import { type Alternative, comparedKeywords, findTypeChange, isSame, limits, unmatched, valuesOf, wordKeywords } from './schemaParts.js';

/**
 * Who notices a change. `breaking`: readers or callers may meet what they do not expect. `unknown`: the keyword, or the combination, is not
 * understood well enough to decide.
 */
export type ContractEffect = 'breaking' | 'compatible' | 'unknown';

/** A change of a schema. */
export interface SchemaChange {
  readonly effect: ContractEffect;
  readonly change:
    | 'field-added'
    | 'field-removed'
    | 'field-required'
    | 'field-optional'
    | 'type'
    | 'values-added'
    | 'values-removed'
    | 'limit'
    | 'alternatives'
    | 'words'
    | 'keyword';
  /** Dotted name of the field, `[]` for the items of a list; empty for the root. */
  readonly field: string;
  /** Pointer from the root of the new schema; to the parent of something removed. */
  readonly pointer: string;
  /** Pointer from the root of the old schema to something removed. */
  readonly gone?: string;
  readonly target: 'key' | 'value';
  /** What changed and what that breaks, as a sentence. */
  readonly message: string;
  readonly data?: Readonly<Record<string, Json>>;
}

/**
 * The changes between two schemas; none where every answer and every reader is treated as before. `output`: breaking is whatever readers of answers
 * would notice, in both directions, since stored answers are read with the new schema. `input`: whatever callers would be refused for.
 */
export function findSchemaChanges(before: JsonObject, after: JsonObject, side: 'output' | 'input'): readonly SchemaChange[] {
  if (isSame(before, after)) return [];
  const comparison = new Comparison(before, after, side);
  comparison.compare({ schema: before, pointer: '' }, { schema: after, pointer: '' }, '');
  return comparison.changes;
}

class Comparison {
  readonly changes: SchemaChange[] = [];
  private readonly before: OutputContract;
  private readonly after: OutputContract;
  private readonly side: 'output' | 'input';
  private readonly seen = new Set<string>();

  constructor(before: JsonObject, after: JsonObject, side: 'output' | 'input') {
    this.before = new OutputContract(before);
    this.after = new OutputContract(after);
    this.side = side;
  }

  compare(beforePlace: SchemaPlace, afterPlace: SchemaPlace, field: string): void {
    const old = plain(this.before, beforePlace);
    const now = plain(this.after, afterPlace);
    if (old === undefined || now === undefined) {
      // A `$ref` to nowhere is reported by another rule.
      if (!isSame(beforePlace.schema, afterPlace.schema)) {
        const words = `has another schema, of which ${this.side === 'output' ? 'no answer can be read' : 'no input can be judged'} on one side`;
        this.add('keyword', field, afterPlace.pointer, 'key', words, { effect: 'unknown' });
      }
      return;
    }
    // A pair seen before means a recursive schema.
    if (this.seen.has(`${old.pointer} ${now.pointer}`)) return;
    this.seen.add(`${old.pointer} ${now.pointer}`);

    this.compareTypes(old, now, field);
    this.compareValues(old.schema, now, field);
    this.compareLimits(old.schema, now, field);
    this.compareFields(old, now, field);
    if (isObject(old.schema.items) && isObject(now.schema.items)) {
      const items = (place: ObjectPlace) => ({ schema: place.schema.items as JsonObject, pointer: `${place.pointer}/items` });
      this.compare(items(old), items(now), `${field}[]`);
    }
    this.compareAlternatives(old, now, field);
    this.compareRest(old.schema, now, field);
  }

  private compareTypes(old: ObjectPlace, now: ObjectPlace, field: string): void {
    const change = findTypeChange(old, now);
    if (change === undefined) return;
    // Values that are listed on both sides are compared one by one.
    const isListed = valuesOf(old.schema) !== undefined && valuesOf(now.schema) !== undefined;
    if (isListed && (old.schema.type === undefined || now.schema.type === undefined)) return;
    const isWider = this.side === 'input' && !change.narrowed;
    const pointer = now.schema.type === undefined ? now.pointer : `${now.pointer}/type`;
    this.add(
      'type',
      field,
      pointer,
      now.schema.type === undefined ? 'key' : 'value',
      isWider ? change.words : `${change.words}: ${this.typeBreaks(change)}`,
      {
        ...(isWider && { effect: 'compatible' }),
      },
    );
  }

  private compareValues(old: JsonObject, now: ObjectPlace, field: string): void {
    const oldValues = valuesOf(old);
    const newValues = valuesOf(now.schema);
    if (oldValues === undefined && newValues === undefined) return;
    const keyword = (['const', 'enum', 'anyOf', 'oneOf'] as const).find((name) => now.schema[name] !== undefined) ?? 'enum';
    const isInput = this.side === 'input';
    if (newValues === undefined) {
      const breaks = isInput ? '' : ': readers meet values they do not know';
      this.add('values-added', field, now.pointer, 'key', `may now be any value${breaks}`, {
        ...(isInput && { effect: 'compatible' }),
      });
      return;
    }
    if (oldValues === undefined) {
      const breaks = isInput ? 'callers that send another value are refused' : 'answers kept from before may no longer fit';
      this.add('values-removed', field, `${now.pointer}/${keyword}`, 'key', `is now limited to ${listed(newValues)}: ${breaks}`);
      return;
    }
    const oldTexts = new Set(oldValues.map((value) => JSON.stringify(value)));
    const newTexts = new Set(newValues.map((value) => JSON.stringify(value)));
    const removed = oldValues.filter((value) => !newTexts.has(JSON.stringify(value)));
    if (removed.length > 0) {
      const breaks = isInput ? 'callers that send it are refused' : 'readers wait for it in vain, and stored answers no longer fit';
      this.add('values-removed', field, `${now.pointer}/${keyword}`, 'key', `can no longer be ${listed(removed, 'or')}: ${breaks}`, {
        data: { values: removed },
      });
    }
    newValues.forEach((value, index) => {
      if (oldTexts.has(JSON.stringify(value))) return;
      const pointer = keyword === 'enum' ? `${now.pointer}/enum/${index}` : `${now.pointer}/${keyword}`;
      const breaks = isInput ? '' : ', a value that readers do not know';
      this.add('values-added', field, pointer, 'value', `may now be ${quoted(value)}${breaks}`, {
        data: { values: [value] },
        ...(isInput && { effect: 'compatible' }),
      });
    });
  }

  private compareFields(old: ObjectPlace, now: ObjectPlace, field: string): void {
    const oldFields = isObject(old.schema.properties) ? old.schema.properties : {};
    const newFields = isObject(now.schema.properties) ? now.schema.properties : {};
    const oldRequired = requiredOf(old.schema);
    const newRequired = requiredOf(now.schema);
    for (const name in oldFields) {
      const path = field === '' ? name : `${field}.${name}`;
      if (Object.hasOwn(newFields, name)) {
        const place = (around: ObjectPlace, fields: JsonObject) => ({
          schema: fields[name] as Json,
          pointer: `${around.pointer}${pointerOf('properties', name)}`,
        });
        this.compare(place(old, oldFields), place(now, newFields), path);
        if (oldRequired.has(name) && !newRequired.has(name)) {
          const isInput = this.side === 'input';
          const breaks = isInput ? '' : ': readers may find nothing there';
          this.add('field-optional', path, `${now.pointer}${pointerOf('properties', name)}`, 'key', `is no longer required${breaks}`, {
            ...(isInput && { effect: 'compatible' }),
          });
        }
      } else this.fieldRemoved(name, path, { oldFields, newFields, old, now });
    }
    for (const name in newFields) {
      if (Object.hasOwn(oldFields, name) || newRequired.has(name)) continue;
      const path = field === '' ? name : `${field}.${name}`;
      this.add('field-added', path, `${now.pointer}${pointerOf('properties', name)}`, 'key', 'is new and optional', {
        effect: 'compatible',
      });
    }
    newRequired.forEach((index, name) => {
      if (oldRequired.has(name)) return;
      const path = field === '' ? name : `${field}.${name}`;
      const isNew = !Object.hasOwn(oldFields, name);
      const breaks = this.side === 'output' ? 'answers kept from before no longer fit' : 'callers that do not send it are refused';
      this.add('field-required', path, `${now.pointer}/required/${index}`, 'value', `is ${isNew ? 'new and' : 'now'} required: ${breaks}`);
    });
  }

  private fieldRemoved(
    name: string,
    path: string,
    { oldFields, newFields, old, now }: { oldFields: JsonObject; newFields: JsonObject; old: ObjectPlace; now: ObjectPlace },
  ): void {
    const isStillTaken = this.side === 'input' && now.schema.additionalProperties !== false;
    const added = Object.keys(newFields).filter((other) => !Object.hasOwn(oldFields, other));
    const renamed = nearestNames(name, added, 1)[0] ?? added.find((other) => isSame(oldFields[name], newFields[other]));
    const what = renamed === undefined ? 'is gone' : `is gone (now ${quoted(renamed)}?)`;
    const breaks =
      this.side === 'output'
        ? 'readers of it find nothing'
        : isStillTaken
          ? 'callers may still send it'
          : 'callers that send it are refused';
    const hasFields = now.schema.properties !== undefined;
    this.add('field-removed', path, hasFields ? `${now.pointer}/properties` : now.pointer, 'key', `${what}: ${breaks}`, {
      data: { renamed: renamed ?? null },
      gone: `${old.pointer}${pointerOf('properties', name)}`,
      ...(isStillTaken && { effect: 'compatible' }),
    });
  }

  private compareLimits(old: JsonObject, now: ObjectPlace, field: string): void {
    for (const { keyword, upper } of limits) {
      const was = old[keyword];
      const is = now.schema[keyword];
      const wasNumber = typeof was === 'number';
      const isNumber = typeof is === 'number';
      if (was === is || (!wasNumber && !isNumber)) continue;
      const widened = wasNumber && (!isNumber || (upper ? is > was : is < was));
      const isBreaking = widened === (this.side === 'output');
      const what = !isNumber ? `has no ${keyword} any more (was ${was})` : `has ${keyword} ${is}${wasNumber ? ` (was ${was})` : ' now'}`;
      const breaks = this.side === 'output' ? 'readers may meet values they do not expect' : 'callers may be refused';
      this.add(
        'limit',
        field,
        isNumber ? `${now.pointer}/${keyword}` : now.pointer,
        isNumber ? 'value' : 'key',
        isBreaking ? `${what}: ${breaks}` : what,
        {
          ...(!isBreaking && { effect: 'compatible' }),
        },
      );
    }
  }

  /** Alternatives are matched whatever their order; what one different one on each side means is what changed in it. */
  private compareAlternatives(old: ObjectPlace, now: ObjectPlace, field: string): void {
    if (valuesOf(old.schema) !== undefined && valuesOf(now.schema) !== undefined) return;
    const isInput = this.side === 'input';
    const who = isInput ? 'callers' : 'readers';
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      const [was, is] = [old.schema[keyword], now.schema[keyword]];
      if (isSame(was, is)) continue;
      const pointer = is === undefined ? now.pointer : `${now.pointer}/${keyword}`;
      const { removed, added } = unmatched(listOf(was), listOf(is));
      const [one, other] = [removed[0], added[0]];
      if (!Array.isArray(was) || !Array.isArray(is)) {
        this.add('alternatives', field, pointer, 'key', `has other forms than before (${keyword}): ${who} may not know them`, {
          effect: 'unknown',
        });
      } else if (removed.length === 1 && added.length === 1 && one !== undefined && other !== undefined) {
        const place = (around: ObjectPlace, { schema, index }: Alternative) => ({
          schema,
          pointer: `${around.pointer}/${keyword}/${index}`,
        });
        this.compare(place(old, one), place(now, other), field);
      } else if (removed.length > 0 || added.length > 0) {
        const isDecided = keyword !== 'allOf' && (removed.length === 0 || added.length === 0);
        const isTaken = isInput && removed.length === 0;
        const words = isTaken ? '' : removed.length === 0 ? `: ${who} may not know them` : ': what had the old ones may no longer fit';
        this.add('alternatives', field, pointer, 'key', `has other forms than before (${keyword})${words}`, {
          effect: isDecided ? (isTaken ? 'compatible' : 'breaking') : 'unknown',
        });
      }
    }
  }

  /** Words are compatible, though prompts show them. Of all other keywords it is not known whom they affect. */
  private compareRest(old: JsonObject, now: ObjectPlace, field: string): void {
    const changed = [...new Set([...Object.keys(old), ...Object.keys(now.schema)])].sort().filter((key) => {
      if (comparedKeywords.has(key)) return false;
      // Items that are schemas are compared on their own.
      if (key === 'items' && isObject(old.items) && isObject(now.schema.items)) return false;
      return !isSame(old[key], now.schema[key]);
    });
    const words = changed.filter((key) => wordKeywords.has(key));
    const place = (key: string) => (now.schema[key] === undefined ? now.pointer : `${now.pointer}/${key}`);
    if (words[0] !== undefined) {
      this.add('words', field, place(words[0]), 'key', `has another ${words.join(' and ')}`, { effect: 'compatible' });
    }
    for (const key of changed) {
      if (wordKeywords.has(key)) continue;
      if (key === 'additionalProperties' && this.compareAdditional(old, now, field)) continue;
      const what = now.schema[key] === undefined ? `has no ${key} any more` : `has ${old[key] === undefined ? 'a' : 'another'} ${key}`;
      const who = this.side === 'output' ? 'readers' : 'callers';
      this.add('keyword', field, place(key), 'key', `${what}: whether ${who} are affected is not known`, {
        effect: 'unknown',
      });
    }
  }

  /** Whether it is about all other fields: none, or any. */
  private compareAdditional({ additionalProperties: was = true }: JsonObject, now: ObjectPlace, field: string): boolean {
    const { additionalProperties: is = true } = now.schema;
    if (typeof was !== 'boolean' || typeof is !== 'boolean') return false;
    if (was === is) return true;
    const at = now.schema.additionalProperties === undefined ? now.pointer : `${now.pointer}/additionalProperties`;
    if (is) this.add('keyword', field, at, 'key', 'may now have other fields', { effect: 'compatible' });
    else if (this.side === 'input')
      this.add('keyword', field, at, 'key', 'can no longer have other fields: callers that send some are refused');
    else {
      const words = 'can no longer have other fields: whether kept answers have some is not known';
      this.add('keyword', field, at, 'key', words, { effect: 'unknown' });
    }
    return true;
  }

  private typeBreaks({ widened, narrowed }: { widened: boolean; narrowed: boolean }): string {
    if (this.side === 'input') return 'callers that send what was legal are refused';
    const readers = 'readers meet a type they do not expect';
    const kept = 'answers kept from before may no longer fit';
    return widened && narrowed ? `${readers}, and ${kept}` : widened ? readers : kept;
  }

  private add(
    change: SchemaChange['change'],
    field: string,
    pointer: string,
    target: SchemaChange['target'],
    words: string,
    { effect = 'breaking', ...more }: Partial<Pick<SchemaChange, 'effect' | 'data' | 'gone'>> = {},
  ): void {
    const subject = field === '' ? (this.side === 'output' ? 'The output' : 'The input') : `"${field}"`;
    this.changes.push({ effect, change, field, pointer, target, message: `${subject} ${words}.`, ...more });
  }
}

/** The schema at a place, with `$ref`s followed and `true` as the empty schema. */
function plain(contract: OutputContract, place: SchemaPlace): ObjectPlace | undefined {
  const followed = contract.follow(place);
  if (followed === undefined || followed.schema === false) return undefined;
  return { schema: isObject(followed.schema) ? followed.schema : {}, pointer: followed.pointer };
}

function requiredOf(schema: JsonObject): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  if (Array.isArray(schema.required)) {
    schema.required.forEach((name: Json, index) => {
      if (typeof name === 'string') names.set(name, index);
    });
  }
  return names;
}
