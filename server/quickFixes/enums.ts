import type { PlacedFinding } from '../../core/finding.js';
import { isObject, type Json, pointerOf, segmentsOf, valueAt } from '../../core/json.js';
import type { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { editFix, lastOf, shownValue, textIn, textsIn } from './support.js';

/** Copies the values of a field from `enums` to the schema or vice versa. Common values keep their place. */
export const enumsMatchSchema: QuickFix = {
  code: 'enums-match-schema',
  fixes(finding, context) {
    const field = textIn(finding, 'field') ?? '';
    const [inEnums, inSchema] = [textIn(finding, 'enumsPointer'), textIn(finding, 'schemaPointer')];
    if (inEnums === undefined || inSchema === undefined) return [];
    const [onlyInEnums, onlyInSchema] = [textsIn(finding, 'onlyInEnums'), textsIn(finding, 'onlyInSchema')];
    const { related = [] } = finding;
    // Either side may be in a lower layer; a related place then names its file.
    const fileOf = (pointer: string) => related.find((place) => place.pointer === pointer)?.file ?? context.file.path;
    const toEnums = { path: fileOf(inEnums), pointer: inEnums, add: onlyInSchema, remove: onlyInEnums };
    const toSchema = { path: fileOf(inSchema), pointer: inSchema, add: onlyInEnums, remove: onlyInSchema };
    return [
      ...copyFixes(`Copy the values of the schema to enums.${field}`, context, toEnums),
      ...copyFixes(`Copy the values of enums.${field} to the schema`, context, toSchema),
    ];
  },
};

interface Copy {
  readonly path: string;
  readonly pointer: string;
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

function copyFixes(title: string, { project }: FixContext, { path, pointer, add, remove }: Copy): readonly Fix[] {
  const list = valueAt(project.documentAt(path)?.config?.value, pointer);
  // A `const` or a choice of schemas (`anyOf`) is not a list to write to.
  if (!Array.isArray(list) || list.some((item) => isObject(item))) return [];
  return [{ title, changes: () => editJson(project, path, (edit) => copyValues(list, { edit, pointer, add, remove })) }];
}

interface Copying extends Omit<Copy, 'path'> {
  readonly edit: JsonEdit;
}

function copyValues(list: readonly Json[], { edit, pointer, add, remove }: Copying): void {
  const gone = new Set<Json>(remove);
  const surplus = list.flatMap((value, index) => (gone.has(value) ? [index] : []));
  const pending = [...add];
  // A renamed value usually has the same place in both lists, so it is replaced there.
  for (const index of surplus) {
    const value = pending.shift();
    if (value === undefined) edit.remove(`${pointer}/${index}`);
    else edit.replace(`${pointer}/${index}`, value);
  }
  for (const value of pending) edit.insertItem(pointer, value);
}

/** Removes the repeated value. */
export const enumDuplicateValue: QuickFix = { code: 'enum-duplicate-value', fixes: removeRepeat };

/** Removes a repeated item of a list. */
function removeRepeat({ pointer }: PlacedFinding, context: FixContext): readonly Fix[] {
  const value = valueAt(context.file.value, pointer);
  if (value === undefined) return [];
  return [editFix(context, `Remove ${shownValue(value)} here`, (edit) => edit.remove(pointer), true)];
}

/** Removes an entry of `enums` without values. */
export const enumEmpty: QuickFix = {
  code: 'enum-empty',
  fixes: ({ pointer }, context) => [editFix(context, `Remove enums.${lastOf(pointer)}`, (edit) => edit.remove(pointer), true)],
};

/** Removes one of two values that differ only in letter case, from `enums` and from the schema. */
export const enumCaseCollision: QuickFix = {
  code: 'enum-case-collision',
  fixes({ pointer, data }, context) {
    const list = valueAt(context.file.value, parentPointer(pointer) ?? '');
    const first = data?.first;
    if (!Array.isArray(list) || typeof first !== 'number') return [];
    const [earlier, other] = [list[first] as Json | undefined, valueAt(context.file.value, pointer)];
    if (earlier === undefined || other === undefined) return [];
    const fix = (value: Json) =>
      editFix(context, `Remove ${shownValue(value)}`, (edit) => removeBoth(edit, context.file.value, pointer, value));
    return [fix(other), fix(earlier)];
  },
};

/** Removes a value from the list, and from the other list of the same field. */
function removeBoth(edit: JsonEdit, root: Json | undefined, pointer: string, value: Json): void {
  const ownList = parentPointer(pointer) ?? '';
  const [section, field] = segmentsOf(pointer);
  const lists = [ownList];
  if (section === 'enums' && field !== undefined) {
    const property = pointerOf('output_schema', 'properties', field);
    lists.push(`${property}/enum`, `${property}/items/enum`);
  } else {
    const [, properties, name, ...rest] = segmentsOf(pointer);
    const isField = properties === 'properties' && (rest.length === 2 || (rest[0] === 'items' && rest.length === 3));
    if (isField && name !== undefined) lists.push(pointerOf('enums', name));
  }
  for (const at of new Set(lists)) {
    const list = valueAt(root, at);
    if (!Array.isArray(list)) continue;
    list.forEach((item: Json, index) => {
      if (item === value) edit.remove(`${at}/${index}`);
    });
  }
}

/** Copies the values of a field to the side that lacks them; renames or removes an entry of `enums` that fits no field. */
export const enumMissing: QuickFix = {
  code: 'enum-missing',
  fixes(finding, context) {
    const field = textIn(finding, 'field');
    if (field === undefined) return [];
    const values = textsIn(finding, 'values');
    const entry = pointerOf('enums', field);
    const root = context.file.value;
    const place = { after: ['output_schema'] };
    const remove = editFix(context, `Remove enums.${field}`, (edit) => edit.remove(entry));
    const hasEntry = valueAt(root, entry) !== undefined;
    switch (finding.data?.missing) {
      case 'enums':
        return [editFix(context, `Add enums.${field} with the values of the schema`, (edit) => edit.set(entry, values, place), true)];
      case 'enum': {
        const property = pointerOf('output_schema', 'properties', field);
        const schema = valueAt(root, property);
        if (!isObject(schema) || values.length === 0) return hasEntry ? [remove] : [];
        const isList = schema.type === 'array' || isObject(schema.items);
        const hasEnum = [schema, schema.items].some((part) => isObject(part) && part.enum !== undefined);
        const add: Fix = {
          title: hasEnum
            ? `Replace the enum of ${field} in the schema with these values`
            : `Add an enum with these values to ${field} in the schema`,
          preferred: true,
          changes: () =>
            editJson(context.project, context.file.path, (edit) => {
              if (isList && !isObject(schema.items)) edit.set(`${property}/items`, { type: 'string', enum: values });
              else edit.set(`${isList ? `${property}/items` : property}/enum`, values, { after: ['type'] });
              const typed = isList ? schema.items : schema;
              if (isObject(typed) && typed.type === undefined)
                edit.set(`${isList ? `${property}/items` : property}/type`, 'string', { first: true });
            }),
        };
        return hasEntry ? [add, remove] : [add];
      }
      case 'property': {
        if (!hasEntry) return [];
        const renames = textsIn(finding, 'nearest')
          .filter((name) => valueAt(root, pointerOf('enums', name)) === undefined)
          .map((name) => editFix(context, `Rename to ${JSON.stringify(name)}`, (edit) => edit.rename(entry, name), true));
        const define =
          isObject(valueAt(root, '/output_schema/properties')) && values.length > 0
            ? [
                editFix(context, `Add the field ${JSON.stringify(field)} to the schema`, (edit) =>
                  edit.set(pointerOf('output_schema', 'properties', field), { type: 'string', enum: values }),
                ),
              ]
            : [];
        return [...renames.slice(0, 1), ...renames.slice(1).map(({ preferred: _one, ...fix }) => fix), ...define, remove];
      }
      default:
        return [];
    }
  },
};
