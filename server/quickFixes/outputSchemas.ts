import { isObject, type Json, pointerOf, valueAt } from '../../core/json.js';
import { editTowards } from '../../core/jsonText/editTowards.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { metaSchemaErrors } from '../../core/schema/kindValidators.js';
import { editJson } from '../edits/fileChange.js';
import { toStrictForm } from '../edits/strictForm.js';
import type { QuickFix } from './quickFix.js';
import { changeToFix, editFix, lastOf, replaceFixes, shownValue, textIn, textsIn } from './support.js';

/** Replaces a required name with a defined one, defines it, or removes it. */
export const requiredUndefined: QuickFix = {
  code: 'required-undefined',
  fixes(finding, context) {
    const { pointer } = finding;
    const name = textIn(finding, 'name');
    const list = parentPointer(pointer) ?? '';
    const schema = parentPointer(list) ?? '';
    const required = valueAt(context.file.value, list);
    if (name === undefined || !Array.isArray(required)) return [];
    const nearest = textsIn(finding, 'nearest').filter((other) => !required.includes(other));
    const fixes = [...replaceFixes(context, pointer, nearest)];
    const properties = valueAt(context.file.value, `${schema}/properties`);
    if (isObject(valueAt(context.file.value, schema)) && (properties === undefined || isObject(properties)))
      fixes.push(
        editFix(context, `Define ${JSON.stringify(name)} as a text`, (edit) =>
          edit.set(`${schema}/properties${pointerOf(name)}`, { type: 'string' }, { after: ['properties'] }),
        ),
      );
    fixes.push(editFix(context, `Remove ${JSON.stringify(name)} from required`, (edit) => edit.remove(pointer)));
    return fixes;
  },
};

/** Changes an illegal value of a keyword to the nearest legal one, and a dangling `$ref` to a similar definition. */
export const outputSchemaInvalid: QuickFix = {
  code: 'output-schema-invalid',
  fixes(finding, context) {
    const { pointer } = finding;
    if (valueAt(context.file.value, pointer) === undefined) return [];
    const text = textIn(finding, 'text');
    if (text !== undefined && finding.target !== 'key') return [changeToFix(context, pointer, text)];
    return pointer.endsWith('/$ref') ? replaceFixes(context, pointer, textsIn(finding, 'nearest')) : [];
  },
};

/** Changes a default that its schema rejects to the nearest legal value, or removes it. */
export const defaultFitsSchema: QuickFix = {
  code: 'default-fits-schema',
  fixes(finding, context) {
    const { pointer } = finding;
    // A finding on a reference concerns a default in a lower layer.
    const isOwn = /^\/defaults\/|\/default(?:\/|$)/.test(pointer);
    if (!isOwn || valueAt(context.file.value, pointer) === undefined) return [];
    const text = textIn(finding, 'text');
    const whole = pointer.startsWith('/defaults/')
      ? `/${pointer.split('/').slice(1, 3).join('/')}`
      : pointer.replace(/(\/default)(?:\/.*)?$/, '$1');
    const remove = editFix(context, 'Remove the default', (edit) => edit.remove(whole));
    const fitting = Array.isArray(finding.data?.fitting) ? (finding.data.fitting as readonly Json[]) : [];
    if (text === undefined) return [...replaceFixes(context, pointer, fitting), remove];
    return [changeToFix(context, pointer, text), remove];
  },
};

