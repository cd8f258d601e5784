import { CompletionItemKind } from 'vscode-languageserver';
import type { JsonObject } from '../../core/json.js';
import { jsonSchemaTypes } from '../jsonSchemaWords.js';
import { type SchemaPlace, typesOf } from '../schemaDocs.js';
import { choice, type Draft, object, openList, openObject } from './draft.js';
import { draftOfField } from './fieldDrafts.js';
import { itemForms } from './itemForms.js';
import { schemaDraft } from './schemaDraft.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';

/** Lists and objects: the forms for this place, or the draft of the field. */
export function valueForms(spot: Spot, places: readonly SchemaPlace[]): readonly Suggestion[] {
  const { cursor, path } = spot;
  if (cursor.quotes !== 'none') return [];
  const suggestions: Suggestion[] = [...itemForms(spot, places)];
  const ofObject = places.find(({ schema }) => typesOf(schema).includes('object'));
  if (ofObject !== undefined && suggestions.length === 0) suggestions.push(objectForm(spot, ofObject));
  if (places.some(({ schema }) => typesOf(schema).includes('array'))) {
    const key = path.at(-1);
    const draft = typeof key === 'string' ? draftOfField(spot, key, { type: 'array' }) : openList;
    suggestions.push(form('[ ]', 'items' in draft ? draft : openList, 3));
  }
  return suggestions;
}

function objectForm(spot: Spot, { schema, definition }: SchemaPlace): Suggestion {
  if (definition === 'json-schema#') return form('{ }', object(['type', choice(jsonSchemaTypes)]), 1);
  const key = spot.path.at(-1);
  const ofObject: JsonObject = { ...schema, type: 'object' };
  const draft = typeof key === 'string' ? draftOfField(spot, key, ofObject) : schemaDraft(ofObject);
  return form('{ }', 'members' in draft ? draft : openObject, 3);
}

function form(label: string, value: Draft, rank: number): Suggestion {
  return { type: 'value', label, value, kind: CompletionItemKind.Struct, rank };
}
