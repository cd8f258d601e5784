import type { ConfigFile } from '../../config/configFile.js';
import type { Finding } from '../../finding.js';
import { isObject, type Json, pointerOf, segmentsOf, valueAt } from '../../json.js';
import { parentPointer } from '../../jsonText/locate.js';
import { didYouMean, nearestNames } from '../../names.js';
import { foreignFieldsOf } from '../../otherTools/fieldNames.js';
import { fieldsAt } from '../../schema/kindFields.js';
import type { SchemaError } from '../../schema/types.js';
import { dotted, listed, quoted } from '../../words.js';
import { nearestValue, writtenAt } from './nearestValue.js';

type Explained = Omit<Finding, 'code' | 'severity' | 'file'>;

/**
 * Schema errors of a file as findings, each with `data.keyword` and, if there is one, the nearest legal value in `data.replacement`
 * and its JSON in `data.text`. Unknown keys are left to other rules.
 */
export function explainSchemaErrors(file: ConfigFile, errors: readonly SchemaError[] = file.schemaErrors): readonly Explained[] {
  // A value outside a list has a type error too, but the list is more helpful.
  const listedPlaces = new Set(errors.filter(({ keyword }) => keyword === 'enum').map(({ pointer }) => pointer));
  return errors
    .filter(({ keyword, pointer }) => keyword !== 'additionalProperties' && !(keyword === 'type' && listedPlaces.has(pointer)))
    .filter((error) => !isGivenOtherwise(file, error))
    .map((error) => explain(file, error));
}

/** Whether a missing field is given under another tool's name, which foreign-name reports. */
function isGivenOtherwise({ value, identity: { kind } }: ConfigFile, { keyword, pointer, params }: SchemaError): boolean {
  // One of several alternatives is enough.
  const missing = keyword === 'required' ? [params.missingProperty] : params.missingProperties;
  const around = Array.isArray(missing) ? valueAt(value, pointer) : undefined;
  const names = fieldsAt(kind, segmentsOf(pointer));
  if (!Array.isArray(missing) || !isObject(around) || names === undefined) return false;
  return foreignFieldsOf(around, names).some(({ field }) => missing.includes(field));
}

function explain(file: ConfigFile, error: SchemaError): Explained {
  const { pointer, keyword, params } = error;
  const value = valueAt(file.value, pointer);
  const segments = segmentsOf(pointer);
  const name = segments.length === 0 ? 'The file' : dotted(segments);
  // A refused `api_key` may be the secret in plain text.
  const isHidden = value === undefined || secretFields.has(segments.at(-1) ?? '');
  // As in the file: parsing turns 2.0 into 2, and 1e400 into Infinity.
  const written = typeof value === 'number' && !isHidden ? writtenAt(file, pointer) : undefined;
  const notValue = isHidden ? '' : `, not ${written === undefined || written.length > 40 ? quoted(value) : written}`;
  const data = { keyword, ...dataOf(file, error) };

  switch (keyword) {
    case 'enum':
      return explainEnum(pointer, value, params.allowedValues);
    case 'uniqueItems':
      return explainRepeated(file, pointer, name);
    case 'type': {
      const { text } = data as { readonly text?: string };
      const hint = isHidden || text === undefined || text.length > 60 ? '' : ` Did you mean ${text}?`;
      return { pointer, message: `${name} ${error.message}${notValue}.${hint}`, data };
    }
    case 'pattern':
      return { pointer, message: `${name} ${isHidden ? '' : `is ${quoted(value)}, but `}${error.message}.`, data };
    case 'required':
      return { pointer, target: 'key', message: `${name} lacks ${quoted(String(params.missingProperty))}, which is required.`, data };
    case 'false schema':
      return {
        pointer,
        target: 'key',
        message: `${quoted(segments.at(-1))} is not allowed ${besideWhat(file, pointer, segments)}. Remove it.`,
        data,
      };
    case 'propertyNames': {
      const key = String(params.propertyName);
      return { pointer: `${pointer}${pointerOf(key)}`, target: 'key', message: `${quoted(key)} is not a legal name in ${name}.`, data };
    }
    default:
      return {
        pointer,
        // An object with missing or surplus members is marked at its key, not as a whole.
        ...(isObject(value) && { target: 'key' }),
        message: `${name} ${error.message}${comparing.has(keyword) ? notValue : ''}.`,
        data,
      };
  }
}

/** Keywords about the value itself, which the message then shows; the others are about its members. */
const comparing: ReadonlySet<string> = new Set([
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'format',
]);

function dataOf(file: ConfigFile, { pointer, keyword, params }: SchemaError): Readonly<Record<string, unknown>> {
  switch (keyword) {
    case 'type': {
      const types = [params.type].flat().map(String);
      // The name of a file follows from its path, however the value might be converted.
      const name = identityField(file, pointer.slice(1));
      return { types, ...(name === undefined ? nearestValue(file, pointer, types) : { replacement: name, text: JSON.stringify(name) }) };
    }
    case 'minimum':
    case 'maximum': {
      const replacement = withinLimit(valueAt(file.value, pointer), params.limit);
      return { limit: params.limit, ...(replacement !== undefined && { replacement, text: JSON.stringify(replacement) }) };
    }
    case 'const':
      return { replacement: params.allowedValue, text: JSON.stringify(params.allowedValue) };
    case 'required': {
      return { missing: String(params.missingProperty) };
    }
    default:
      return params;
  }
}