/** Renames a default of an unknown field to a known one, or removes it. */
export const defaultUnknownField: QuickFix = {
  code: 'default-unknown-field',
  fixes(finding, context) {
    const { pointer } = finding;
    if (!pointer.startsWith('/defaults/')) return [];
    const renames = textsIn(finding, 'nearest')
      .filter((name) => valueAt(context.file.value, pointerOf('defaults', name)) === undefined)
      .map((name, index) => editFix(context, `Rename to ${JSON.stringify(name)}`, (edit) => edit.rename(pointer, name), index === 0));
    return [...renames, editFix(context, `Remove the default of ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer))];
  },
};

/** Rewrites the schema in the form that the provider's strict mode accepts. The title names the keywords that are lost. */
export const schemaPortability: QuickFix = {
  code: 'schema-portability',
  fixes({ related = [], data = {} }, { project, file }) {
    const path = related[0]?.file ?? file.path;
    const at = '/output_schema';
    const root = project.documentAt(path)?.config?.value;
    const schema = valueAt(root, at);
    if (!isObject(schema)) return [];
    const fineTuned =
      Array.isArray(data.violations) &&
      data.violations.some(({ message }: { message?: unknown }) => String(message).includes('fine-tuned'));
    const form = toStrictForm(schema, { fineTuned });
    const total = Array.isArray(data.violations) ? data.violations.length : form.left.length;
    if (form.left.length >= total) return [];
    const costs = [
      ...(form.dropped.length > 0 ? [`without ${form.dropped.join(', ')}`] : []),
      ...(form.left.length > 0 ? [`${form.left.length} ${form.left.length === 1 ? 'place stays' : 'places stay'}`] : []),
      ...(path === file.path ? [] : [`in ${path}`]),
    ];
    const title = `Rewrite the schema to the strict form${costs.length > 0 ? ` (${costs.join('; ')})` : ''}`;
    const changes = () => editJson(project, path, (edit) => editTowards(edit, at, schema as Json, form.schema));
    return [{ title, ...(form.left.length === 0 && { preferred: true }), changes }];
  },
};

/** Renames a misspelt keyword; for a keyword of another type, changes the type or removes the keyword. */
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
      // Required names without their properties would be the next finding.
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

/** The properties, items or values that a schema lists imply its type. */
function mayHaveType(schema: Json | undefined, type: string): boolean {
  if (!isObject(schema)) return false;
  if (Object.hasOwn(schema, 'properties')) return type === 'object';
  if (Object.hasOwn(schema, 'items')) return type === 'array';
  return !Object.hasOwn(schema, 'enum') && !Object.hasOwn(schema, 'const');
}

/** Moves values that are meant for the items, changes a type to that of the values, adds the null that is missing, or exchanges two bounds. */
export const schemaUnsatisfiable: QuickFix = {
  code: 'schema-unsatisfiable',
  fixes(finding, context) {
    const { pointer } = finding;
    const lacksNull = textIn(finding, 'lacksNull');
    if (lacksNull !== undefined) {
      const at = `${parentPointer(parentPointer(pointer) ?? '') ?? ''}/${lacksNull}`;
      const value = valueAt(context.file.value, at);
      const word = lacksNull === 'type' ? 'null' : null;
      if (value === undefined) return [];
      return [editFix(context, `Allow null in ${lacksNull}`, (edit) => edit.replace(at, [value, word].flat() as readonly Json[]), true)];
    }
    const type = textIn(finding, 'type');
    const around = parentPointer(pointer) ?? '';
    const schema = valueAt(context.file.value, around);
    const [low, high] = ['low', 'high'].map((name) => `${around}/${textIn(finding, name) ?? ''}`) as [string, string];
    const [from, to] = [low, high].map((at) => valueAt(context.file.value, at));
    if (typeof from === 'number' && typeof to === 'number')
      return [editFix(context, 'Exchange the two', (edit) => edit.replace(low, to).replace(high, from))];
    if (type === undefined || !isObject(schema)) return [];
    const { [lastOf(pointer)]: values = null, items, ...rest } = schema;
    const inItems = { ...rest, items: { ...(isObject(items) ? items : { type }), [lastOf(pointer)]: values } };
    const isList = textIn(finding, 'into') === 'items' && (items === undefined || (isObject(items) && items.enum === undefined));
    const retype = editFix(context, `Change the type to ${shownValue(type)}`, (edit) => edit.replace(`${around}/type`, type), !isList);
    if (!isList) return [retype];
    const move = editFix(context, 'Move the values into items', (edit) => editTowards(edit, around, schema, inItems), true);
    return isObject(items) ? [move] : [move, retype];
  },
};
