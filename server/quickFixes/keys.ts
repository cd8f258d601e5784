import { newFileText } from '../../core/config/fileText.js';
import { isObject, type Json, pointerOf, valueAt } from '../../core/json.js';
import type { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { RawJson } from '../../core/jsonText/jsonStyle.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { nearestValue } from '../../core/rules/facts/nearestValue.js';
import { fieldsAt } from '../../core/schema/kindFields.js';
import { editJson } from '../edits/fileChange.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { editFix, formFaults, lastOf, replaceFixes, shownValue, textIn, textsIn, typesOf } from './support.js';

/** "Rename to ..." for each free name that accepts the value; the first is preferred. */
export function renameFixes(context: FixContext, pointer: string, names: readonly string[]): readonly Fix[] {
  const fixes = names.flatMap((name) => {
    const to = (parentPointer(pointer) ?? '') + pointerOf(name);
    // Renaming to an existing key would lose one of the two values.
    if (valueAt(context.file.value, to) !== undefined) return [];
    const fix = fittingFix(context, {
      title: `Rename to ${JSON.stringify(name)}`,
      from: pointer,
      to,
      move: (edit) => edit.rename(pointer, name),
      moveAs: (edit, value) => edit.rename(pointer, name).replace(pointer, value),
    });
    return fix === undefined ? [] : [fix];
  });
  return fixes.map((fix, index) => (index === 0 ? { ...fix, preferred: true } : fix));
}

/** A value that moves to another place in its file. */
interface Placing {
  readonly title: string;
  readonly from: string;
  readonly to: string;
  readonly move: (edit: JsonEdit) => void;
  /** The same move with another value. */
  readonly moveAs: (edit: JsonEdit, value: RawJson) => void;
}

/**
 * A fix that moves a value: as written, or converted if another type is required there. Undefined if it does not fit at
 * all: the finding would only be replaced by an error.
 */
function fittingFix(context: FixContext, { title, from, to, move, moveAs }: Placing): Fix | undefined {
  const faults = faultsAt(context, to, move);
  if (faults.length === 0) return editFix(context, title, move);
  const converted = nearestValue(context.file, from, typesOf(faults), lastOf(to));
  if (converted === undefined) return undefined;
  const convert = (edit: JsonEdit) => moveAs(edit, new RawJson(converted.text));
  return faultsAt(context, to, convert).length > 0 ? undefined : editFix(context, `${title} and write ${converted.text}`, convert);
}

/** Faults of the value itself. Faults deeper inside are found once it has moved. */
function faultsAt(context: FixContext, place: string, change: (edit: JsonEdit) => void) {
  return formFaults(context, place, change).filter(({ pointer, keyword }) => pointer === place && keyword !== 'additionalProperties');
}

/** Renames an unknown key to a similar known one, or removes it. */
export const unknownProperty: QuickFix = {
  code: 'unknown-property',
  fixes(finding, context) {
    const { pointer } = finding;
    return [
      ...renameFixes(context, pointer, textsIn(finding, 'nearest')),
      editFix(context, `Remove ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer)),
    ];
  },
};

/** Moves a key to the level where it belongs, as written. */
export const misplacedProperty: QuickFix = {
  code: 'misplaced-property',
  fixes(finding, context) {
    const { pointer } = finding;
    const to = textIn(finding, 'to');
    if (to === undefined) return [];
    const path = textIn(finding, 'file');
    if (path !== undefined) return personaFixes(path, finding.data?.whole === true, context);
    const remove = editFix(context, `Remove ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer));
    // An existing value there takes precedence.
    if (valueAt(context.file.value, to) !== undefined) return [remove];
    const around = to.slice(1, to.lastIndexOf('/')).replaceAll('/', '.');
    const title = around === '' ? 'Move to the root of the file' : `Move to ${around}`;
    const move = fittingFix(context, {
      title,
      from: pointer,
      to,
      move: (edit) => edit.set(to, edit.rawOf(pointer)).remove(pointer),
      moveAs: (edit, value) => edit.set(to, value).remove(pointer),
    });
    return move === undefined ? [remove] : [{ ...move, preferred: true }];
  },
};

/** Moves a persona out of the folder of the profiles, or the fields of personas out of a profile. */
function personaFixes(path: string, isWhole: boolean, { project, file }: FixContext): readonly Fix[] {
  const { value } = file;
  if (project.documentAt(path) !== undefined || !isObject(value)) return [];
  const schemaName = typeof value.$schema === 'string' ? value.$schema : '';
  if (isWhole)
    return [
      {
        title: `Move the file to ${path}`,
        preferred: true,
        changes: () => [
          ...editJson(project, file.path, (edit) => {
            if (schemaName !== '') edit.replace('/$schema', schemaName.replace('llm.schema.json', 'persona.schema.json'));
          }),
          { type: 'move', from: file.path, to: path },
        ],
      },
    ];
  const fields = fieldsAt('persona', []) ?? [];
  const profileFields = fieldsAt('llm', []) ?? [];
  const moved = Object.keys(value).filter((key) => fields.includes(key) && !profileFields.includes(key));
  const persona = Object.fromEntries(moved.map((key): [string, Json] => [key, value[key] ?? null]));
  return [
    {
      title: `Move to ${path}`,
      preferred: true,
      changes: () => [
        { type: 'create', path, text: newFileText('persona', persona) },
        ...editJson(project, file.path, (edit) => {
          for (const key of moved) edit.remove(pointerOf(key));
        }),
      ],
    },
  ];
}

/** Removes the reference of a persona to another: personas are not layered. */
export const personaNested: QuickFix = {
  code: 'persona-nested',
  fixes: ({ pointer }, context) => [editFix(context, 'Remove "persona_key"', (edit) => edit.remove(pointer), true)],
};

/** Sets a limit to the one it contradicts, or exchanges reversed bounds of a schema. */
export const limitInvalid: QuickFix = {
  code: 'limit-invalid',
  fixes(finding, context) {
    const { pointer, data = {} } = finding;
    if (typeof valueAt(context.file.value, pointer) !== 'number') return [];
    const nearest = Array.isArray(data.nearest) ? (data.nearest as readonly Json[]) : [];
    return replaceFixes(context, pointer, nearest);
  },
};
