import { collectReferences } from '../../core/config/references.js';
import { operators } from '../../core/generated/operators.js';
import { isObject, type Json, pointerOf, segmentsOf, valueAt } from '../../core/json.js';
import { RawJson } from '../../core/jsonText/jsonStyle.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { isLegalName } from '../../core/kinds.js';
import { nearestNames } from '../../core/names.js';
import { isUsable } from '../../core/routing/operators/operator.js';
import { schemasAt, typesOf, valuesOf } from '../schemaDocs.js';
import { renameFixes } from './keys.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { changeToFix, editedValue, editFix, formFaults, lastOf, replaceFixes, shownValue, textIn } from './support.js';

/** Changes a value to the nearest one that the schema allows, adds a missing field, or removes a forbidden one. */
export const schema: QuickFix = {
  code: 'schema',
  fixes(finding, context) {
    const { pointer, data = {} } = finding;
    if (pointer.startsWith('/$ignore')) return [];
    const name = lastOf(pointer);
    const remove = editFix(context, `Remove ${JSON.stringify(name)}`, (edit) => edit.remove(pointer));
    const text = textIn(finding, 'text');
    const ruleMeant = textIn(finding, 'replacement');
    // The name of a nonexistent rule.
    if (finding.target === 'key' && data.keyword === 'enum' && ruleMeant !== undefined) return renameFixes(context, pointer, [ruleMeant]);
    switch (data.keyword) {
      case 'required': {
        const missing = textIn(finding, 'missing') ?? '';
        // The field exists under a misspelt name, and a made-up value would be added beside it.
        const renames = misspelt(context, pointer, missing).flatMap((at) => renameFixes(context, at, [missing]));
        if (renames.length > 0) return renames;
        const add = addFix(context, pointer, missing);
        return add === undefined ? [] : [add];
      }
      case 'uniqueItems':
        return typeof data.first === 'number' ? [{ ...remove, title: 'Remove the repeated value', preferred: true }] : [];
      case 'false schema':
        return [{ ...remove, preferred: true }];
      case 'propertyNames': {
        const legal = legalName(name);
        return legal === undefined ||
          valueAt(context.file.value, pointer.slice(0, pointer.lastIndexOf('/')) + pointerOf(legal)) !== undefined
          ? []
          : [editFix(context, `Rename to ${JSON.stringify(legal)}`, (edit) => edit.rename(pointer, legal), true)];
      }
      case 'enum': {
        const listed = Array.isArray(data.allowed) ? (data.allowed as readonly Json[]).filter((value) => value !== null) : [];
        const allowed = name === 'operator' ? listed.filter((operator) => mayCompare(context, pointer, operator)) : listed;
        const best = allowed.filter((value) => JSON.stringify(value) === text);
        const others = replaceFixes(context, pointer, [...best, ...allowed.filter((value) => !best.includes(value))]);
        return others.map((fix, at) => (at === 0 && best.length > 0 ? { ...fix, preferred: true } : fix));
      }
      default:
        if (text === undefined || pointer === '' || namesNothing(context, pointer, text)) return [];
        return [changeToFix(context, pointer, text)];
    }
  },
};

/** Whether an operator can compare with the value beside it. */
function mayCompare({ file }: FixContext, pointer: string, name: Json): boolean {
  const operator = operators.find((other) => other.name === name);
  const value = valueAt(file.value, `${parentPointer(pointer) ?? ''}/value`);
  return operator === undefined || (operator.expects === undefined ? value === undefined : isUsable(operator, value));
}

/** Whether a text at a pointer would be a dangling reference: a number or boolean in place of a name was not meant as a name. */
function namesNothing(context: FixContext, pointer: string, text: string): boolean {
  const { path, identity } = context.file;
  const value = editedValue(context, (edit) => edit.replace(pointer, new RawJson(text)));
  if (typeof valueAt(value, pointer) !== 'string' || value === undefined) return false;
  const reference = collectReferences({ path, identity, value }).find((other) => other.pointer === pointer);
  if (reference === undefined) return false;
  const { kind, id } = reference;
  const { index } = context.project;
  if (kind === 'team' || kind === 'task') return true;
  return !index.ids(kind).has(id) && (kind !== 'agent' || index.versions(id).length === 0);
}

/** Unknown keys of an object that look like a missing field. */
function misspelt({ file }: FixContext, around: string, missing: string): readonly string[] {
  const unknown = file.schemaErrors.flatMap(({ pointer, keyword, params }) =>
    pointer === around && keyword === 'additionalProperties' ? [String(params.additionalProperty)] : [],
  );
  return nearestNames(missing, unknown, 1).map((key) => around + pointerOf(key));
}

/** Adds a missing field with the first candidate that validates. */
function addFix(context: FixContext, around: string, missing: string): Fix | undefined {
  const { file } = context;
  if (missing === '' || !isObject(valueAt(file.value, around))) return undefined;
  const path = segmentsOf(around).map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
  const pointer = around + pointerOf(missing);
  const candidates = candidatesFor(context, [...path, missing]);
  const isAccepted = (candidate: Json) => formFaults(context, pointer, (edit) => edit.set(pointer, candidate)).length === 0;
  const accepted = candidates.find(isAccepted);
  if (accepted === undefined) return undefined;
  return editFix(context, `Add ${JSON.stringify(missing)}: ${shownValue(accepted)}`, (edit) => edit.set(pointer, accepted));
}

/** Candidates for the value of a field, likeliest first. */
function candidatesFor({ project, file }: FixContext, path: readonly (string | number)[]): readonly Json[] {
  const places = schemasAt(file.identity.kind, path);
  const listed = places.flatMap(({ schema }) => {
    const examples = Array.isArray(schema.examples) ? (schema.examples as readonly Json[]) : [];
    return [...(schema.default === undefined ? [] : [schema.default]), ...(valuesOf(schema) ?? []), ...examples];
  });
  const name = String(path.at(-1));
  const types = places.flatMap(({ schema }) => typesOf(schema));
  const teams = Object.keys(isObject(file.value) && isObject(file.value.teams) ? file.value.teams : {});
  const [agent] = project.index.ids('agent').keys();
  const special: Readonly<Record<string, readonly Json[]>> = {
    entry_team: teams,
    teams: [{ first: { name: 'First', tasks: [{ name: 'work', agent: agent ?? 'Agent@v1' }], routing: { default: null } } }],
    tasks: [[{ name: 'work', agent: agent ?? 'Agent@v1' }]],
    routing: [{ default: null }],
    next_team: [null],
  };
  const byType: Readonly<Record<string, readonly Json[]>> = {
    string: [name, ''],
    object: [{}],
    array: [[]],
    boolean: [false],
    number: [0, 1],
    integer: [0, 1],
  };
  return [
    ...(Object.hasOwn(special, name) ? (special[name] ?? []) : []),
    ...listed,
    ...types.flatMap((type) => byType[type] ?? []),
    name,
    {},
    [],
    null,
  ];
}

function legalName(name: string): string | undefined {
  const legal = name
    .trim()
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
  return isLegalName(legal) ? legal : undefined;
}
