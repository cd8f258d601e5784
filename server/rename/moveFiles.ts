import type { FileIdentity } from '../../core/config/configFile.js';
import { identifyFile, settingsPath } from '../../core/config/paths.js';
import type { Reference } from '../../core/config/projectIndex.js';
import { pointerOf, segmentsOf, valueAt } from '../../core/json.js';
import type { JsonEdit } from '../../core/jsonText/jsonEdit.js';
import type { Translate } from '../../core/words.js';
import { editJson, type FileChange } from '../edits/fileChange.js';
import { isShared, payloadsOf } from '../names/payloads.js';
import type { Project } from '../workspace.js';

/** A config file that moves, by project path. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Moves files, and updates everything that says where they are. */
export function moveChanges(project: Project, moves: readonly Move[]): readonly FileChange[] {
  return [...moveEdits(project, moves), ...moves.map(({ from, to }): FileChange => ({ type: 'move', from, to }))];
}

/** A file whose identity changes by a move. */
interface Moved extends Move {
  readonly before: FileIdentity;
  readonly after: FileIdentity;
}

/**
 * The edits that a move of files by the client needs: their own identity, if it matched their path, and every reference to them. Edits
 * refer to the files before the move. A file that changes its kind, or is no longer a config, changes nothing.
 */
export function moveEdits(project: Project, moves: readonly Move[]): readonly FileChange[] {
  const moved = movedFiles(project, moves);
  const edits = new Map<string, ((edit: JsonEdit) => void)[]>();
  const add = (path: string, change: (edit: JsonEdit) => void) => void edits.set(path, [...(edits.get(path) ?? []), change]);
  for (const file of moved) {
    add(file.from, (edit) => renameIdentity(edit, file, project));
    for (const reference of project.index.referencesTo(file.before.kind, file.before.id)) {
      if (reference.id === file.before.id) add(reference.file, (edit) => redirect(edit, reference, file, project));
    }
    if (file.before.kind === 'system' && project.index.settings.environment === file.before.name)
      add(settingsPath, (edit) => edit.set('/environment', file.after.name));
  }
  for (const [name, to] of renamedAgents(moved, project)) {
    for (const reference of project.index.referencesTo('agent', name)) add(reference.file, (edit) => redirectTo(edit, reference, to));
  }
  return [...edits].flatMap(([path, changes]) =>
    editJson(project, path, (edit) => {
      for (const change of changes) change(edit);
    }),
  );
}

function movedFiles(project: Project, moves: readonly Move[]): readonly Moved[] {
  return moves.flatMap((move): Moved[] => {
    const [before, after] = [move.from, move.to].map((path) => identifyFile(path, project.index.settings));
    return before === undefined || after === undefined || before.kind !== after.kind || before.id === after.id
      ? []
      : [{ ...move, before, after }];
  });
}

export interface PayloadMoves {
  readonly moves: readonly Move[];
  /** Why payloads stay where they are. */
  readonly reasons: readonly string[];
}

/** Payloads are in a folder named after their agent or orchestration, so they move when it is renamed. */
export function payloadMoves(project: Project, moves: readonly Move[], t: Translate): PayloadMoves {
  const moved = movedFiles(project, moves);
  const renamed = new Map(renamedAgents(moved, project));
  for (const { before, after } of moved) if (before.kind === 'orchestration') renamed.set(before.name, after.name);
  const movedPayloads: Move[] = [];
  const reasons: string[] = [];
  for (const [name, to] of renamed) {
    const payloads = payloadsOf(name, project).filter((path) => moves.every(({ from }) => from !== path));
    if (payloads.length === 0) continue;
    const targets = payloads.map((from): Move => {
      const segments = from.split('/');
      const isBaseline = project.identityOf(from)?.kind === 'baseline';
      return {
        from,
        to: (isBaseline ? [...segments.slice(0, -1), `${to}.json`] : [...segments.slice(0, -2), to, ...segments.slice(-1)]).join('/'),
      };
    });
    const occupied = targets.find((target) => project.documentAt(target.to) !== undefined);
    if (isShared(name, project))
      reasons.push(t('The payloads of {0} stay where they are: both an agent and an orchestration have that name.', name));
    else if (occupied !== undefined) reasons.push(t('The payloads of {0} stay where they are: {1} already exists.', name, occupied.to));
    else movedPayloads.push(...targets);
  }
  return { moves: movedPayloads, reasons };
}

const nameFields: Readonly<Partial<Record<FileIdentity['kind'], string>>> = {
  agent: 'agent_name',
  llm: 'llm_id',
  prompt: 'name',
  orchestration: 'name',
};

function renameIdentity(edit: JsonEdit, { from, before, after }: Moved, project: Project): void {
  const value = project.documentAt(from)?.config?.value;
  const change = (field: string | undefined, old: string | undefined, next: string | undefined) => {
    if (field === undefined || next === undefined || old === next) return;
    const pointer = pointerOf(field);
    if (valueAt(value, pointer) === old) edit.replace(pointer, next);
  };
  change(nameFields[before.kind], before.name, after.name);
  change('version', before.version, after.version);
}

/** `name@version`, an id, or in `system_prompt_version` the version alone. */
function redirect(edit: JsonEdit, reference: Reference, { before, after }: Moved, project: Project): void {
  const { pointer } = reference;
  if (!pointer.endsWith('/system_prompt_version')) redirectTo(edit, reference, after.id);
  else if (before.name === after.name) edit.replace(pointer, after.version ?? '');
  else nameWholePrompt(edit, pointer, after.id, project.documentAt(reference.file)?.config?.value);
}

/** A prompt that no longer has the name of its agent is referenced by its full name. */
export function nameWholePrompt(edit: JsonEdit, pointer: string, id: string, value: Parameters<typeof valueAt>[0]): void {
  const whole = `${pointer.slice(0, pointer.lastIndexOf('/'))}/system_prompt`;
  if (valueAt(value, whole) !== undefined || !edit.isMember(pointer)) return;
  edit.rename(pointer, 'system_prompt').replace(pointer, id);
}

function redirectTo(edit: JsonEdit, { pointer }: Reference, id: string): void {
  if (pointer === '') return;
  // Sections of system.json and environments are named by their key.
  const [section, , ...rest] = segmentsOf(pointer);
  const isSection = rest.length === 0 && (section === 'llms' || section === 'agents');
  if (isSection && edit.isMember(pointer)) edit.rename(pointer, id);
  else if (edit.has(pointer)) edit.replace(pointer, id);
}

/** Agents of which all versions move to one new name. References without a version follow. */
function renamedAgents(moved: readonly Moved[], project: Project): ReadonlyMap<string, string> {
  const targets = new Map<string, Set<string>>();
  for (const { before, after } of moved) {
    if (before.kind !== 'agent') continue;
    targets.set(before.name, (targets.get(before.name) ?? new Set()).add(after.name));
  }
  const renamed = new Map<string, string>();
  for (const [name, to] of targets) {
    const [only] = to;
    const isWhole = project.index
      .versions(name)
      .every((version) => moved.some(({ before }) => before.kind === 'agent' && before.name === name && before.version === version));
    if (isWhole && to.size === 1 && only !== undefined && only !== name) renamed.set(name, only);
  }
  return renamed;
}
