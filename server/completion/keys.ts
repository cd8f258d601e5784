import { CompletionItemKind } from 'vscode-languageserver';
import type { JsonObject } from '../../core/json.js';
import { type SchemaPlace, schemaIdOf, schemasAt, typesOf } from '../schemaDocs.js';
import { conditionKeyRank } from './conditions.js';
import { type Draft, json, text } from './draft.js';
import { expectationKeyRank, expecting } from './expectations.js';
import { draftOfField } from './fieldDrafts.js';
import { type FittingField, fittingFields } from './fittingFields.js';
import { keywordFits } from './jsonSchema.js';
import { namedKeys } from './namedKeys.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';

/** The keys that fit at the cursor: missing fields of the schema, and names from the file or the project. */
export function provideKeys(spot: Spot): readonly Suggestion[] {
  const around = spot.path.slice(0, -1);
  const places = schemasAt(spot.kind, around, spot.optionsProvider);
  const nameKeys = namedKeys(spot, around, places);
  const labels = new Set(nameKeys.map(({ label }) => label));
  const fields = schemaFields(spot, places).filter(({ label }) => !labels.has(label));
  const keys = [...nameKeys, ...fields];
  // A key with a value is only renamed, so forms that insert a value do not fit.
  return spot.cursor.hasColon
    ? keys.filter((suggestion) => suggestion.type === 'key' && typeof suggestion.key === 'string' && suggestion.also === undefined)
    : keys;
}

function schemaFields(spot: Spot, places: readonly SchemaPlace[]): readonly Suggestion[] {
  const { cursor, kind, path, optionsProvider: provider } = spot;
  const scalarAt = (key: string) => spot.members().get(key);
  const fields = fittingFields(places, { keys: cursor.siblings, scalarAt });
  const isCondition = places.some(({ definition }) => definition === 'condition' || definition === 'condition_term');
  const isExpectation = places.some(({ definition }) => expecting.has(definition));
  const isSchema = places.some(
    ({ definition }) => definition === 'json-schema#' || definition === 'output_schema' || definition === 'input_schema',
  );
  const likely = isSchema ? undefined : (likelyFields[kind] ?? []);
  const suggestions: Suggestion[] = [];
  for (const field of fields) {
    const { name, schema } = field;
    let rank = rankOf(field, path.length === 1 ? likely : undefined);
    if (isCondition || isExpectation) {
      const ofCondition = isExpectation ? expectationKeyRank(name, spot) : conditionKeyRank(name, spot);
      if (ofCondition === undefined) continue;
      rank = ofCondition;
    } else if (isSchema) {
      const fits = keywordFits(field, spot);
      if (fits === undefined) continue;
      rank = fits;
    }
    suggestions.push({
      type: 'key',
      label: name,
      key: name,
      // A key with a colon keeps its value.
      value: cursor.hasColon ? json(null) : valueFor(spot, name, schema),
      kind: CompletionItemKind.Property,
      detail: detailOf(field),
      docs: { type: 'field', kind, path: [...path.slice(0, -1), name], ...(provider !== undefined && { provider }) },
      rank,
    });
  }
  return suggestions;
}

function valueFor(spot: Spot, name: string, schema: JsonObject): Draft {
  if (spot.path.length === 1) {
    const identityDraft = identityField(spot, name);
    if (identityDraft !== undefined) return identityDraft;
    if (name === '$schema') return json(schemaIdOf(spot.kind));
  }
  return draftOfField(spot, name, schema);
}

/** A field that must equal the path. */
function identityField({ kind, identity }: Spot, name: string): Draft | undefined {
  const names: Readonly<Record<string, string | undefined>> =
    kind === 'agent'
      ? { agent_name: identity.name, version: identity.version }
      : kind === 'llm'
        ? { llm_id: identity.name }
        : kind === 'prompt'
          ? { name: identity.name, version: identity.version }
          : kind === 'orchestration'
            ? { name: identity.name }
            : {};
  const value = Object.hasOwn(names, name) ? names[name] : undefined;
  return value === undefined ? undefined : text(value);
}

function rankOf({ name, need }: FittingField, likely: readonly string[] | undefined): number {
  if (name.startsWith('$')) return 8;
  if (need === 'required') return 0;
  if (need === 'one-of') return 1;
  return likely?.includes(name) ? 2 : 4;
}

/** Fields that nearly every file of a kind has. */
const likelyFields: Readonly<Record<string, readonly string[]>> = {
  agent: [
    'agent_name',
    'version',
    'mode',
    'system_text',
    'purpose_text',
    'user_text',
    'input_keys',
    'output_schema',
    'llm_config_id',
    'model_name',
  ],
  persona: ['system_text', 'purpose_text', 'description'],
  llm: ['llm_id', 'provider', 'model_name', 'api_key'],
  prompt: ['name', 'version', 'variables', 'few_shot_examples'],
  orchestration: ['name', 'context'],
  system: ['agent_defaults'],
  payload: ['expect', 'cases', 'turns'],
};

function detailOf({ schema, need }: FittingField): string {
  const types = typesOf(schema).join(' | ');
  if (need !== 'required') return types;
  return types === '' ? 'required' : `${types}, required`;
}
