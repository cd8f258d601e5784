import { CompletionItemKind } from 'vscode-languageserver';
import { knownProviders } from '../../core/config/providers.js';
import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../core/json.js';
import type { Path } from '../jsonTree.js';
import { partsOf, type SchemaPlace, schemaIdOf, schemasAt, typesOf, valuesOf } from '../schemaDocs.js';
import { comparedValues, contextFieldValues, operatorValues, outputFieldValues } from './conditions.js';
import { json } from './draft.js';
import { exampleValues } from './examples.js';
import { expectationNames, expectedSchema, expecting } from './expectations.js';
import { refTargets, schemaRootAt } from './jsonSchema.js';
import { modelValues } from './models.js';
import { agentField, baseOf, fieldAt, fieldsIn, valuesFor } from './outputs.js';
import { placeholderValues, secretValues, usedNames, variableNames } from './placeholders.js';
import { notListed, referenceValues } from './references.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';
import { keysOfTemplate, templateValues, variableValues } from './templates.js';
import { valueForms } from './valueForms.js';

/** The values that fit at the cursor. */
export async function provideValues(spot: Spot): Promise<readonly Suggestion[]> {
  const inText = (await placeholderValues(spot)) ?? templateValues(spot) ?? (await secretValues(spot));
  if (inText !== undefined) return inText;
  const places = schemasAt(spot.kind, spot.path, spot.optionsProvider);
  const nameValues = (await namedValues(spot, places)) ?? [];
  // Operators that do not fit the field's type are not offered.
  if (nameValues.length > 0 && spot.path.at(-1) === 'operator') return nameValues;
  const labels = new Set(nameValues.map(({ label }) => label));
  // An output schema is an object: the true and false of JSON Schema are not offered at its root.
  const parts = places.flatMap((place) => (isSchemaField(place) ? [place] : partsOf(place)));
  const fieldValues = parts.flatMap(({ schema }) => schemaValues(spot, schema, nameValues.length > 0));
  const seen = new Set<string>();
  const further = [...(isUnique(spot) ? notListed(spot, fieldValues) : fieldValues), ...valueForms(spot, places)].filter(({ label }) => {
    if (labels.has(label) || seen.has(label)) return false;
    seen.add(label);
    return true;
  });
  return [...nameValues, ...further];
}

function isSchemaField({ definition }: SchemaPlace): boolean {
  return definition === 'output_schema' || definition === 'input_schema';
}

/** Whether the value is an item of a list of unique items. */
function isUnique({ kind, path }: Spot): boolean {
  return typeof path.at(-1) === 'number' && schemasAt(kind, path.slice(0, -1)).some(({ schema }) => schema.uniqueItems === true);
}

/** Names and values from the file or the project. */
async function namedValues(spot: Spot, places: readonly SchemaPlace[]): Promise<readonly Suggestion[] | undefined> {
  const { path, kind } = spot;
  const key = path.findLast((segment) => typeof segment === 'string');
  if (schemaRootAt(path) !== undefined) return schemaKeywordValues(spot, String(key));
  if (path[0] === '$ignore' && path.length === 3) return ignoredPlaces(spot);
  const ofFile = fileValues(spot);
  if (ofFile !== undefined) return ofFile;
  if (kind === 'prompt' && path[0] === 'few_shot_examples') return path[2] === 'output' ? exampleValues(spot, path[3]) : undefined;
  const isCondition = path.at(-2) !== 'input' && schemasAt(kind, path.slice(0, -1)).some(({ definition }) => comparing.has(definition));
  if (isCondition && key === 'operator') return operatorValues(spot);
  if (isCondition && key === 'output_field') return outputFieldValues(spot);
  if (isCondition && key === 'context_field') return contextFieldValues(spot);
  if (key === 'value' && (isCondition || typeof path.at(-1) === 'number')) return comparedValues(spot);
  if (key === 'tools_in_order' && path.includes('expect')) return expectationNames(key, spot);
  if (kind === 'payload') return isCondition ? caseNames(spot, places, key) : exampleValue(spot);
  if (places.length === 0) return undefined;
  switch (key) {
    case 'provider':
      return knownProviders(spot.project.index).map((name) => plain(name, ''));
    case 'model_name':
      return modelValues(spot);
    case 'api_key':
      return kind === 'llm' || kind === 'system' ? secretReferences(spot) : undefined;
    case 'api_key_env':
      return variableNames(spot, new Set()).map(({ name, detail, rank }) => plain(name, detail, /KEY|TOKEN|SECRET/i.test(name) ? 1 : rank));
    case 'input_keys':
      return typeof path.at(-1) === 'number' ? notListed(spot, inputKeyValues(spot)) : undefined;
    case 'variables':
      return kind === 'prompt' && typeof path.at(-1) === 'number'
        ? notListed(
            spot,
            variableValues(spot).map((name) => plain(name, 'used by the template or its agents')),
          )
        : undefined;
    case '$schema':
      return path.length === 1 ? [plain(schemaIdOf(kind), 'the schema of this file')] : undefined;
    default:
      return ownName(spot) ?? referenceValues(spot, places);
  }
}

