import { CompletionItemKind } from 'vscode-languageserver';
import { knownTools } from '../../core/config/knownTools.js';
import { mcpFiles } from '../../core/config/mcpFiles.js';
import { namesOf } from '../../core/config/toolChoice.js';
import { isObject, type Json, listOf } from '../../core/json.js';
import { providersWithKnownModels } from '../../core/llm/modelTable.js';
import { contextFieldsOf } from '../../core/rules/facts/contextFields.js';
import { allRuleCodes } from '../../core/rules/ruleNames.js';
import { endOf, memberOf, nodeAt, type Path, treeOf } from '../jsonTree.js';
import type { SchemaPlace } from '../schemaDocs.js';
import { contextPaths } from './conditions.js';
import { choice, type Draft, json, type ObjectDraft, object, openObject, raw, text } from './draft.js';
import { exampleKeys } from './examples.js';
import { expectedSchema, subjectOf } from './expectations.js';
import { teamForm } from './itemForms.js';
import { schemaRootAt } from './jsonSchema.js';
import { agentField, baseOf, type FieldPlace, fieldsIn, keysOfVersions, referredKeys, shortType, taskField, valuesFor } from './outputs.js';
import { type PayloadKey, payloadKeys } from './payloadKeys.js';
import { schemaDraft } from './schemaDraft.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';
import { eolOf, indentOf, indentUnitOf } from './toItem.js';
import { httpServer, stdioServer } from './wholeFiles.js';

/** Keys that are names: of output fields, rules, models, teams and input keys. Keys that the object has already are left out. */
export function namedKeys(spot: Spot, around: Path, places: readonly SchemaPlace[]): readonly Suggestion[] {
  const written = new Set(spot.cursor.siblings);
  return keysAt(spot, around, places).filter(
    (suggestion) => suggestion.type !== 'key' || typeof suggestion.key !== 'string' || !written.has(suggestion.key),
  );
}

function keysAt(spot: Spot, around: Path, places: readonly SchemaPlace[]): readonly Suggestion[] {
  const { kind } = spot;
  const [definition] = places.map((place) => place.definition);
  const name = around.at(-1);
  if (schemaRootAt(around) !== undefined) return name === 'properties' && isMap(places) ? propertyKeys(spot, around) : [];
  switch (definition) {
    case 'enums':
      return outputFields(spot, around, 'enums')
        .filter(({ values }) => values.some((value) => typeof value === 'string'))
        .map(enumKey);
    case 'defaults':
      return outputFields(spot, around, 'defaults').map(defaultKey);
    case 'ignore':
      return allRuleCodes.map((code) => ruleKey(code, raw('true')));
    default:
  }
  switch (kind) {
    case 'settings':
      return settingsKeys(spot, around);
    case 'system':
      return systemKeys(spot, around.join('/'));
    case 'orchestration':
      return orchestrationKeys(spot, around);
    case 'mcp':
    case 'rootMcp':
    case 'vscodeMcp':
      return name === mcpFiles[kind].key && around.length === 1 ? serverForms : [];
    case 'payload':
      return isOfCase(around) ? caseKeys(spot, String(name)) : [];
    case 'prompt':
      return around[0] === 'few_shot_examples' && around.length === 3 ? exampleKeys(spot, around[2]) : [];
    case 'agent':
    case 'persona':
      return isStepInput(around) ? stepInputKeys(spot, around) : [];
    default:
      return [];
  }
}

/** Whether the object maps names to schemas, so that its keys are not keywords of JSON Schema. */
function isMap(places: readonly SchemaPlace[]): boolean {
  return places.every(({ schema }) => schema.properties === undefined);
}

/** Whether a path leads to a field of a payload, of one of its cases, or of a turn. */
function isOfCase(around: Path): boolean {
  return /^(?:cases\/\d+\/)?(?:turns\/\d+\/)?[^/]+$/.test(around.join('/'));
}

