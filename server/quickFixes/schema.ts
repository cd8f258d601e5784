import { parseConfigObject } from '../../core/config/parseConfigFile.js';
import { isObject, type Json, pointerOf, segmentsOf, valueAt } from '../../core/json.js';
import { applyReplacements, JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { RawJson } from '../../core/jsonText/jsonStyle.js';
import { namePattern } from '../../core/kinds.js';
import { validateKind } from '../../core/schema/kindValidators.js';
import { schemasAt, typesOf, valuesOf } from '../schemaDocs.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { editFix, lastOf, replaceFixes, shownValue, textIn } from './support.js';

/** Changes a value to the nearest one that the schema allows, adds a missing field, or removes a forbidden one. */
export const schema: QuickFix = {
  code: 'schema',
  fixes(finding, context) {
    const { pointer, data = {} } = finding;
    if (pointer.startsWith('/$ignore')) return [];
    const name = lastOf(pointer);
    const remove = editFix(context, `Remove ${JSON.stringify(name)}`, (edit) => edit.remove(pointer));
    const text = textIn(finding, 'text');
    switch (data.keyword) {
      case 'required': {
        const add = addFix(context, pointer, textIn(finding, 'missing') ?? '', textIn(finding, 'value'));
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
        const allowed = Array.isArray(data.allowed) ? (data.allowed as readonly Json[]).filter((value) => value !== null) : [];
        const best = allowed.filter((value) => JSON.stringify(value) === text);
        const others = replaceFixes(context, pointer, [...best, ...allowed.filter((value) => !best.includes(value))]);
        return others.map((fix, at) => (at === 0 && best.length > 0 ? { ...fix, preferred: true } : fix));
      }
      default:
        if (text === undefined || pointer === '') return [];
        return [
          editFix(
            context,
            `Change to ${text.length > 60 ? `${text.slice(0, 57)}...` : text}`,
            (edit) => edit.replace(pointer, new RawJson(text)),
            true,
          ),
        ];
    }
  },
};

/** Adds a missing field with the first candidate that validates. */
function addFix(context: FixContext, around: string, missing: string, value: string | undefined): Fix | undefined {
  const { file, document } = context;
  if (missing === '' || !isObject(valueAt(file.value, around))) return undefined;
  const { kind } = file.identity;
  const path = segmentsOf(around).map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
  const pointer = around + pointerOf(missing);
  const candidates = value === undefined ? candidatesFor(context, [...path, missing]) : [value];
  const isAccepted = (candidate: Json) => {
    const edited = parseConfigObject(applyReplacements(document.text, new JsonEdit(document.text).set(pointer, candidate).replacements()));
    return (
      edited !== undefined &&
      !validateKind(kind, edited).some((error) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`))
    );
  };
  const accepted = candidates.find(isAccepted);
  if (accepted === undefined) return undefined;
  const place = value === undefined ? {} : identityPlace(missing);
  return editFix(context, `Add ${JSON.stringify(missing)}: ${shownValue(accepted)}`, (edit) => edit.set(pointer, accepted, place), true);
}

function identityPlace(field: string): { readonly first?: boolean; readonly after?: readonly string[] } {
  return field === 'version' ? { after: ['agent_name', 'name', '$schema'] } : { after: ['$schema'] };
}

/** Candidates for the value of a field, the likeliest first. */
function candidatesFor({ project, file }: FixContext, path: readonly (string | number)[]): readonly Json[] {
  const places = schemasAt(file.identity.kind, path);
  const known = places.flatMap(({ schema: own }) => {
    const examples = Array.isArray(own.examples) ? (own.examples as readonly Json[]) : [];
    return [...(own.default === undefined ? [] : [own.default]), ...(valuesOf(own) ?? []), ...examples];
  });
  const name = String(path.at(-1));
  const types = places.flatMap(({ schema: own }) => typesOf(own));
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
    ...known,
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
  return namePattern.test(legal) ? legal : undefined;
}
