import { splitAgentReference } from '../../core/config/agentReference.js';
import { isObject, type JsonObject, valueAt } from '../../core/json.js';
import { JsonEdit, type TextReplacement } from '../../core/jsonText/jsonEdit.js';
import type { Document } from '../document.js';
import type { FileChange } from '../edits/fileChange.js';
import type { FeatureContext } from '../feature.js';
import { type Entity, entityKey } from '../names/entity.js';
import { findOccurrences, type Occurrence, type Occurrences, occurrencesAt, occurrencesIn } from '../occurrences.js';
import { requestFailed } from '../requestFailed.js';
import type { Project } from '../workspace.js';
import { nameWholePrompt } from './moveFiles.js';
import { checkFree, checkLegal, checkSameMeaning, kindWords } from './renameChecks.js';

/** The entity that would be renamed at an offset: its name, and where it is written. Undefined if nothing is named there. */
export function findRenamable(document: Document, offset: number, project: Project): Occurrence | undefined {
  const [first] = occurrencesAt(document, offset, project);
  return first;
}

/**
 * Renames the entity at an offset everywhere; files named after it move.
 *
 * @throws ResponseError if nothing is named there, or the name is illegal, taken, or would change the meaning of other references
 */
export async function renameAt(
  document: Document,
  offset: number,
  newName: string,
  project: Project,
  { workspace, signal, pause }: Pick<FeatureContext, 'workspace' | 'signal' | 'pause'>,
): Promise<readonly FileChange[]> {
  await workspace.ready(signal);
  const here = occurrencesAt(document, offset, project);
  const entities = [...new Map(here.map(({ entity }) => [entityKey(entity), entity])).values()];
  const [first] = entities;
  if (first === undefined)
    throw requestFailed('Nothing here can be renamed. Put the cursor on a name: of an agent, a field, a team, an enum value.');
  if (first.name === newName) return [];
  checkLegal(first, newName);
  const groups: Occurrences[] = [];
  for (const entity of entities) groups.push(await findOccurrences(entity, project, { pause }));
  return renameChanges(groups, newName, project, pause);
}

async function renameChanges(
  groups: readonly Occurrences[],
  newName: string,
  project: Project,
  pause: FeatureContext['pause'],
): Promise<readonly FileChange[]> {
  const [{ entity }] = groups as readonly [Occurrences, ...Occurrences[]];
  const broken = groups.flatMap((occurrences) => occurrences.broken);
  if (broken[0] !== undefined) {
    const more = broken.length === 1 ? '' : ` and ${broken.length - 1} more files`;
    throw requestFailed(
      `${broken[0]}${more} cannot be read as JSON and may name ${JSON.stringify(entity.name)} too. Repair it first, then rename.`,
    );
  }
  const places = distinctPlaces(groups.flatMap((occurrences) => occurrences.places)).filter((place) => nameIn(place) === entity.name);
  checkShared(places, new Set(groups.map((occurrences) => entityKey(occurrences.entity))), project);
  for (const place of places) checkFree(place, newName);
  checkSameMeaning(entity, newName, project);

  const byPath = new Map<string, TextReplacement[]>();
  const add = (path: string, edits: readonly TextReplacement[]) => void byPath.set(path, [...(byPath.get(path) ?? []), ...edits]);
  const text = JSON.stringify(newName).slice(1, -1);
  for (const { path, range } of places) add(path, [{ ...range, text }]);
  for (const implied of await impliedPrompts(entity, groups, project, pause)) add(implied.path, wholePromptEdits(implied, entity, newName));
  const edits = [...byPath].map(
    ([path, replacements]): FileChange => ({
      type: 'edit',
      path,
      replacements: replacements.sort((left, right) => left.start - right.start),
    }),
  );
  const carriers = [...new Set(groups.flatMap((occurrences) => occurrences.carriers))];
  return [...edits, ...carriers.map((from) => moveOf(from, entity, newName, project))];
}