/** Keys of the input of a case, and of its example answer. */
function caseKeys(spot: Spot, field: string): readonly Suggestion[] {
  if (field === 'input') return inputKeys(keysOfVersions(spot, spot.identity.agent ?? ''));
  if (field === 'context')
    return [...contextFieldsOf(subjectOf(spot)?.file.value ?? null, undefined)].map((label) => ({
      type: 'key',
      label,
      key: label,
      value: text(),
      kind: CompletionItemKind.Field,
      detail: 'of the context',
      rank: 1,
    }));
  const schema = field === 'expected' ? expectedSchema(spot, new Map()) : undefined;
  if (schema === undefined) return [];
  return fieldsIn({ schema, root: schema }).map((place) => defaultKey({ name: place.name, place, values: valuesFor(place) }));
}

function isStepInput(around: Path): boolean {
  return around.at(-1) === 'input' && around.at(-3) === 'steps' && around.includes('execution_plan');
}

/** The input keys of the agent or skill of a step. A key that the plan also has is filled from its input. */
function stepInputKeys(spot: Spot, around: Path): readonly Suggestion[] {
  const step = spot.valueAt(around.slice(0, -1));
  if (!isObject(step)) return [];
  const base = baseOf(around, 'execution_plan') ?? [];
  const inputNames = new Set(
    payloadKeys(agentField(spot, base, 'input_keys'), agentField(spot, base, 'input_schema')).map(({ name }) => name),
  );
  const keys =
    typeof step.agent === 'string' ? referredKeys(spot, step.agent) : payloadKeys(undefined, parametersOf(spot, base, step.skill));
  return inputKeys(keys, (key, schema) => (inputNames.has(key) ? text(`{{input.${key}}}`) : schemaDraft(schema)));
}

function parametersOf(spot: Spot, base: Path, skill: Json | undefined): Json | undefined {
  if (typeof skill !== 'string') return undefined;
  const ids = listOf(agentField(spot, base, 'client_ids')).filter((id) => typeof id === 'string');
  const { tools } = knownTools(spot.project.index, ids);
  return tools.find((tool) => namesOf({ name: tool.name, tool }).includes(skill))?.parameters;
}

interface NamedValues {
  readonly name: string;
  readonly place: FieldPlace;
  readonly values: readonly Json[];
}

function outputFields(spot: Spot, around: Path, field: 'enums' | 'defaults'): readonly NamedValues[] {
  const schema = agentField(spot, baseOf(around, field) ?? [], 'output_schema');
  if (schema === undefined) return [];
  return fieldsIn({ schema, root: schema }).map((place) => ({ name: place.name, place, values: valuesFor(place) }));
}

function enumKey({ name, place, values }: NamedValues): Suggestion {
  const texts = values.filter((value) => typeof value === 'string');
  return { type: 'key', label: name, key: name, value: json(texts), kind: CompletionItemKind.Enum, detail: shortType(place), rank: 1 };
}

function defaultKey({ name, place, values }: NamedValues): Suggestion {
  const isList = isObject(place.schema) && place.schema.type === 'array';
  const [first] = values;
  const value = first === undefined || isList ? schemaDraft(place.schema) : values.length === 1 ? json(first) : choiceOfJson(values);
  return { type: 'key', label: name, key: name, value, kind: CompletionItemKind.Field, detail: shortType(place), rank: 1 };
}

function choiceOfJson(values: readonly Json[]): Draft {
  return values.every((value) => typeof value === 'string')
    ? choice(values)
    : choice(
        values.map((value) => JSON.stringify(value)),
        'raw',
      );
}

function ruleKey(code: string, value: Draft): Suggestion {
  return {
    type: 'key',
    label: code,
    key: code,
    value,
    kind: CompletionItemKind.Keyword,
    detail: 'rule',
    docs: { type: 'rule', code },
    rank: 2,
  };
}

function settingsKeys(spot: Spot, around: Path): readonly Suggestion[] {
  if (around.length !== 1) return [];
  if (around[0] === 'rules') return allRuleCodes.map((code) => ruleKey(code, choice(['off', 'hint', 'info', 'warning', 'error'])));
  if (around[0] !== 'models') return [];
  const { models } = spot.project.ruleContext;
  const names = new Map<string, string>();
  for (const id of spot.project.index.ids('llm').keys()) {
    const model = spot.project.index.value('llm', id)?.model_name;
    if (typeof model === 'string') names.set(model, `used by ${id}`);
  }
  for (const provider of providersWithKnownModels) {
    for (const name of models.names(provider)) if (!names.has(name)) names.set(name, provider);
  }
  return [...names].map(([name, detail]) => keySuggestion(name, openObject, detail, detail.startsWith('used') ? 1 : 3));
}

