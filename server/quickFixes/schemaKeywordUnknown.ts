import { isObject, type Json, pointerOf, valueAt } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { metaSchemaErrors } from '../../core/schema/kindValidators.js';
import type { QuickFix } from './quickFix.js';
import { editFix, lastOf, shownValue, textIn, textsIn } from './support.js';

/** Renames a misspelt keyword; of one for another type, changes the type or removes it. */
export const schemaKeywordUnknown: QuickFix = {
  code: 'schema-keyword-unknown',
  fixes(finding, context) {
    const { pointer } = finding;
    const around = parentPointer(pointer) ?? '';
    const schema = valueAt(context.file.value, around);
    const type = textIn(finding, 'type');
    if (type !== undefined) {
      const remove = editFix(context, `Remove ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer));
      if (!mayHaveType(schema, type)) return [remove];
      const retype = editFix(context, `Change the type to ${shownValue(type)}`, (edit) => edit.replace(`${around}/type`, type), true);
      // Required names without the properties they are about would be the next finding.
      const isRequired = lastOf(pointer) === 'properties' && isObject(schema) && Object.hasOwn(schema, 'required');
      return isRequired ? [retype] : [retype, remove];
    }
    // Renaming to an existing key would lose one of the two values, and a keyword with another value is refused.
    const value = valueAt(context.file.value, pointer) ?? null;
    const isRefused = (name: string) => metaSchemaErrors({ [name]: value }, '2020-12').some((error) => error.pointer === pointerOf(name));
    const nearest = textsIn(finding, 'nearest').filter((name) => valueAt(schema, pointerOf(name)) === undefined && !isRefused(name));
    return nearest.map((name) =>
      editFix(context, `Rename to ${shownValue(name)}`, (edit) => edit.rename(pointer, name), nearest.length === 1),
    );
  },
};

/** A schema that lists properties, items or values says by that what its type is. */
function mayHaveType(schema: Json | undefined, type: string): boolean {
  if (!isObject(schema)) return false;
  if (Object.hasOwn(schema, 'properties')) return type === 'object';
  if (Object.hasOwn(schema, 'items')) return type === 'array';
  return !Object.hasOwn(schema, 'enum') && !Object.hasOwn(schema, 'const');
}
