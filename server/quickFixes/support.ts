import { parseConfigObject } from '../../core/config/parseConfigFile.js';
import type { PlacedFinding } from '../../core/finding.js';
import { isObject, type Json, type JsonObject } from '../../core/json.js';
import { applyReplacements, JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { RawJson } from '../../core/jsonText/jsonStyle.js';
import { validateKind } from '../../core/schema/kindValidators.js';
import type { SchemaError } from '../../core/schema/types.js';
import { shorten } from '../../core/words.js';
import { editJson, type FileChange } from '../edits/fileChange.js';
import type { Fix, FixContext } from './quickFix.js';

/** Most values that are proposed for one finding. */
export const mostProposals = 5;

/** A fix that edits the file of the finding. */
export function editFix({ project, file }: FixContext, title: string, change: (edit: JsonEdit) => void, preferred = false): Fix {
  return { title, ...(preferred && { preferred }), changes: () => editJson(project, file.path, change) };
}

/** Replaces a value with another, given as JSON text. Preferred. */
export function changeToFix(context: FixContext, pointer: string, text: string): Fix {
  return editFix(context, `Change to ${shorten(text, 60, '...')}`, (edit) => edit.replace(pointer, new RawJson(text)), true);
}

/** The value of the file after an edit, as rules see it. */
export function editedValue({ document }: FixContext, change: (edit: JsonEdit) => void): JsonObject | undefined {
  const edit = new JsonEdit(document.text);
  change(edit);
  return parseConfigObject(applyReplacements(document.text, edit.replacements()));
}

/** The schema faults after an edit, at a pointer and below. */
export function formFaults(context: FixContext, around: string, change: (edit: JsonEdit) => void): readonly SchemaError[] {
  const value = editedValue(context, change);
  if (value === undefined) return [];
  return validateKind(context.file.identity.kind, value).filter(({ pointer }) => pointer === around || pointer.startsWith(`${around}/`));
}

/** The types that a value at fault should have. */
export function typesOf(faults: readonly SchemaError[]): readonly string[] {
  return faults.flatMap(({ keyword, params }) => (keyword === 'type' ? [params.type].flat().map(String) : []));
}

/** A fix that replaces a range of the text, which need not be JSON. */
export function textFix(
  { file }: FixContext,
  title: string,
  replacements: () => Extract<FileChange, { type: 'edit' }>['replacements'],
  preferred = false,
): Fix {
  return { title, ...(preferred && { preferred }), changes: () => [{ type: 'edit', path: file.path, replacements: replacements() }] };
}

/** "Change to ..." for each similar value; a single one is preferred. */
export function replaceFixes(context: FixContext, pointer: string, values: readonly Json[]): readonly Fix[] {
  return values
    .slice(0, mostProposals)
    .map((value) => editFix(context, `Change to ${shownValue(value)}`, (edit) => edit.replace(pointer, value), values.length === 1));
}

/** Fixes of which none is nearly always the right one, however few they are. */
export function guesses(fixes: readonly Fix[]): readonly Fix[] {
  return fixes.map(({ preferred: _guess, ...fix }) => fix);
}

/** Adds an entry to the `inputs` of a list of MCP servers: a secret to prompt for. */
export function addInput(edit: JsonEdit, { file }: FixContext, id: string): void {
  const entry = { id, type: 'promptString', description: id.replaceAll(/[-_.]+/g, ' '), password: true };
  if (isObject(file.value) && Array.isArray(file.value.inputs)) edit.insertItem('/inputs', entry);
  else edit.set('/inputs', [entry], { first: true });
}

/** A list of texts in a finding's data. */
export function textsIn({ data }: PlacedFinding, name: string): readonly string[] {
  const list = data?.[name];
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

export function textIn({ data }: PlacedFinding, name: string): string | undefined {
  const value = data?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** A value for a title: JSON on one line, shortened if it is long. */
export function shownValue(value: Json): string {
  return shorten(JSON.stringify(value), 60, '...');
}

/** The last segment of a pointer, for a title. */
export function lastOf(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}