function systemKeys({ project: { index } }: Spot, path: string): readonly Suggestion[] {
  const agents = () => [...new Set([...index.ids('agent').keys()].map((id) => id.slice(0, id.lastIndexOf('@'))))];
  const keys = (names: Iterable<string>, what: string) => [...names].map((name) => keySuggestion(name, openObject, what));
  if (path === 'llms') return keys(index.ids('llm').keys(), 'llm profile');
  if (path === 'agents') return keys(agents(), 'agent');
  return path === 'policy/agents' ? [...keys(agents(), 'agent'), ...keys(index.ids('orchestration').keys(), 'orchestration')] : [];
}

function orchestrationKeys(spot: Spot, around: Path): readonly Suggestion[] {
  if (around.length === 1 && around[0] === 'teams') return teamKeys(spot);
  if (around.at(-1) === 'context_updates') {
    return contextPaths(spot).flatMap((path) => (path.includes('.') ? [] : [keySuggestion(path, text(), 'context')]));
  }
  if (isStepInput(around)) return stepInputKeys(spot, around);
  if (around[0] !== 'teams' || around[2] !== 'tasks' || around[4] !== 'input' || around.length !== 5) return [];
  const task = around.slice(0, 4);
  const context = new Set(contextPaths(spot));
  return inputKeys(payloadKeys(taskField(spot, task, 'input_keys'), taskField(spot, task, 'input_schema')), (key) =>
    text(context.has(key) ? `{{context.${key}}}` : ''),
  );
}

/** Missing teams that something refers to, and a form for any other team. */
function teamKeys(spot: Spot): readonly Suggestion[] {
  const names = new Set<string>();
  const add = (value: Json | undefined) => {
    if (typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(value)) names.add(value);
  };
  add(spot.valueAt(['entry_team']));
  const teams = spot.valueAt(['teams']);
  for (const team of isObject(teams) ? Object.values(teams) : []) {
    if (!isObject(team) || !isObject(team.routing)) continue;
    add(team.routing.default);
    for (const rule of listOf(team.routing.rules)) if (isObject(rule)) add(rule.next_team);
  }
  const form: Suggestion = {
    type: 'key',
    label: 'new team',
    key: text(spot.cursor.typed === '' ? 'team' : spot.cursor.typed),
    value: teamForm(spot, 'Team'),
    kind: CompletionItemKind.Snippet,
    detail: 'a team with one task',
    rank: 3,
  };
  return [...[...names].map((name) => keySuggestion(name, teamForm(spot, name), 'referenced, not defined yet')), form];
}

const serverForms: readonly Suggestion[] = [
  {
    type: 'key',
    label: 'stdio server',
    key: text('memory'),
    value: stdioServer,
    kind: CompletionItemKind.Snippet,
    detail: 'a program that is started',
    rank: 1,
  },
  {
    type: 'key',
    label: 'http server',
    key: text('docs'),
    value: httpServer,
    kind: CompletionItemKind.Snippet,
    detail: 'an address',
    rank: 1,
  },
];

function inputKeys(keys: readonly PayloadKey[], valueFor?: (key: string, schema: Json | undefined) => Draft): readonly Suggestion[] {
  return keys.map(({ name, schema, required }) => ({
    type: 'key',
    label: name,
    key: name,
    value: valueFor?.(name, schema) ?? schemaDraft(schema),
    kind: CompletionItemKind.Field,
    detail: required ? 'required' : 'input',
    rank: required ? 0 : 2,
  }));
}

