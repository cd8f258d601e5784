import type { DefinitionParams, Location, LocationLink, Range } from 'vscode-languageserver';
import { casesIn } from '../../core/config/caseParts.js';
import type { TextRange } from '../../core/finding.js';
import { isObject, type JsonObject, pointerOf, valueAt } from '../../core/json.js';
import { OutputContract } from '../../core/schema/outputContract.js';
import { type Cursor, cursorAt } from '../cursor.js';
import type { Document } from '../document.js';
import type { FeatureContext } from '../feature.js';
import { treeOf } from '../jsonTree.js';
import { entityKey } from '../names/entity.js';
import { type FileView, viewOf } from '../names/fileView.js';
import { isToolName, toolsNamed } from '../names/toolAt.js';
import { fileOf, type Occurrence, occurrencesAtCursor, occurrencesIn } from '../occurrences.js';
import { type OurDocument, ourDocument } from '../ours.js';
import type { Project } from '../workspace.js';

/** A place to go to. */
export interface Target {
  readonly document: Document;
  readonly range: TextRange;
}

interface Found {
  /** The name or token at the cursor. */
  readonly origin: TextRange;
  readonly targets: readonly Target[];
}

export async function provideDefinition(
  { textDocument, position }: DefinitionParams,
  context: FeatureContext,
): Promise<readonly LocationLink[] | readonly Location[] | null> {
  const ours = ourDocument(textDocument, context);
  if (ours === undefined) return null;
  const definition = definitionAt(ours, ours.document.offsetAt(position));
  if (definition === undefined || definition.targets.length === 0) return null;
  return toLocations(definition.targets, ours.document.rangeOf(definition.origin), context);
}

/** Links from a name to places, where the client takes them. */
export function toLocations(
  targets: readonly Target[],
  originSelectionRange: Range,
  { client }: Pick<FeatureContext, 'client'>,
): readonly LocationLink[] | readonly Location[] {
  const places = targets.map(({ document, range }) => ({ uri: document.uri, range: document.rangeOf(range) }));
  if (client.textDocument?.definition?.linkSupport !== true) return places;
  return places.map(({ uri, range }) => ({ originSelectionRange, targetUri: uri, targetRange: range, targetSelectionRange: range }));
}

function definitionAt({ document, project }: OurDocument, offset: number): Found | undefined {
  const cursor = cursorAt(treeOf(document), offset);
  const view = cursor.place === 'none' ? undefined : viewOf(document, project);
  if (view === undefined) return undefined;
  const occurrences = cursor.quotes === 'none' ? [] : occurrencesAtCursor(view, cursor);
  const [first] = occurrences;
  if (first === undefined)
    return { origin: cursor.token, targets: [...toolPlaces(view, cursor), ...casePlaces(view, cursor), ...placesIn(view, cursor)] };
  const targets = occurrences.flatMap((occurrence) => targetsOf(occurrence, project));
  return { origin: first.range, targets };
}

/** The declarations of a named entity. */
export function targetsOf(occurrence: Occurrence, project: Project): readonly Target[] {
  const { entity } = occurrence;
  // The name in a file of one version leads to this file, not to the newest version.
  const ownPath = occurrence.isDeclaration && isFile(entity.kind) ? occurrence.path : undefined;
  const path = ownPath ?? occurrence.leadsTo ?? fileOf(entity, project);
  const document = path === undefined ? undefined : path === occurrence.path ? occurrence.document : project.documentAt(path);
  if (document === undefined) return [];
  const key = entityKey(entity);
  const wanted = { kinds: new Set([entity.kind]), name: entity.name };
  const places = occurrencesIn(document, project, wanted).filter((place) => entityKey(place.entity) === key && place.isImplied !== true);
  const declared = places.filter(({ isDeclaration }) => isDeclaration);
  const isHere = (place: Occurrence) => place.path === occurrence.path && place.range.start === occurrence.range.start;
  // An enum value is declared in the schema and in `enums`, an input key in `input_keys` and in a schema. Each leads to the other.
  const [best = declared[0]] = declared.filter((place) => !isHere(place)).toSorted((left, right) => rank(left) - rank(right));
  if (best !== undefined) return [best];
  // A context key may be created by an update only.
  if (entity.kind === 'context-key') return places.filter(({ isWrite }) => isWrite);
  // A persona has no field with its name, so its file is the declaration.
  return isFile(entity.kind) ? [{ document, range: { start: 0, end: 0 } }] : [];
}

