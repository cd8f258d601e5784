import { checkProject } from '../check/checkProject.js';
import { newFileText } from '../config/fileText.js';
import { type LoadedIndex, loadProjectIndex } from '../config/loadProjectIndex.js';
import { addMcpServer } from '../config/mcpServers.js';
import { pathOf } from '../config/paths.js';
import type { PlacedFinding } from '../finding.js';
import { isObject } from '../json.js';
import { findText } from '../jsonText/findText.js';
import type { DraftKind } from '../otherTools/types.js';
import { overlayFiles } from '../overlayFiles.js';
import type { Environment, FileSystem } from '../ports.js';
import { findTakenName } from '../scaffold/findTakenName.js';
import { writeNewFiles } from '../scaffold/newFile.js';
import { type DraftFile, ImportDraft } from './draft.js';
import { ImportError } from './importError.js';
import { type LoadedSources, loadSources, type SourceFiles } from './loadSources.js';
import type { ImportNote, ImportPlan, PlannedFile } from './types.js';

export interface ImportRequest {
  /** The folder that the import reads from; no path leads out of it. */
  readonly files: SourceFiles;
  /** The file or folder in it; empty for all of it. */
  readonly entry: string;
  /** Id of the importer to use. */
  readonly from?: string | undefined;
  /** The name of the one agent of the import. */
  readonly name?: string | undefined;
  readonly project: FileSystem;
  readonly index: LoadedIndex;
  readonly variables: Environment;
}

/**
 * What an import would write into the project, and what it could not keep. Nothing is written.
 *
 * @throws ImportError for sources that cannot be imported, and for a name that not exactly one agent can get
 */
export async function planImport(request: ImportRequest): Promise<ImportPlan> {
  const loaded = await loadSources(request.files, request.entry, request.from);
  let draft = draftOf(loaded, request);
  if (request.name !== undefined) {
    const agents = [...draft.files.values()].filter(({ kind }) => kind === 'agent');
    if (agents.length !== 1)
      throw new ImportError(request.entry, `--name is for one agent, and there are ${agents.length}: import one file.`);
    draft = draftOf(loaded, request, request.name);
  }
  const notes: ImportNote[] = [...draft.notes];
  const obstacles: string[] = [];
  const files: PlannedFile[] = [];
  for (const file of inOrder(draft.files.values())) {
    const planned = await planFile(file, request, notes, obstacles);
    if (planned !== undefined) files.push(planned);
  }
  files.push(...(await planServers(draft, request, obstacles)));
  for (const { file, place, message } of loaded.broken) notes.push({ file, pointer: '', ...place, message: `Left out: ${message}` });
  if (files.length === 0)
    throw new ImportError(request.entry, ['Nothing in it can be imported.', ...notes.map(({ message }) => message)].slice(0, 4).join(' '));
  return {
    sources: loaded.chosen
      .filter(({ source }) => !draft.taken.has(source.path))
      .map(({ source: { path }, importer: { id, what } }) => ({ file: path, from: id, what })),
    files,
    notes: notes.sort(byPlace),
    obstacles,
    findings: obstacles.length > 0 ? [] : await findingsOf(files, request),
  };
}

/** The files that name others are read first, since those are read with them. */
function draftOf({ chosen, sources }: LoadedSources, { index }: ImportRequest, name?: string): ImportDraft {
  const draft = new ImportDraft({ sources, name, project: index });
  const namesOthers = ({ source, importer }: LoadedSources['chosen'][number]) => (importer.needs?.(source) ?? []).length > 0;
  for (const { source, importer } of [...chosen.filter(namesOthers), ...chosen.filter((each) => !namesOthers(each))]) {
    if (draft.taken.has(source.path)) continue;
    draft.expandsVariables = importer.expandsVariables === true;
    importer.read(source, draft);
  }
  draft.finish();
  return draft;
}

