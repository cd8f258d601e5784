import type { ConfigFile, SchemaError } from '../../config/configFile.js';
import { parentPointer } from '../../config/locate.js';
import type { Finding } from '../../finding.js';
import { isObject, type Json, segmentsOf, valueAt } from '../../json.js';
import { didYouMean, nearestNames } from '../../names.js';
import { nearestValue } from './nearestValue.js';
import { patternWords } from './patternWords.js';
import { dotted, listed, shown } from './words.js';

type Explained = Omit<Finding, 'code' | 'severity' | 'file'>;

/**
 * The errors of a file's own schema in words, each once, with `data.keyword` and, where there is one, the nearest legal value in
 * `data.replacement` (and how to write it in `data.text`). Branches of a combination become one finding; keys the schema does not know
 * are left to other rules.
 */
export function explainSchemaErrors(file: ConfigFile): readonly Explained[] {
  const seen = new Set<string>();
  const explained: Explained[] = [];
  for (const error of withoutNoise(file)) {
    const finding = explain(file, error);
    const identity = `${finding.pointer} ${finding.message}`;
    if (seen.has(identity)) continue;
    seen.add(identity);
    explained.push(finding);
  }
  return explained;
}

/** One error for each thing that is wrong: without the branches that a combination tried, and the type where the value is refused anyway. */
function withoutNoise(file: ConfigFile): readonly SchemaError[] {
  const kept: SchemaError[] = [];
  for (const error of file.schemaErrors) {
    switch (error.keyword) {
      case 'additionalProperties':
      case 'if':
        break;
      case 'anyOf':
      case 'oneOf':
        combine(kept, error);
        break;
      case 'propertyNames':
        kept.push({ ...error, params: { ...error.params, ...droppedNameError(kept, error)?.params } });
        break;
      default:
        kept.push(error);
    }
  }
  const refused = new Set(kept.filter(({ keyword }) => keyword === 'enum').map(({ pointer }) => pointer));
  return kept.filter(({ keyword, pointer }) => keyword !== 'type' || !refused.has(pointer));
}

/** Takes back the errors of the branches: what each lacked, or which types each wanted. Errors that say more stay, and the combination goes. */
function combine(kept: SchemaError[], error: SchemaError): void {
  const params: { missing?: Json[]; types?: Json[] } = {};
  const required: string[] = [];
  const types: string[] = [];
  for (;;) {
    const last = kept.at(-1);
    if (last?.pointer !== error.pointer || (last.keyword !== 'required' && last.keyword !== 'type')) break;
    kept.pop();
    if (last.keyword === 'required') required.unshift(String(last.params.missingProperty));
    else types.unshift(...typesOf(last));
  }
  if (required.length > 0) params.missing = required;
  if (types.length > 0) params.types = types;
  const saysMore = kept.at(-1)?.pointer.startsWith(`${error.pointer}/`) === true;
  if (saysMore && required.length === 0) return;
  kept.push({ ...error, params });
}

/** What a name breaks is reported at the object, right before the error that says which name. */
function droppedNameError(kept: SchemaError[], { pointer }: SchemaError): SchemaError | undefined {
  return dropLast(kept, (last) => last.pointer === pointer && last.keyword !== 'type' && last.keyword !== 'required');
}

function dropLast(kept: SchemaError[], isDropped: (last: SchemaError) => boolean): SchemaError | undefined {
  const last = kept.at(-1);
  return last !== undefined && isDropped(last) ? kept.pop() : undefined;
}

