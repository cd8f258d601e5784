import { withVersion } from '../config/fileText.js';
import { valueAt } from '../json.js';
import { applyReplacements, JsonEdit } from '../jsonText/jsonEdit.js';
import { parseJson } from '../jsonText/parseJson.js';
import type { ModelTable } from '../llm/modelTable.js';
import { refusedParameters } from '../llm/refusedParameters.js';
import type { FileSystem } from '../ports.js';
import { quoted } from '../words.js';
import type { AgentUse } from './agentUses.js';
import { type PlaceDecision, placeKey } from './places.js';

/** A place that is written, and the name that is written there. */
export interface Writing {
  readonly file: string;
  readonly pointer: string;
  readonly to: string;
  readonly decision: Exclude<PlaceDecision, { write: 'left' }>;
}

/** A file as it is, and as it will be. */
export interface FileChange {
  readonly file: string;
  /** The file that it is made of: itself, or of a new version the one that it is copied from. */
  readonly source: string;
  /** The text of `source`. */
  readonly before: string;
  readonly after: string;
  readonly action: 'change' | 'create';
}

/** An edit that the new model makes necessary. */
export interface ParameterEdit {
  readonly file: string;
  readonly pointer: string;
  /** Undefined: the member is removed. */
  readonly value: number | undefined;
  readonly note: string;
}

/** The texts after all edits. @throws FileProblem */
export async function editFiles(
  files: Pick<FileSystem, 'readText'>,
  writings: readonly Writing[],
  parameters: readonly ParameterEdit[],
): Promise<readonly FileChange[]> {
  const targets = new Map<string, { readonly source: string; readonly version: string | undefined; readonly edits: Writing[] }>();
  for (const writing of writings) {
    const { decision, file } = writing;
    const isNew = decision.write === 'new_version';
    const target = isNew ? decision.file : file;
    const entry = targets.get(target) ?? { source: file, version: isNew ? decision.version : undefined, edits: [] };
    entry.edits.push(writing);
    targets.set(target, entry);
  }
  const own = new Map<string, ParameterEdit[]>();
  for (const parameter of parameters) own.set(parameter.file, [...(own.get(parameter.file) ?? []), parameter]);
  const changes: FileChange[] = [];
  for (const file of new Set([...targets.keys(), ...own.keys()])) {
    const { source = file, version, edits = [] } = targets.get(file) ?? {};
    const before = await files.readText(source);
    const base = version === undefined ? before : (withVersion(source, before, version) ?? before);
    const edit = new JsonEdit(base);
    for (const { pointer, to } of edits) edit.replace(pointer, to);
    for (const { pointer, value } of own.get(file) ?? []) {
      if (value === undefined) edit.remove(pointer);
      else edit.replace(pointer, value);
    }
    changes.push({
      file,
      source,
      before,
      after: applyReplacements(base, edit.replacements()),
      action: version === undefined ? 'change' : 'create',
    });
  }
  return changes;
}

/**
 * The parameters that the new models refuse, where they are written: one that also counts for an agent whose model takes it stays, and is only left
 * out of the requests. A limit above that of the model is lowered to it.
 *
 * @param uses all of the project, with the new names in it
 * @param isMoved whether a use has one of the new models
 * @param textOf a file of that project
 */
export async function findParameterEdits(
  uses: readonly AgentUse[],
  isMoved: (use: AgentUse) => boolean,
  models: ModelTable,
  textOf: (path: string) => Promise<string | undefined>,
): Promise<readonly ParameterEdit[]> {
  const factsOf = ({ model, provider }: AgentUse) => models.find(model, provider);
  const names = new Set(['max_output_tokens', ...uses.filter(isMoved).flatMap((use) => factsOf(use)?.unsupported ?? [])]);
  const byPlace = new Map<string, { readonly file: string; readonly pointer: string; readonly name: string; readonly users: AgentUse[] }>();
  for (const use of uses) {
    for (const name of names) {
      const origin = Object.hasOwn(use.resolved.config, name) ? use.resolved.sources?.config.originAt([name]) : undefined;
      if (origin === undefined || origin.file === null) continue;
      const { file, pointer } = origin;
      const place = byPlace.get(placeKey(origin)) ?? { file, pointer, name, users: [] };
      place.users.push(use);
      byPlace.set(placeKey(origin), place);
    }
  }
  const edits: ParameterEdit[] = [];
  for (const { file, pointer, name, users } of byPlace.values()) {
    const moved = users.find(isMoved);
    if (moved === undefined) continue;
    const written = valueAt(parseJson((await textOf(file)) ?? '').value, pointer);
    if (written === undefined) continue;
    if (users.every((use) => refusedParameters(factsOf(use), use.resolved.llm.options).includes(name))) {
      if (written !== 1)
        edits.push({ file, pointer, value: undefined, note: `removes ${name} ${quoted(written)}, which ${moved.model} does not take.` });
      continue;
    }
    const limits = users.map((use) => factsOf(use)?.max_output_tokens);
    if (name !== 'max_output_tokens' || typeof written !== 'number' || !users.every(isMoved) || !limits.every(isNumber)) continue;
    const least = Math.min(...limits);
    if (written > least)
      edits.push({ file, pointer, value: least, note: `lowers ${name} from ${written} to ${least}, the most that ${moved.model} gives.` });
  }
  return edits;
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined;
}
