import { type Json, pointerOf, segmentsOf, valueAt } from '../../core/json.js';
import type { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import type { QuickFix } from './quickFix.js';
import { editFix, shownValue } from './support.js';

/** Removes one of two values that differ only in letter case, from `enums` and from the schema. */
export const enumCaseCollision: QuickFix = {
  code: 'enum-case-collision',
  fixes({ pointer, data }, context) {
    const list = valueAt(context.file.value, parentPointer(pointer) ?? '');
    const first = data?.first;
    if (!Array.isArray(list) || typeof first !== 'number') return [];
    const [one, other] = [list[first] as Json | undefined, valueAt(context.file.value, pointer)];
    if (one === undefined || other === undefined) return [];
    const fix = (value: Json) =>
      editFix(context, `Remove ${shownValue(value)}`, (edit) => removeBoth(edit, context.file.value, pointer, value));
    return [fix(other), fix(one)];
  },
};

/** Removes a value from the list, and from the other list of the same field. */
function removeBoth(edit: JsonEdit, root: Json | undefined, pointer: string, value: Json): void {
  const own = parentPointer(pointer) ?? '';
  const [section, field] = segmentsOf(pointer);
  const lists = [own];
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
