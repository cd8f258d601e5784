import { type JsonObject, pointerOf } from '../../core/json.js';
import { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { renderJson, styleOf } from '../../core/jsonText/jsonStyle.js';
import { editJson, type FileChange } from '../edits/fileChange.js';
import { proveSamePrompt } from './proof.js';
import type { RefactoringContext } from './refactoring.js';

export interface Extraction {
  /** Members at the root of the file that are moved. */
  readonly fields: readonly string[];
  /** Path of the new file. */
  readonly path: string;
  /** Pointer and value of the member that names it. */
  readonly reference: readonly [pointer: string, id: string];
  /** Further members of the new file. */
  readonly identity: JsonObject;
}

/**
 * Moves members of an agent file unchanged to a new file, and replaces them with a reference to it.
 *
 * @throws ResponseError when the prompt would change
 */
export function extractFields(
  { project, document, file }: RefactoringContext,
  { fields, path, reference: [pointer, id], identity }: Extraction,
): readonly FileChange[] {
  const edits = editJson(project, file.path, (edit) => {
    const [first] = fields;
    // The reference replaces the first moved field, or a reference that is null.
    if (edit.has(pointer)) edit.replace(pointer, id);
    else edit.set(pointer, id, { after: first === undefined ? [] : [first] });
    for (const name of fields) edit.remove(pointerOf(name));
  });
  const source = new JsonEdit(document.text);
  const written = fields.map((name) => [name, source.rawOf(pointerOf(name))] as const);
  const style = { ...styleOf(document.text), isFlat: false, isCompact: false };
  const text = renderJson({ ...identity, ...Object.fromEntries(written) }, style, '') + style.eol;
  return proveSamePrompt(project, file.path, [...edits, { type: 'create', path, text }]);
}