/** Definitions of what compares a field. */
const comparing: ReadonlySet<string | undefined> = new Set(['condition', 'condition_term', ...expecting]);

function caseNames(spot: Spot, places: readonly SchemaPlace[], key: string | number | undefined): readonly Suggestion[] | undefined {
  return expectationNames(String(key), spot) ?? referenceValues(spot, places);
}

/** The value of a field in `expected`. */
function exampleValue(spot: Spot): readonly Suggestion[] | undefined {
  const at = spot.path.indexOf('expected');
  const field = spot.path.slice(at + 1).join('.');
  if (at < 0 || field === '' || (at !== 0 && at !== 2)) return undefined;
  const place = fieldAt(expectedSchema(spot, new Map()), field);
  return place === undefined ? undefined : valuesFor(place).map((value) => ofValue(value, 'from output_schema'));
}

/** Values of output fields in `enums` and `defaults`. */
function fileValues(spot: Spot): readonly Suggestion[] | undefined {
  const { path } = spot;
  for (const name of ['enums', 'defaults'] as const) {
    const base = baseOf(path, name);
    if (base === undefined || path.length < base.length + 2 || !isField(spot, [...base, name], name)) continue;
    const field = path[base.length + 1];
    const schema = agentField(spot, base, 'output_schema');
    const place =
      fieldAt(schema, String(field)) ??
      fieldsIn({ schema: schema ?? true, root: schema ?? true }).find((declared) => declared.name === field);
    if (place === undefined) return [];
    const values = valuesFor(place).filter((value) => name === 'defaults' || typeof value === 'string');
    const suggestions = values.map((value) => ofValue(value, 'from output_schema'));
    const isItem = typeof path.at(-1) === 'number';
    if (isItem) return notListed(spot, suggestions);
    const isList = name === 'enums' || (isObject(place.schema) && place.schema.type === 'array');
    if (!isList) return suggestions;
    return values.length === 0 ? [] : [{ ...ofValue(values, 'all values of output_schema'), label: '[…]' }];
  }
  return undefined;
}

/** Whether a path leads to that field of an agent, rather than to something of the same name. */
function isField(spot: Spot, path: Path, definition: string): boolean {
  return schemasAt(spot.kind, path)[0]?.definition === definition;
}

/** The places of the rule's findings, and the fields of the file. */
async function ignoredPlaces(spot: Spot): Promise<readonly Suggestion[]> {
  const findings = await spot.project.findings(spot.document.path ?? '');
  const pointers = findings.filter(({ code, pointer }) => code === spot.path[1] && pointer !== '').map(({ pointer }) => pointer);
  const fields = [...spot.rootMembers().keys()].filter((key) => !key.startsWith('$')).map((key) => pointerOf(key));
  const others = fields.filter((pointer) => !pointers.includes(pointer));
  return notListed(spot, [
    ...[...new Set(pointers)].map((pointer) => plain(pointer, 'found here')),
    ...others.map((pointer) => plain(pointer, 'field', 2)),
  ]);
}

/** The fields that identify a file must agree with its path. */
function ownName({ kind, path, identity }: Spot): readonly Suggestion[] | undefined {
  if (path.length !== 1) return undefined;
  const [key] = path;
  const isName =
    (kind === 'agent' && key === 'agent_name') ||
    (kind === 'llm' && key === 'llm_id') ||
    ((kind === 'prompt' || kind === 'orchestration') && key === 'name');
  if (isName) return [plain(identity.name, 'as the path says')];
  const isVersion = (kind === 'agent' || kind === 'prompt') && key === 'version' && identity.version !== undefined;
  return isVersion ? [plain(identity.version ?? '', 'as the path says')] : undefined;
}

async function secretReferences(spot: Spot): Promise<readonly Suggestion[]> {
  const { secrets } = await usedNames(spot);
  const defaultName = `${spot.identity.name}_api_key`;
  const used = [...secrets].map((name) => plain(`secret://${name}`, 'used in this project'));
  return secrets.has(defaultName) || spot.kind !== 'llm' ? used : [...used, plain(`secret://${defaultName}`, 'new', 2)];
}