function isFile(kind: Occurrence['entity']['kind']): boolean {
  return ['agent', 'agent-version', 'llm', 'persona', 'prompt', 'prompt-version', 'orchestration', 'environment'].includes(kind);
}

/** The schema comes first for an enum value, `input_keys` for an input key. */
function rank({ entity, pointer }: Occurrence): number {
  if (entity.kind === 'enum-value') return pointer.startsWith(entity.list) ? 0 : 1;
  return entity.kind === 'input-key' && pointer.includes('/input_keys/') ? 0 : 1;
}

/** Where a tool is described: the lock file for a server's tool, agentstack.json for a skill. Built-in tools have no file. */
function toolPlaces({ file, value, project }: FileView, { path, place }: Cursor): readonly Target[] {
  const name = place === 'value' ? valueAt(value, pointerOf(...path)) : undefined;
  if (typeof name !== 'string' || !isToolName(path)) return [];
  return toolsNamed(file, value, path, name, project).flatMap(({ source }) => {
    const document = source === null ? undefined : project.documentAt(source.file);
    const view = document && viewOf(document, project);
    const range = source === null ? undefined : view?.locate([source.pointer]).get(source.pointer)?.key;
    return document === undefined || range === undefined ? [] : [{ document, range: inside(document, range) }];
  });
}

/** The case that a verdict of a baseline is about. */
function casePlaces({ file, value, project }: FileView, { path }: Cursor): readonly Target[] {
  const name = valueAt(value, pointerOf(...path));
  if (file.identity.kind !== 'baseline' || path.at(-1) !== 'case' || typeof name !== 'string') return [];
  const [payload = ''] = name.split('/', 1);
  const at = project.index.ids('payload').get(`${file.identity.name}/${payload}`);
  const document = at === undefined ? undefined : project.documentAt(at);
  const view = document && viewOf(document, project);
  if (document === undefined || view === undefined || !isObject(view.value)) return [];
  const [part] = casesIn(view.value).filter((test) => test.name !== '' && `${payload}/${test.name}` === name);
  const range = part && view.locate([part.pointer]).get(part.pointer)?.value;
  return [{ document, range: range ?? { start: 0, end: 0 } }];
}

/** The places that the schema keywords `$ref`, `required` and `enum` lead to. */
function placesIn(view: FileView, cursor: Cursor): readonly Target[] {
  const segments = cursor.path.map(String);
  const at = segments.findIndex((segment) => segment === 'output_schema' || segment === 'input_schema');
  if (at < 0) return [];
  const root = pointerOf(...segments.slice(0, at + 1));
  const schema = valueAt(view.value, root);
  if (!isObject(schema)) return [];
  const pointer = leadsTo(view, { segments, at, schema, root, place: cursor.place });
  const located = pointer === undefined ? undefined : view.locate([pointer]).get(pointer);
  const range = located?.key ?? located?.value;
  return range === undefined ? [] : [{ document: view.document, range: inside(view.document, range) }];
}

interface Place {
  readonly segments: readonly string[];
  /** Index of the schema's field. */
  readonly at: number;
  readonly schema: JsonObject;
  readonly root: string;
  readonly place: Cursor['place'];
}

function leadsTo(view: FileView, { segments, at, schema, root, place }: Place): string | undefined {
  const last = segments.at(-1);
  const value = valueAt(view.value, pointerOf(...segments));
  if (last === '$ref' && typeof value === 'string') {
    const referring = valueAt(view.value, pointerOf(...segments.slice(0, -1)));
    const target = isObject(referring) ? new OutputContract(schema).target(referring) : undefined;
    return target && root + target.pointer;
  }
  if (segments.at(-2) === 'required' && typeof value === 'string') {
    const property = pointerOf(...segments.slice(0, -2), 'properties', value);
    return valueAt(view.value, property) === undefined ? undefined : property;
  }
  if (last !== 'enum' || place !== 'key') return undefined;
  const property = segments.slice(at + 1, -1).filter((segment) => segment !== 'items');
  if (property.length !== 2 || property[0] !== 'properties') return undefined;
  const enums = pointerOf(...segments.slice(0, at), 'enums', property[1] ?? '');
  return valueAt(view.value, enums) === undefined ? undefined : enums;
}

/** The range of a string without its quotes. */
function inside({ text }: Document, { start, end }: TextRange): TextRange {
  const closed = end - start > 1 && text[end - 1] === '"';
  return text[start] === '"' ? { start: start + 1, end: closed ? end - 1 : end } : { start, end };
}
