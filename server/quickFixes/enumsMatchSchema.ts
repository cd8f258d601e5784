import { isObject, type Json, valueAt } from '../../core/json.js';
import type { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { textIn, textsIn } from './support.js';

/** Copies the values of a field from `enums` to the schema or back. Common values keep their place. */
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
  // A renamed value usually stands at the same place in both lists, so it is replaced there.
  for (const index of surplus) {
    const value = pending.shift();
    if (value === undefined) edit.remove(`${pointer}/${index}`);
    else edit.replace(`${pointer}/${index}`, value);
  }
  for (const value of pending) edit.insertItem(pointer, value);
}
