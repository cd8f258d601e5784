import type { JsonObject } from '../../core/json.js';
import { pointerOf } from '../../core/json.js';
import { editJson, type FileChange } from '../edits/fileChange.js';
import { applyReplacements, JsonEdit } from '../edits/jsonEdit.js';
import { styleOf } from '../edits/jsonStyle.js';
import type { RefactoringContext } from './refactoring.js';

export interface Extraction {
  /** Members at the root of the file that go. */
  readonly fields: readonly string[];
  /** Of the new file. */
  readonly path: string;
  /** Pointer and value of the member that names it. */
  readonly reference: readonly [pointer: string, id: string];
  /** What the new file says besides. */
  readonly identity: JsonObject;
}

/** Moves members of a file to a new one, written as they are, and names that in their place. */
export function extractFields(
  { project, document, file }: RefactoringContext,
  { fields, path, reference: [pointer, id], identity }: Extraction,
): readonly FileChange[] {
  const edits = editJson(project, file.path, (edit) => {
    const [first] = fields;
    // In the place of the first field that goes, unless another reference is to be replaced (a null).
    if (edit.has(pointer)) edit.replace(pointer, id);
    else edit.set(pointer, id, { after: first === undefined ? [] : [first] });
    for (const name of fields) edit.remove(pointerOf(name));
  });
  const { eol, indent } = styleOf(document.text);
  const empty = `${JSON.stringify({ ...identity, _: 0 }, null, indent).replaceAll('\n', eol)}${eol}`;
  const source = new JsonEdit(document.text);
  const target = new JsonEdit(empty).remove('/_');
  for (const name of fields) target.set(pointerOf(name), source.rawOf(pointerOf(name)));
  return [...edits, { type: 'create', path, text: applyReplacements(empty, target.replacements()) }];
}
