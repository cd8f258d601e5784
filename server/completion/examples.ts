import { CompletionItemKind } from 'vscode-languageserver';
import { json, text } from './draft.js';
import { type FieldPlace, fieldsIn, referredField, shortType, valuesFor } from './outputs.js';
import { choiceOf, schemaDraft } from './schemaDraft.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';
import { keysOfUsers, usersOf } from './templates.js';

/** The keys of an example's input or output, taken from the agents that use the prompt. */
export function exampleKeys(spot: Spot, half: string | number | undefined): readonly Suggestion[] {
  if (half === 'input') {
    return keysOfUsers(spot).map(({ name }) => ({
      type: 'key',
      label: name,
      key: name,
      value: text(),
      kind: CompletionItemKind.Field,
      detail: 'input',
      rank: 1,
    }));
  }
  if (half !== 'output') return [];
  return outputsOfUsers(spot).map((place) => {
    const values = valuesFor(place);
    const isList = shortType(place).endsWith('[]');
    const value = values.length > 0 && !isList ? choiceOf(values) : schemaDraft(place.schema);
    return {
      type: 'key',
      label: place.name,
      key: place.name,
      value,
      kind: CompletionItemKind.Field,
      detail: shortType(place),
      rank: place.required ? 0 : 1,
    };
  });
}

/** Values of a field of an example's output. */
export function exampleValues(spot: Spot, name: string | number | undefined): readonly Suggestion[] {
  const place = outputsOfUsers(spot).find((field) => field.name === name);
  if (place === undefined) return [];
  return valuesFor(place).map((value) => ({
    type: 'value',
    label: typeof value === 'string' ? value : JSON.stringify(value),
    value: json(value),
    kind: CompletionItemKind.EnumMember,
    rank: 1,
  }));
}

/** The output fields of all agents that use a prompt. When several agents have a field of the same name, the first one counts. */
function outputsOfUsers(spot: Spot): readonly (FieldPlace & { readonly name: string; readonly required: boolean })[] {
  const fields = new Map<string, ReturnType<typeof fieldsIn>[number]>();
  for (const id of usersOf(spot)) {
    const schema = referredField(spot, id, 'output_schema');
    if (schema === undefined) continue;
    for (const field of fieldsIn({ schema, root: schema })) if (!fields.has(field.name)) fields.set(field.name, field);
  }
  return [...fields.values()];
}
