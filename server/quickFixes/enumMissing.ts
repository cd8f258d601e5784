import { isObject, pointerOf, valueAt } from '../../core/json.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, QuickFix } from './quickFix.js';
import { editFix, textIn, textsIn } from './support.js';

/** Copies the values of a field to the side that lacks them; renames or removes an entry of `enums` that fits no field. */
export const enumMissing: QuickFix = {
  code: 'enum-missing',
  fixes(finding, context) {
    const field = textIn(finding, 'field');
    if (field === undefined) return [];
    const values = textsIn(finding, 'values');
    const entry = pointerOf('enums', field);
    const own = context.file.value;
    const place = { after: ['output_schema'] };
    const remove = editFix(context, `Remove enums.${field}`, (edit) => edit.remove(entry));
    const hasEntry = valueAt(own, entry) !== undefined;
    switch (finding.data?.missing) {
      case 'enums':
        return [editFix(context, `Add enums.${field} with the values of the schema`, (edit) => edit.set(entry, values, place), true)];
      case 'enum': {
        const property = pointerOf('output_schema', 'properties', field);
        const schema = valueAt(own, property);
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
          .filter((name) => valueAt(own, pointerOf('enums', name)) === undefined)
          .map((name) => editFix(context, `Rename to ${JSON.stringify(name)}`, (edit) => edit.rename(entry, name), true));
        const define =
          isObject(valueAt(own, '/output_schema/properties')) && values.length > 0
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
