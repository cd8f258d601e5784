import { settingsPath } from '../core/config/paths.js';
import type { TextRange } from '../core/finding.js';
import { groupBy } from '../core/groupBy.js';
import { isObject, pointerOf } from '../core/json.js';
import { type Cursor, cursorAt } from './cursor.js';
import type { Document } from './document.js';
import { treeOf } from './jsonTree.js';
import { candidateFiles } from './names/candidateFiles.js';
import { type Entity, entityKey } from './names/entity.js';
import { type FileView, rawStretches, viewOf } from './names/fileView.js';
import type { Name, Wanted } from './names/listing.js';
import { namesIn } from './names/namesIn.js';
import { environmentPath } from './names/projectNames.js';
import type { Project } from './workspace.js';

/** One place of a project where an entity is named. */
export interface Occurrence extends Name {
  /** Project path of the file. */
  readonly path: string;
  readonly document: Document;
  /** The name in the text, without quotes: a rename replaces it. It is inside a JSON string, so a new name must be escaped. */
  readonly range: TextRange;
}

export interface Occurrences {
  readonly entity: Entity;
  /** Declarations included, by file and place. */
  readonly places: readonly Occurrence[];
  /** Places that refer to the entity without containing its name. */
  readonly implied: readonly Occurrence[];
  /** Project paths that contain the name: files or folders named after the entity. */
  readonly carriers: readonly string[];
  /** Files that may name the entity and are invalid JSON or cannot be read. Places in invalid JSON are a best effort. */
  readonly broken: readonly string[];
}

/**
 * The entities named at an offset. There are several where one place means several things, such as a prompt shared by agents with different
 * outputs. Works in broken JSON.
 */
export function occurrencesAt(document: Document, offset: number, project: Project): readonly Occurrence[] {
  const cursor = cursorAt(treeOf(document), offset);
  if (cursor.place === 'none' || cursor.quotes === 'none') return [];
  const view = viewOf(document, project);
  return view === undefined ? [] : occurrencesAtCursor(view, cursor);
}

/** The same for a given cursor and view. */
export function occurrencesAtCursor(view: FileView, cursor: Cursor): readonly Occurrence[] {
  const at = pointerOf(...cursor.path);
  const offset = cursor.typed.length;
  const names = namesIn(view, { at }).filter(({ target, isImplied }) => target === cursor.place && isImplied !== true);
  const around = names.filter(({ within }) => within === undefined || (within.start <= offset && offset <= within.end));
  // Between two adjacent names the later one counts.
  const latest = Math.max(...around.map(({ within }) => within?.start ?? 0));
  return placed(
    view,
    around.filter(({ within }) => (within?.start ?? 0) === latest),
  );
}

/** Every name in one file, in file order. */
export function occurrencesIn(document: Document, project: Project, wanted: Wanted = {}): readonly Occurrence[] {
  const view = viewOf(document, project);
  if (view === undefined) return [];
  return placed(view, namesIn(view, wanted)).toSorted((left, right) => left.range.start - right.range.start);
}

/**
 * Every place of a project that names an entity. Only files that can name it are read. The answer is complete when the project is indexed,
 * so await `workspace.ready` first.
 *
 * @param pause `context.pause`: lets other requests run between files
 * @throws the signal's reason, by `pause`
 */
export async function findOccurrences(
  entity: Entity,
  project: Project,
  { pause }: { readonly pause: () => void | Promise<void> },
): Promise<Occurrences> {
  const { paths, carriers } = candidateFiles(entity, project);
  const key = entityKey(entity);
  const wanted: Wanted = { kinds: new Set([entity.kind]), name: entity.name };
  const places: Occurrence[] = [];
  const implied: Occurrence[] = [];
  const broken: string[] = [];
  for (const path of paths) {
    await pause();
    const document = project.documentAt(path);
    if (document === undefined || (document.config === undefined && project.identityOf(path) !== undefined)) broken.push(path);
    if (document === undefined || !mayHold(document.text, entity)) continue;
    const view = viewOf(document, project);
    if (document.config?.value === undefined && document.config !== undefined && document.config.foreign === undefined) broken.push(path);
    if (view === undefined) continue;
    const occurrences = placed(
      view,
      namesIn(view, wanted).filter((name) => entityKey(name.entity) === key),
    );
    for (const occurrence of occurrences) (occurrence.isImplied ? implied : places).push(occurrence);
  }
  const inOrder = (left: Occurrence, right: Occurrence) =>
    left.path === right.path ? left.range.start - right.range.start : left.path < right.path ? -1 : 1;
  return { entity, places: places.sort(inOrder), implied: implied.sort(inOrder), carriers, broken };
}

/** Whether a text may contain a name, literally or with escapes. */
function mayHold(text: string, { kind, name }: Entity): boolean {
  // `system_prompt_version` refers to a prompt without containing its name.
  return kind === 'prompt' || text.includes(name) || text.includes('\\u') || /["\\/\p{Cc}]/u.test(name);
}

/** The ranges of names of a file. */
export function placed(view: FileView, names: readonly Name[]): Occurrence[] {
  if (names.length === 0) return [];
  const { document, file } = view;
  const located = view.locate(new Set(names.map(({ pointer }) => pointer)));
  const byToken = groupBy(names, ({ target, pointer }) => `${target} ${pointer}`);
  const occurrences: Occurrence[] = [];
  for (const group of byToken.values()) {
    const { pointer, target } = group[0];
    const quoted = located.get(pointer)?.[target];
    // A word without quotes names nothing.
    if (quoted === undefined || document.text[quoted.start] !== '"') continue;
    const whole = { start: 0, end: Number.MAX_SAFE_INTEGER };
    const ranges = rawStretches(
      document.text,
      quoted,
      group.map(({ within = whole }) => within),
    );
    for (const [index, name] of group.entries())
      occurrences.push({ ...name, path: file.path, document, range: ranges[index] as TextRange });
  }
  return occurrences;
}

/** Project path of the file that an entity is, or is part of. */
export function fileOf(entity: Entity, project: Project): string | undefined {
  const { index } = project;
  switch (entity.kind) {
    case 'agent': {
      const newest = index.versions(entity.name).at(-1);
      return newest === undefined ? undefined : index.ids('agent').get(`${entity.name}@${newest}`);
    }
    case 'agent-version':
      return index.ids('agent').get(`${entity.agent}@${entity.name}`);
    case 'prompt':
      return [...index.ids('prompt')].findLast(([id]) => id.startsWith(`${entity.name}@`))?.[1];
    case 'prompt-version':
      return index.ids('prompt').get(`${entity.prompt}@${entity.name}`);
    case 'environment':
      return environmentPath(entity.name, project);
    case 'skill':
      return settingsPath;
    case 'llm':
    case 'persona':
    case 'orchestration':
      return index.ids(entity.kind).get(entity.name);
    case 'mcp':
      return isObject(index.value('mcp', 'mcp')) ? index.ids('mcp').get('mcp') : undefined;
    default:
      return entity.file;
  }
}
