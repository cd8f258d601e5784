import type { ConfigFile } from '../../config/configFile.js';
import { type JsonObject, pointerOf } from '../../json.js';
import { nearestAmong } from '../../names.js';
import type { OutputContract } from '../../schema/outputContract.js';
import { isSchemaWord, schemaKeywords } from '../../schema/schemaKeywords.js';
import type { RuleContext } from '../rule.js';
import { contractOf } from './contractOf.js';

/** A key of a schema that looks like a keyword and is none. */
export interface MisspeltKeyword {
  readonly key: string;
  /** From the root schema. */
  readonly pointer: string;
  /** Keywords that are not there yet, best first; never empty. */
  readonly nearest: readonly string[];
}

/** The misspelt keywords of a schema. Other unknown keys are for the author's own tools. */
export function misspeltKeywords(schema: JsonObject, file: ConfigFile, context: RuleContext): readonly MisspeltKeyword[] {
  const contract = contractOf(schema, file, context);
  const known = misspelt.get(contract) ?? findMisspelt(contract);
  misspelt.set(contract, known);
  return known;
}

const misspelt = new WeakMap<OutputContract, readonly MisspeltKeyword[]>();

function findMisspelt({ schemas }: OutputContract): readonly MisspeltKeyword[] {
  const found: MisspeltKeyword[] = [];
  for (const { schema, pointer } of schemas) {
    for (const key of Object.keys(schema)) {
      if (isSchemaWord(key) || key.length > longest) continue;
      const nearest = findNearest(key).filter((keyword) => !Object.hasOwn(schema, keyword));
      if (nearest.length > 0) found.push({ key, pointer: pointer + pointerOf(key), nearest });
    }
  }
  return found;
}

/** Words of other meaning are too like the shortest ones. */
const findNearest = nearestAmong(schemaKeywords.filter((keyword) => !['if', 'not', 'then', 'else'].includes(keyword)));

/** No keyword is longer, nor any of its misspellings. */
const longest = 30;

/** Keywords without which the fields and values of a schema are unknown. */
const essential: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'items',
  'enum',
  '$ref',
  'anyOf',
  'allOf',
  'oneOf',
  '$defs',
  'definitions',
]);

/** Whether a schema means something else until this is corrected. */
export function isEssential({ nearest }: MisspeltKeyword): boolean {
  return essential.has(nearest[0] ?? '');
}