function moveOf(from: string, entity: Entity, newName: string, project: Project): FileChange {
  const segments = from.split('/');
  const kind = project.identityOf(from)?.kind;
  // Agents, prompts and payloads are in a folder named after the agent, prompt or orchestration.
  const isFolder = kind === 'payload' || ((entity.kind === 'agent' || entity.kind === 'prompt') && (kind === 'agent' || kind === 'prompt'));
  if (isFolder) segments[segments.length - 2] = newName;
  else segments[segments.length - 1] = `${newName}${from.slice(from.lastIndexOf('.'))}`;
  const to = segments.join('/');
  const isCaseOnly = to.toLowerCase() === from.toLowerCase();
  if (!isCaseOnly && project.documentAt(to) !== undefined)
    throw requestFailed(`${to} already exists. Choose another name, or remove that file first.`);
  return { type: 'move', from, to };
}

/** A place may be found for several entities; it is edited once. */
function distinctPlaces(places: readonly Occurrence[]): readonly Occurrence[] {
  return [...new Map(places.map((place) => [`${place.path} ${place.range.start} ${place.range.end}`, place])).values()];
}

/** The decoded text at a place: a field that disagrees with its path contains another name. */
function nameIn({ document, range }: Occurrence): string | undefined {
  try {
    return JSON.parse(`"${document.text.slice(range.start, range.end)}"`) as string;
  } catch {
    return undefined;
  }
}

/** If a place means several entities of which only some are renamed, no name would be right for all. */
function checkShared(places: readonly Occurrence[], renamed: ReadonlySet<string>, project: Project): void {
  for (const place of places) {
    if (place.isCertain) continue;
    const others = occurrencesIn(place.document, project, { at: place.pointer }).filter(
      ({ target, range, entity }) => target === place.target && range.start === place.range.start && !renamed.has(entityKey(entity)),
    );
    const [other] = others;
    if (other === undefined || !('file' in other.entity)) continue;
    throw requestFailed(
      `${place.path} says ${JSON.stringify(place.entity.name)} for several agents, and ${other.entity.file} has its own ${kindWords[other.entity.kind]} of that name. Rename it there, for all of them at once, or give them separate prompts.`,
    );
  }
}

/** Places that name a prompt by its version alone, since it has its agent's name: they need the full name once the two differ. */
async function impliedPrompts(
  entity: Entity,
  groups: readonly Occurrences[],
  project: Project,
  pause: FeatureContext['pause'],
): Promise<readonly Occurrence[]> {
  if (entity.kind === 'prompt') return groups.flatMap(({ implied }) => implied);
  if (entity.kind !== 'agent') return [];
  const { implied } = await findOccurrences({ kind: 'prompt', name: entity.name }, project, { pause });
  return implied.filter((place) => belongsToAgent(place, entity.name));
}

function belongsToAgent({ document, pointer }: Occurrence, name: string): boolean {
  const { identity, value } = document.config ?? {};
  if (identity?.kind === 'agent') return identity.name === name;
  if (identity?.kind === 'system') return pointer.startsWith('/agents/');
  const task = /^\/teams\/[^/]*\/tasks\/\d+/.exec(pointer)?.[0];
  const { agent } = (task === undefined ? undefined : (valueAt(value, task) as JsonObject | undefined)) ?? {};
  return typeof agent === 'string' && splitAgentReference(agent).name === name;
}

function wholePromptEdits({ document, pointer }: Occurrence, entity: Entity, newName: string): readonly TextReplacement[] {
  const value = document.config?.value;
  const version = valueAt(value, pointer);
  if (!isObject(value) || typeof version !== 'string') return [];
  const edit = new JsonEdit(document.text);
  nameWholePrompt(edit, pointer, `${entity.kind === 'prompt' ? newName : entity.name}@${version}`, value);
  return edit.replacements();
}