function inputKeyValues(spot: Spot): readonly Suggestion[] {
  const base = baseOf(spot.path, 'input_keys') ?? [];
  const schema = spot.valueAt([...base, 'input_schema']);
  const prompts = spot.valueAt([...base, 'prompts']);
  const prompt = isObject(prompts) ? prompts.system_prompt : undefined;
  const ofSchema = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : [];
  return [
    ...ofSchema.map((name) => plain(name, 'in input_schema')),
    ...keysOfTemplate(spot, prompt)
      .filter((name) => !ofSchema.includes(name))
      .map((name) => plain(name, 'used by the prompt')),
  ];
}

/** Values of JSON Schema keywords that depend on the rest of the schema. */
function schemaKeywordValues(spot: Spot, key: string): readonly Suggestion[] | undefined {
  const { path } = spot;
  const root = schemaRootAt(path) ?? [];
  const isItem = typeof path.at(-1) === 'number';
  const schemaPath = path.slice(0, isItem ? -2 : -1);
  switch (key) {
    case '$ref':
      return refTargets(spot.valueAt(root)).map((target) => plain(target, 'in this schema', target === '#' ? 2 : 1));
    case 'required': {
      const properties = spot.valueAt([...schemaPath, 'properties']);
      return isItem && isObject(properties)
        ? notListed(
            spot,
            Object.keys(properties).map((name) => plain(name, 'field')),
          )
        : undefined;
    }
    case 'enum': {
      const values = enumsOf(spot, root, schemaPath);
      return isItem
        ? notListed(
            spot,
            values.map((value) => ofValue(value, 'in enums')),
          )
        : undefined;
    }
    case 'default':
    case 'const': {
      const schema = spot.valueAt(schemaPath);
      return isObject(schema) ? listOf(schema.enum).map((value) => ofValue(value, 'in enum')) : undefined;
    }
    default:
      return undefined;
  }
}

/** The values that `enums` lists for the field that is described at a path, itself or its items. */
function enumsOf(spot: Spot, root: Path, schemaPath: Path): readonly Json[] {
  const inside = schemaPath.slice(root.length);
  const isField = inside[0] === 'properties' && (inside.length === 2 || (inside.length === 3 && inside[2] === 'items'));
  return isField ? listOf(spot.valueAt([...root.slice(0, -1), 'enums', inside[1] as string])) : [];
}

/** The values and defaults of a schema. With `hasNames`, its examples are left out, since they name nothing in the project. */
function schemaValues(spot: Spot, schema: JsonObject, hasNames: boolean): readonly Suggestion[] {
  const suggestions: Suggestion[] = [];
  const types = typesOf(schema);
  // A schema that allows only one of the two has a const in its condition.
  const isEither = types.includes('boolean') && !(isObject(schema.then) && schema.then.const !== undefined);
  const values = valuesOf(schema) ?? (isEither ? [true, false] : []);
  for (const value of values) {
    const isDefault = value === schema.default;
    suggestions.push({ ...ofValue(value, isDefault ? 'default' : ''), kind: CompletionItemKind.EnumMember, rank: isDefault ? 3 : 2 });
  }
  const isNumber = types.includes('integer') || types.includes('number');
  if (isNumber && typeof schema.default === 'number') suggestions.push(ofValue(schema.default, 'default', 3));
  if (isNumber || (!hasNames && schema.pattern !== undefined && isAddress(schema))) {
    for (const example of listOf(schema.examples)) if (typeof example !== 'object') suggestions.push(ofValue(example, 'example', 4));
  }
  const takesNull = Array.isArray(schema.type) && schema.type.includes('null');
  if (takesNull && spot.cursor.quotes === 'none') suggestions.push(ofValue(null, 'removes the value of a lower layer', 7));
  return suggestions;
}

function isAddress({ pattern }: JsonObject): boolean {
  return typeof pattern === 'string' && pattern.includes('https?');
}

function plain(label: string, detail: string, rank = 1): Suggestion {
  return { type: 'value', label, value: json(label), kind: CompletionItemKind.Value, detail, rank };
}

function ofValue(value: Json, detail: string, rank = 1): Suggestion {
  const label = typeof value === 'string' ? value : JSON.stringify(value);
  return { type: 'value', label, value: json(value), kind: CompletionItemKind.Value, rank, ...(detail !== '' && { detail }) };
}
