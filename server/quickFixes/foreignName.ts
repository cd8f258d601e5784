import { newFileText } from '../../core/config/fileText.js';
import { identifyFile } from '../../core/config/paths.js';
import type { PlacedFinding } from '../../core/finding.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../../core/json.js';
import type { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import { parentPointer } from '../../core/jsonText/locate.js';
import { inOurUnit } from '../../core/otherTools/fieldNames.js';
import type { ForeignHome } from '../../core/otherTools/types.js';
import { nearestValue } from '../../core/rules/facts/nearestValue.js';
import { capitalized } from '../../core/words.js';
import { editJson, type FileChange } from '../edits/fileChange.js';
import type { Fix, FixContext, QuickFix } from './quickFix.js';
import { editFix, formFaults, lastOf, shownValue, textIn, typesOf } from './support.js';

/** Renames another tool's field to ours, or moves its content to where it belongs. If the units differ, both readings are offered. */
export const foreignName: QuickFix = {
  code: 'foreign-name',
  fixes(finding, context) {
    const { pointer, data } = finding;
    const name = textIn(finding, 'replacement');
    if (name === undefined) return homeFixes(finding, context);
    const target = `${parentPointer(pointer) ?? ''}${pointerOf(name)}`;
    const remove = editFix(context, `Remove ${shownValue(lastOf(pointer))}`, (edit) => edit.remove(pointer));
    if (valueAt(context.file.value, target) !== undefined) return [remove];
    const written = valueAt(context.file.value, pointer);
    if (name === 'type') return [...transportFixes(written, pointer, context), remove];
    const faults = formFaults(context, target, (edit) => edit.rename(pointer, name));
    const quoted = JSON.stringify(name);
    // Another tool's value may have another form.
    const isUnfit = typeof written !== 'number' && faults.some(({ keyword }) => keyword !== 'additionalProperties');
    const nearest = isUnfit ? nearestValue(context.file, pointer, typesOf(faults), name) : undefined;
    if (isUnfit && nearest === undefined) return [remove];
    const value = nearest?.replacement ?? written;
    const rename = (title: string, factor: (number: number) => number) =>
      editFix(context, title, (edit) => {
        edit.rename(pointer, name);
        if (typeof value === 'number' && factor(value) !== written) edit.replace(pointer, factor(value));
        else if (nearest !== undefined) edit.replace(pointer, nearest.replacement);
      });
    const hasUnit = nearest !== undefined && Number(written) !== nearest.replacement;
    if (nearest !== undefined && (hasUnit || data?.safe === true))
      return [rename(`Rename to ${quoted} and write ${nearest.text}`, (same) => same)];
    if (data?.safe === true || typeof value !== 'number')
      return [{ ...rename(`Rename to ${quoted}`, (same) => same), preferred: data?.safe === true }];
    if (name === 'retry_attempts')
      return [
        rename(`Rename to ${quoted} and write ${value + 1}: the first try counts too`, (retries) => retries + 1),
        rename(`Rename to ${quoted}: ${value} counts tries`, (same) => same),
      ];
    const converted = inOurUnit(lastOf(pointer), name, value);
    if (typeof converted === 'number') return [rename(`Rename to ${quoted} and write ${converted}`, () => converted)];
    return [
      rename(`Rename to ${quoted}: ${value} is in milliseconds`, (same) => same),
      rename(`Rename to ${quoted} and write ${value * 1000}: ${value} is in seconds`, (seconds) => seconds * 1000),
    ];
  },
};

/** The transport of an MCP server: other tools have more names for streamable HTTP, or write the whole address there. */
function transportFixes(value: Json | undefined, pointer: string, context: FixContext): readonly Fix[] {
  const server = parentPointer(pointer) ?? '';
  const change = (edit: JsonEdit) => {
    if (typeof value === 'string') {
      edit.rename(pointer, 'type');
      if (/^streamable/i.test(value)) edit.replace(pointer, 'http');
    } else if (isObject(value)) {
      for (const field of Object.keys(value)) edit.set(server + pointerOf(field), edit.rawOf(pointer + pointerOf(field)));
      edit.remove(pointer);
    }
  };
  const fields = isObject(value) ? Object.keys(value) : ['type'];
  const isTaken = isObject(value) && fields.some((field) => valueAt(context.file.value, server + pointerOf(field)) !== undefined);
  const isUnfit = fields.some((field) => formFaults(context, server + pointerOf(field), change).length > 0);
  if ((typeof value !== 'string' && !isObject(value)) || isTaken || isUnfit) return [];
  return [editFix(context, typeof value === 'string' ? 'Rename to "type"' : 'Move its content to the server', change, true)];
}

/** Moves the content of the key to where it belongs: to other fields, and to separate files. */
function homeFixes({ data }: PlacedFinding, context: FixContext): readonly Fix[] {
  const { moves = [], files = [], sets = {}, replaced = [], elsewhere } = (data ?? {}) as Partial<ForeignHome>;
  const free = files.filter(({ path }) => context.project.documentAt(path) === undefined);
  if (moves.length === 0 && free.length === 0 && elsewhere === undefined && Object.keys(sets).length === 0)
    // If the place is taken already, the content can only be removed.
    return replaced.map((place) => editFix(context, `Remove ${shownValue(lastOf(place))}`, (edit) => edit.remove(place)));
  const moved = elsewhere && valueAt(context.file.value, elsewhere.from);
  const titles = [
    ...(elsewhere === undefined ? [] : [`Move to ${elsewhere.path}`]),
    ...(moves.length === 0 ? [] : [`Move to ${moves.map(({ to }) => shownValue(lastOf(to))).join(', ')}`]),
    ...(free.length === 0 ? [] : [`${moves.length === 0 ? 'Move' : 'move'} to ${free.map(({ path }) => path).join(', ')}`]),
    ...(Object.keys(sets).length === 0
      ? []
      : [
          `write ${Object.keys(sets)
            .map((place) => shownValue(lastOf(place)))
            .join(', ')}`,
        ]),
  ];
  const title = titles.join(', ');
  const gone = [...moves.map(({ from }) => from), ...free.flatMap(({ from }) => from), ...replaced, ...(elsewhere ? [elsewhere.from] : [])];
  const change = (edit: JsonEdit) => {
    for (const { from, to } of moves) edit.set(to, edit.rawOf(from));
    for (const [place, value] of Object.entries(sets)) edit.set(place, value);
    for (const place of emptied(gone, context)) edit.remove(place);
  };
  const changes = (): readonly FileChange[] => [
    ...free.map(({ path, value }): FileChange => ({ type: 'create', path, text: fileText(path, value, context) })),
    ...editJson(context.project, context.file.path, change),
    ...(elsewhere && moved !== undefined ? editJson(context.project, elsewhere.path, (edit) => edit.set(elsewhere.to, moved)) : []),
  ];
  return [{ title: capitalized(title), preferred: true, changes }];
}

/** The places to remove; the object itself instead of all its members. */
function emptied(gone: readonly string[], { file }: FixContext): readonly string[] {
  const places = new Set(gone);
  for (const place of places) {
    const around = parentPointer(place);
    if (around === undefined || around === '') continue;
    const object = valueAt(file.value, around);
    if (isObject(object) && Object.keys(object).every((key) => places.has(around + pointerOf(key)))) places.add(around);
  }
  return [...places];
}

function fileText(path: string, value: JsonObject, { project }: FixContext): string {
  return newFileText(identifyFile(path, project.settings)?.kind ?? 'agent', value);
}
