import { pathOf } from '../config/paths.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { InputInvalidError } from '../errors.js';
import { agentFields } from '../generated/fields.js';
import { type Json, pointerOf, segmentsOf } from '../json.js';
import { findText } from '../jsonText/findText.js';
import { applyReplacements, JsonEdit } from '../jsonText/jsonEdit.js';
import { didYouMean, nearestNames } from '../names.js';
import type { FileSystem } from '../ports.js';

/** `purpose_text=...` as it is written. */
export interface FieldChange {
  /** `purpose_text`, `output_schema.properties.tone`, `/output_schema/properties/tone`; with the name of an agent before it, `Tone.purpose_text`. */
  readonly path: string;
  /** As text; JSON unless the field takes texts. Empty removes the field. */
  readonly text: string;
}

export interface ChangedSubject {
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  readonly version: string | null;
  /** The agents in it, `name@version`. */
  readonly agents: readonly string[];
}

/**
 * The files of an agent or orchestration with some fields changed, by project path. Nothing is written; whether the values are valid shows when the
 * files are loaded.
 *
 * @throws InputInvalidError for a field or an agent that does not exist
 */
export async function changeFields(
  changes: readonly FieldChange[],
  subject: ChangedSubject,
  { files, settings }: { readonly files: FileSystem } & Pick<ProjectIndex, 'settings'>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { path, text: written } of changes) {
    const { kind, id, segments } = placeOf(path, subject);
    const file = pathOf(kind, id, settings);
    const text = texts.get(file) ?? (await findText(files, file));
    if (text === undefined) throw refuse(path, `${file} cannot be read.`);
    if (kind === 'agent') checkField(path, segments[0] ?? '');
    texts.set(file, changed(text, path, segments, newValue(written, kind, segments)));
  }
  return texts;
}

function placeOf(path: string, { kind, name, version, agents }: ChangedSubject) {
  const subject = kind === 'agent' ? `${name}@${version}` : name;
  for (const id of kind === 'agent' ? [subject, ...agents] : agents) {
    const names = [id, id.slice(0, id.lastIndexOf('@'))];
    const prefix = names.find((each) => path.startsWith(`${each}.`) || path.startsWith(`${each}/`));
    if (prefix !== undefined) return { kind: 'agent', id, segments: segmentsIn(path.slice(prefix.length).replace(/^\./, '')) } as const;
  }
  return { kind, id: subject, segments: segmentsIn(path) };
}

function segmentsIn(path: string): readonly string[] {
  return path.startsWith('/') ? segmentsOf(path) : path.split('.');
}

function checkField(path: string, field: string): void {
  if (Object.hasOwn(agentFields, field)) return;
  const nearest = didYouMean(nearestNames(field, Object.keys(agentFields)));
  throw refuse(path, `an agent has no field ${JSON.stringify(field)} that could be changed.${nearest}`);
}

/** JSON, unless the field takes a text. */
function newValue(text: string, kind: ChangedSubject['kind'], [field = '', ...inner]: readonly string[]): Json | undefined {
  if (text === '') return undefined;
  const form: { readonly type?: string } = kind === 'agent' ? (agentFields[field as keyof typeof agentFields] ?? {}) : {};
  if (form.type === 'string' && inner.length === 0) return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function changed(text: string, path: string, segments: readonly string[], value: Json | undefined): string {
  const pointer = pointerOf(...segments);
  try {
    const edit = new JsonEdit(text);
    if (value !== undefined) edit.set(pointer, value);
    else if (edit.has(pointer)) edit.remove(pointer);
    return applyReplacements(text, edit.replacements());
  } catch (error) {
    throw refuse(path, `nothing can be set there: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function refuse(path: string, why: string): InputInvalidError {
  const message = `${path} cannot be changed: ${why}`;
  return new InputInvalidError(message, [{ path: '/with', keyword: 'field', message }]);
}