/** The limit; for a part of 1, what the number is as a percentage. Undefined where it can be neither, or either: 1.5 may be 1.5 % or 0.15. */
function withinLimit(value: Json | undefined, limit: unknown): unknown {
  if (limit !== 1 || typeof value !== 'number' || value < 1) return limit;
  return 2 <= value && value <= 100 ? value / 100 : undefined;
}

function explainEnum(pointer: string, value: Json | undefined, allowedValues: unknown): Explained {
  const allowed: readonly Json[] = Array.isArray(allowedValues) ? allowedValues : [];
  const texts = allowed.filter((other) => typeof other === 'string');
  const replacement = typeof value === 'string' ? (nearestNames(value, texts, 1)[0] ?? longerName(value, texts)) : undefined;
  const hint = replacement === undefined ? '' : didYouMean([replacement]);
  return {
    pointer,
    message: `${quoted(value)} is not one of ${allowed.map(quoted).join(', ')}.${hint}`,
    data: { keyword: 'enum', allowed, ...(replacement !== undefined && { replacement, text: JSON.stringify(replacement) }) },
  };
}

/** `GenericSingleShotAgent` is `single_shot` under a longer name. */
function longerName(value: string, texts: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[\s_.-]/g, '');
  const within = texts.filter((text) => text.length > 3 && plain(value).includes(plain(text)));
  return within.length === 1 ? within[0] : undefined;
}

function explainRepeated(file: ConfigFile, pointer: string, name: string): Explained {
  const items = valueAt(file.value, pointer);
  const list: readonly Json[] = Array.isArray(items) ? items : [];
  const seen = new Set<Json>();
  const again = list.findIndex((item) => seen.size === seen.add(item).size);
  if (again < 0) return { pointer, message: `${name} lists a value twice. Remove one.`, data: { keyword: 'uniqueItems' } };
  const first = list.indexOf(list[again]!);
  return {
    pointer: `${pointer}/${again}`,
    message: `${name} lists ${quoted(list[again])} twice. Remove one.`,
    related: [{ file: file.path, pointer: `${pointer}/${first}`, message: `${quoted(list[again])} is first listed here.` }],
    data: { keyword: 'uniqueItems', first },
  };
}

/** For a key that is legal alone: the keys of the same object that exclude it. */
function besideWhat(file: ConfigFile, pointer: string, segments: readonly string[]): string {
  const around = valueAt(file.value, parentPointer(pointer) ?? '');
  const others = (excludedBy[segments.at(-1) ?? ''] ?? []).filter((key) => isObject(around) && Object.hasOwn(around, key));
  return others.length === 0 ? 'here' : `together with ${listed(others)}`;
}

/** Keys that exclude a key: in steps of a plan, in conditions and expectations, in payloads, and in the servers and inputs of mcp.json. */
const excludedBy: Readonly<Record<string, readonly string[]>> = {
  agent: ['skill'],
  llm: ['skill', 'agent'],
  input: ['llm', 'cases', 'turns'],
  context: ['cases', 'input', 'turns'],
  turns: ['cases'],
  expect: ['turns'],
  expected: ['turns'],
  tool: ['judge'],
  arguments: ['judge'],
  tools_in_order: ['judge', 'tool'],
  measure: ['judge', 'tool', 'tools_in_order'],
  route: ['judge', 'tool', 'tools_in_order', 'measure'],
  text: ['judge', 'tool', 'tools_in_order', 'measure', 'route'],
  status: ['judge', 'tool', 'tools_in_order', 'measure', 'route', 'text'],
  output_field: ['tool', 'tools_in_order', 'measure', 'route', 'text', 'status'],
  context_field: ['judge', 'tool', 'tools_in_order', 'measure', 'route', 'text', 'status', 'output_field'],
  operator: ['status', 'tools_in_order'],
  value: ['status', 'tools_in_order'],
  threshold: ['status', 'tools_in_order'],
  ignore_case: ['status', 'tools_in_order'],
  task: ['judge', 'tool', 'tools_in_order', 'measure', 'route', 'text', 'context_field'],
  step: ['task', 'context_field'],
  url: ['command'],
  headers: ['command'],
  args: ['url', 'type'],
  env: ['url'],
  cwd: ['url'],
  options: ['type'],
  command: ['type'],
};

/** The value of an identity field according to the path. */
function identityField({ identity }: ConfigFile, field: string): string | undefined {
  if (field === 'version') return identity.version;
  return field === 'agent_name' || field === 'llm_id' || field === 'name' ? identity.name : undefined;
}

/** Fields whose values are never repeated in a message. */
const secretFields = new Set(['api_key', 'base_url']);