/** Fields that `required`, `enums` or `defaults` name and `properties` lacks, and forms for new fields. */
function propertyKeys(spot: Spot, around: Path): readonly Suggestion[] {
  const root = schemaRootAt(around) ?? [];
  const isTop = root.length === around.length - 1 && root.at(-1) === 'output_schema';
  const base = root.slice(0, -1);
  const enums = isTop ? spot.valueAt([...base, 'enums']) : undefined;
  const defaults = isTop ? spot.valueAt([...base, 'defaults']) : undefined;
  const names = new Map<string, string>();
  for (const name of listOf(spot.valueAt([...around.slice(0, -1), 'required']))) if (typeof name === 'string') names.set(name, 'required');
  for (const name of isObject(enums) ? Object.keys(enums) : []) names.set(name, names.get(name) ?? 'in enums');
  for (const name of isObject(defaults) ? Object.keys(defaults) : []) names.set(name, names.get(name) ?? 'in defaults');
  const suggestions = [...names].map(([name, detail]): Suggestion => {
    const values = isObject(enums) && Object.hasOwn(enums, name) ? enums[name] : undefined;
    const more = Array.isArray(values) ? [['enum', json(values)] as const] : [];
    return keySuggestion(name, object(['type', json('string')], ...more, ['description', text()]), detail);
  });
  return [...suggestions, ...propertyForms(spot, isTop ? base : undefined)];
}

/** @param base path of the agent fields whose `enums` get an entry along with an enum field; undefined below the top level */
function propertyForms(spot: Spot, base: Path | undefined): readonly Suggestion[] {
  const { typed } = spot.cursor;
  const name = typed === '' ? 'field' : typed;
  const form = (label: string, value: Draft, detail: string): Suggestion => ({
    type: 'key',
    label: typed === '' ? label : `${typed} (${label})`,
    key: text(name),
    value,
    kind: CompletionItemKind.Snippet,
    detail,
    rank: 4,
  });
  const described = (...members: ObjectDraft['members']) => object(...members, ['description', text()]);
  const also = base === undefined ? undefined : enumEntry(spot, base, name, ['first', 'second']);
  return [
    // The entry in enums cannot follow a tab stop, so the name is inserted as plain text.
    {
      ...form(
        'enum field',
        described(['type', json('string')], ['enum', json(['first', 'second'])]),
        base === undefined ? 'one of several values' : 'with its entry in enums',
      ),
      ...(also !== undefined && { key: name, also }),
    },
    form('text field', described(['type', json('string')]), 'a text'),
    form('number field', described(['type', choice(['number', 'integer'])]), 'a number'),
    form('yes/no field', described(['type', json('boolean')]), 'true or false'),
    form('list field', described(['type', json('array')], ['items', object(['type', text('string')])]), 'several values'),
    form(
      'object field',
      object(['type', json('object')], ['additionalProperties', json(false)], ['required', json([])], ['properties', openObject]),
      'fields inside a field',
    ),
  ];
}

function keySuggestion(key: string, value: Draft, detail: string, rank = 1): Suggestion {
  return { type: 'key', label: key, key, value, kind: CompletionItemKind.Field, detail, rank };
}

/**
 * The edits that add `"name": [values]` to the `enums` beside an output_schema, and create `enums` when it is missing. Undefined when the
 * field has an entry already, or when the text is too broken to tell where it belongs.
 */
function enumEntry(spot: Spot, base: Path, name: string, values: readonly string[]): Suggestion['also'] {
  const { text, offset } = spot;
  const { root, open } = treeOf(spot.document);
  const enums = nodeAt(root, [...base, 'enums']);
  const entry = `${JSON.stringify(name)}: [${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  const eol = eolOf(text);
  const indent = indentUnitOf(text);
  if (enums === undefined) {
    const schema = nodeAt(root, [...base, 'output_schema']);
    if (schema?.type !== 'object' || open.has(schema.offset) || offset >= endOf(schema)) return undefined;
    const line = indentOf(text, schema.offset);
    return [{ offset: endOf(schema), text: `,${eol}${line}"enums": {${eol}${line}${indent}${entry}${eol}${line}}` }];
  }
  if (enums.type !== 'object' || memberOf(enums, name) !== undefined || open.has(enums.offset)) return undefined;
  let end = endOf(enums) - 1;
  while (/\s/.test(text[end - 1] ?? '')) end -= 1;
  const isEmpty = end === enums.offset + 1;
  const isOnOneLine = !/[\r\n]/.test(text.slice(enums.offset, endOf(enums)));
  const separator = isOnOneLine ? ' ' : `${eol}${indentOf(text, enums.offset)}${indent}`;
  return [{ offset: end, text: `${isEmpty ? '' : ','}${separator}${entry}${isEmpty && isOnOneLine ? ' ' : ''}` }];
}
