import { isObject, pointerOf, valueAt } from '../../core/json.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import type { QuickFix } from './quickFix.js';
import { editFix, replaceFixes, textIn, textsIn } from './support.js';

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