function explain(file: ConfigFile, error: SchemaError): Explained {
  const { pointer, keyword, params } = error;
  const value = valueAt(file.value, pointer);
  const segments = segmentsOf(pointer);
  const name = segments.length === 0 ? 'The file' : dotted(segments);
  // A refused key may be the key itself, put in plain text.
  const found = secretFields.has(segments.at(-1) ?? '') ? undefined : value;
  const not = found === undefined ? '' : `, not ${shown(found)}`;
  const at = (message: string, data: Record<string, unknown> = {}): Explained => ({ pointer, message, data: { keyword, ...data } });
  const onKey = (message: string, data: Record<string, unknown> = {}): Explained => ({ ...at(message, data), target: 'key' });
  const limit = Number(params.limit);

  switch (keyword) {
    case 'type': {
      const types = typesOf(error);
      return at(`${name} must be ${wordsOf(types)}${not}.`, { types, ...nearestValue(file, pointer, types) });
    }
    case 'required': {
      const missing = String(params.missingProperty);
      const fromPath = segments.length === 0 ? identityField(file, missing) : undefined;
      return onKey(`${name} lacks ${JSON.stringify(missing)}, which is required.`, {
        missing,
        ...(fromPath !== undefined && { value: fromPath }),
      });
    }
    case 'enum':
      return explainEnum(at, value, params.allowedValues);
    case 'const':
      return at(`${name} must be ${shown(params.allowedValue as Json)}${not}.`, { replacement: params.allowedValue });
    case 'minimum':
      return at(`${name} must be at least ${limit}${not}.`, { limit, replacement: limit });
    case 'maximum':
      return at(`${name} must be at most ${limit}${not}.`, { limit, replacement: limit });
    case 'minLength':
      return at(limit === 1 ? `${name} must not be empty.` : `${name} must have at least ${limit} characters.`, { limit });
    case 'minItems':
      return at(`${name} must list at least ${limit === 1 ? 'one value' : `${limit} values`}.`, { limit });
    case 'maxProperties':
      return onKey(`${name} must have no more than ${limit === 1 ? 'one key' : `${limit} keys`}.`, { limit });
    case 'uniqueItems':
      return explainRepeated(file, pointer, name, params);
    case 'pattern':
      return at(`${name} must be ${patternWords(String(params.pattern))}${not}.`, { pattern: params.pattern });
    case 'propertyNames': {
      const key = String(params.propertyName);
      const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const wanted = typeof params.pattern === 'string' ? ` It must be ${patternWords(params.pattern)}.` : '';
      return { pointer: place, target: 'key', message: `${shown(key)} is no legal key of ${name}.${wanted}`, data: { keyword } };
    }
    case 'anyOf':
    case 'oneOf':
      return explainCombination(name, not, params, at, onKey);
    case 'false schema':
      return explainForbidden(file, pointer, segments, onKey);
    default:
      return at(`${name} ${error.message}.`, params);
  }
}

type Place = (message: string, data?: Record<string, unknown>) => Explained;

function explainEnum(at: Place, value: Json | undefined, allowedValues: unknown): Explained {
  const allowed = (Array.isArray(allowedValues) ? (allowedValues as Json[]) : []).filter((other) => other !== null);
  const nearest =
    typeof value === 'string'
      ? nearestNames(
          value,
          allowed.filter((other) => typeof other === 'string'),
          1,
        )
      : [];
  const [replacement] = nearest;
  return at(`${shown(value)} is not one of ${allowed.map(shown).join(', ')}.${didYouMean(nearest)}`, {
    allowed,
    ...(replacement !== undefined && { replacement, text: JSON.stringify(replacement) }),
  });
}

function explainRepeated(file: ConfigFile, pointer: string, name: string, params: SchemaError['params']): Explained {
  const [first, again] = [Number(params.i), Number(params.j)].sort((left, right) => left - right);
  const value = valueAt(file.value, `${pointer}/${again}`);
  return {
    pointer: `${pointer}/${again}`,
    message: `${name} lists ${shown(value)} twice. Remove one.`,
    related: [{ file: file.path, pointer: `${pointer}/${first}`, message: `${shown(value)} is first listed here.` }],
    data: { keyword: 'uniqueItems', first },
  };
}

function explainCombination(name: string, not: string, params: SchemaError['params'], at: Place, onKey: Place): Explained {
  if (Array.isArray(params.missing)) return onKey(`${name} needs ${listed(params.missing, 'or')}.`, { missing: params.missing });
  const types = Array.isArray(params.types) ? params.types.map(String) : [];
  return types.length > 0 ? at(`${name} must be ${wordsOf(types)}${not}.`, { types }) : at(`${name} fits none of its possible forms.`);
}

/** A key that is legal alone, but not together with those beside it. */
function explainForbidden(file: ConfigFile, pointer: string, segments: readonly string[], onKey: Place): Explained {
  const around = valueAt(file.value, parentPointer(pointer) ?? '');
  const others = isObject(around) ? Object.keys(around).filter((key) => key !== segments.at(-1)) : [];
  const beside = others.length === 0 ? 'here' : `together with ${listed(others)}`;
  return onKey(`${shown(segments.at(-1))} is not allowed ${beside}. Remove it.`);
}

/** What the path says a missing field of the identity is. */
function identityField({ identity }: ConfigFile, field: string): string | undefined {
  if (field === 'version') return identity.version;
  return field === 'agent_name' || field === 'llm_id' || field === 'name' ? identity.name : undefined;
}

/** Without null, which every optional field takes to remove what a lower layer gave. */
function typesOf({ params }: SchemaError): string[] {
  const types = Array.isArray(params.type) ? params.type.map(String) : String(params.type).split(',');
  return types.length > 1 ? types.filter((type) => type !== 'null') : types;
}

function wordsOf(types: readonly string[]): string {
  return types.map((type) => typeWords.get(type) ?? type).join(' or ');
}

const typeWords = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
]);

/** Fields whose values are never repeated in a message. */
const secretFields = new Set(['api_key', 'base_url']);