const order: readonly DraftKind[] = ['agent', 'payload', 'orchestration', 'persona', 'prompt', 'llm', 'system'];

function inOrder(files: Iterable<DraftFile>): readonly DraftFile[] {
  return [...files].sort((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind));
}

async function planFile(
  { kind, id, value, at }: DraftFile,
  { project, index }: ImportRequest,
  notes: ImportNote[],
  obstacles: string[],
): Promise<PlannedFile | undefined> {
  const path = pathOf(kind, id, index.settings);
  const text = newFileText(kind, value);
  const there = await findText(project, path);
  if (there === text) return { path, text, action: 'same' };
  const taken = kind === 'system' ? (there === undefined ? undefined : { path }) : findTakenName(index, kind, id.split('@')[0] ?? id);
  if (kind === 'system' && taken !== undefined) {
    notes.push({
      file: at.source.path,
      pointer: at.pointer,
      ...at.source.placeOf(at.pointer),
      message: `${path} is there already and stays as it is. Add to it what you need: ${JSON.stringify(value)}`,
    });
    return undefined;
  }
  if (there !== undefined || taken !== undefined) {
    const other = there !== undefined ? path : (taken?.path ?? path);
    const way =
      kind === 'agent'
        ? 'Import one file and choose another name with --name, or move the file away.'
        : 'Move it away, or import into another project.';
    obstacles.push(`${other} is there already and is not overwritten. ${way}`);
  }
  return { path, text, action: 'create' };
}

/** mcp.json with the servers of the import, where it has them not yet. */
async function planServers(
  { servers }: ImportDraft,
  { project, index }: ImportRequest,
  obstacles: string[],
): Promise<readonly PlannedFile[]> {
  if (servers.size === 0) return [];
  const path = pathOf('mcp', 'mcp', index.settings);
  const before = await findText(project, path);
  const defined = index.value('mcp', 'mcp')?.servers;
  let text = before;
  for (const [id, { value }] of servers) {
    const there = isObject(defined) && Object.hasOwn(defined, id) ? defined[id] : undefined;
    if (there !== undefined) {
      if (JSON.stringify(there) !== JSON.stringify(value))
        obstacles.push(`${path} has another server ${JSON.stringify(id)} already, which is not overwritten. Rename one of them.`);
      continue;
    }
    const next = addMcpServer(text, id, value);
    if (next === undefined) {
      obstacles.push(`Expected a JSON object with \`servers\` in ${path}. Repair it first.`);
      break;
    }
    text = next;
  }
  if (text === undefined) return [];
  return [{ path, text, action: before === undefined ? 'create' : before === text ? 'same' : 'change' }];
}

/** What `check` will report about the files once they are written. */
async function findingsOf(files: readonly PlannedFile[], { project, index, variables }: ImportRequest): Promise<readonly PlacedFinding[]> {
  const written = overlayFiles(project, new Map(files.map(({ path, text }) => [path, text])));
  const { findings } = await checkProject({
    files: written,
    index: await loadProjectIndex(written, { registered: async () => index.registered }),
    variables,
    paths: files.map(({ path }) => path),
  });
  return findings;
}

function byPlace(left: ImportNote, right: ImportNote): number {
  return (left.file < right.file ? -1 : left.file > right.file ? 1 : 0) || left.line - right.line || left.column - right.column;
}

/**
 * Writes what a plan without obstacles holds: what others refer to first, the first agent last.
 *
 * @returns the paths of the files that were created or changed, the first agent first
 * @throws FileProblem, `exists` where a file has come in between
 */
export async function writeImport(files: Pick<FileSystem, 'writeText'>, plan: ImportPlan): Promise<readonly string[]> {
  for (const { path, text, action } of plan.files) if (action === 'change') await files.writeText(path, text);
  await writeNewFiles(
    files,
    plan.files.filter(({ action }) => action === 'create'),
  );
  return plan.files.filter(({ action }) => action !== 'same').map(({ path }) => path);
}
