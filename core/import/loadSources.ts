import { besidePath } from '../besidePath.js';
import { isObject } from '../json.js';
import { positionsIn } from '../jsonText/textPositions.js';
import type { ImportSource } from '../otherTools/importSource.js';
import { importers, type ToolImporter, toolFolders } from '../otherTools/index.js';
import { hasOwnSchema } from '../otherTools/mark.js';
import { readSource as read } from '../otherTools/read/readSource.js';
import { SourceFault } from '../otherTools/read/sourceFault.js';
import { FileProblem, type FileSystem } from '../ports.js';
import { refusal, refusalOfOpened } from '../secrets/secretFiles.js';
import { ImportError } from './importError.js';

/** The files that an import reads. */
export type SourceFiles = Pick<FileSystem, 'readText' | 'readOpened' | 'list'>;

export interface LoadedSources {
  /** The files to import, each with the tool it is of. */
  readonly chosen: readonly { readonly source: ImportSource; readonly importer: ToolImporter }[];
  /** These and the files that they name, by path. */
  readonly sources: ReadonlyMap<string, ImportSource>;
  /** Files of a folder or named by a source that could not be read, and files that may not be read although a source names them. */
  readonly broken: readonly ImportError[];
}

/** Folders with many files, none of them an agent. */
const skipped: ReadonlySet<string> = new Set(['node_modules', '__pycache__', 'dist', 'build', 'venv']);
const limits = { files: 2000, depth: 8 };

/**
 * Reads a file, or the files of a folder that are agents of other tools, and what they name.
 *
 * @param entry path of the file or folder; empty for the whole of `files`
 * @param from id of the importer to use. Default: the one that recognises the file
 * @throws ImportError for a file that is broken or of no known shape, and for a folder without agents
 */
export async function loadSources(files: SourceFiles, entry: string, from?: string): Promise<LoadedSources> {
  const text = entry === '' ? undefined : await textOfFile(files, entry);
  const sources = new Map<string, ImportSource>();
  const chosen: { source: ImportSource; importer: ToolImporter }[] = [];
  const broken: ImportError[] = [];
  const chosenImporter = from === undefined ? undefined : importers.find(({ id }) => id === from);
  if (text !== undefined) {
    const source = await readSource(entry, text);
    sources.set(entry, source);
    chosen.push({ source, importer: importerOf(source, chosenImporter) });
  } else {
    for (const path of await listFolder(files, entry)) {
      try {
        const source = await readSource(path, await files.readText(path));
        const fitting = candidates(source).filter((importer) => chosenImporter === undefined || importer === chosenImporter);
        if (fitting.length === 0 || isOurs(source)) continue;
        sources.set(path, source);
        chosen.push({ source, importer: fitting.length === 1 ? (fitting[0] as ToolImporter) : importerOf(source, chosenImporter) });
      } catch (error) {
        if (!(error instanceof ImportError || error instanceof FileProblem)) throw error;
        broken.push(error instanceof ImportError ? error : new ImportError(path, error.message));
      }
    }
    if (chosen.length === 0)
      throw (
        broken[0] ?? new ImportError(entry, `${entry === '' ? 'The folder' : entry} holds no agent file that is known. ${knownShapes()}`)
      );
  }
  for (const { source, importer } of chosen) {
    for (const named of importer.needs?.(source) ?? []) {
      const path = besidePath(source.path, named);
      if (path === undefined || sources.has(path)) continue;
      try {
        const text = await textOfNamed(files, path);
        if (text !== undefined) sources.set(path, await readSource(path, text));
      } catch (error) {
        // What is named may be anything, the file with the keys too.
        if (error instanceof ImportError) broken.push(error);
        else if (error instanceof RefusedFile) broken.push(new ImportError(source.path, error.message));
        else throw error;
      }
    }
  }
  return { chosen, sources, broken };
}

/** @throws ImportError naming file, line and column */
async function readSource(path: string, text: string): Promise<ImportSource> {
  try {
    const source = await read(path, text);
    const [duplicate] = source.duplicates ?? [];
    if (duplicate !== undefined) throw new SourceFault(duplicate.message, duplicate.range, true);
    return source;
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    const place = positionsIn(text)(error.range.start);
    throw new ImportError(path, `${path}:${place.line}:${place.column}: ${error.message}`, { place });
  }
}

/** A file that names others comes before them, since they are read with it. */
function importerOf(source: ImportSource, chosenImporter: ToolImporter | undefined): ToolImporter {
  if (isOurs(source)) throw new ImportError(source.path, `${source.path} is a file of Agent Stack already. Copy it into the project.`);
  const fitting = candidates(source);
  const [first, second] = fitting;
  if (chosenImporter !== undefined) {
    const isOther = !fitting.includes(chosenImporter) && first?.recognise(source) === 'sure';
    if (isOther) throw new ImportError(source.path, `${source.path} is ${first.what}, not ${chosenImporter.what}: leave out --from.`);
    return chosenImporter;
  }
  if (first === undefined) throw new ImportError(source.path, `${source.path} has no known shape of an agent file. ${knownShapes()}`);
  if (second !== undefined)
    throw new ImportError(
      source.path,
      `${source.path} may be ${fitting.map(({ what }) => what).join(' or ')}. Say which: --from ${fitting.map(({ id }) => id).join(' or --from ')}.`,
      { choices: fitting.map(({ id }) => id) },
    );
  return first;
}

/** Those that are sure; where none is, those that cannot tell. */
function candidates(source: ImportSource): readonly ToolImporter[] {
  const answers = importers.map((importer) => ({ importer, is: importer.recognise(source) }));
  const sure = answers.filter(({ is }) => is === 'sure');
  return (sure.length > 0 ? sure : answers.filter(({ is }) => is === 'maybe')).map(({ importer }) => importer);
}

function knownShapes(): string {
  return `Known are ${importers.map(({ id, shape }) => `${id} (${shape})`).join('; ')}.`;
}

function isOurs({ value }: ImportSource): boolean {
  if (!isObject(value)) return false;
  return typeof value.agent_name === 'string' || hasOwnSchema(value);
}

async function textOfFile(files: Pick<FileSystem, 'readText'>, path: string): Promise<string | undefined> {
  try {
    return await files.readText(path);
  } catch (error) {
    if (error instanceof FileProblem && error.reason === 'is-directory') return undefined;
    if (error instanceof FileProblem) throw new ImportError(path, error.message);
    throw error;
  }
}

class RefusedFile extends Error {}

/** The text of a file that a source names; undefined if missing or outside the folder. @throws RefusedFile if it may hold secrets */
async function textOfNamed(files: SourceFiles, path: string): Promise<string | undefined> {
  const refused = refusal(path);
  if (refused !== undefined) throw new RefusedFile(refused);
  try {
    const opened = await files.readOpened(path);
    const why = refusalOfOpened(path, opened);
    if (why !== undefined) throw new RefusedFile(why);
    return opened.text;
  } catch (error) {
    if (error instanceof FileProblem) return undefined;
    throw error;
  }
}

/** The files of a folder that may be agents, those above before those below. */
async function listFolder(files: Pick<FileSystem, 'list'>, folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  let folders = [folder];
  for (let depth = 0; depth < limits.depth && folders.length > 0; depth++) {
    const below: string[] = [];
    for (const directory of folders) {
      for (const { name, kind } of await files.list(directory)) {
        const path = directory === '' ? name : `${directory}/${name}`;
        if (kind === 'directory' && !skipped.has(name) && (!name.startsWith('.') || toolFolders.has(name))) below.push(path);
        if (kind === 'file' && (/\.(?:jsonc?|ya?ml)$/i.test(name) || isAgentMarkdown(path))) paths.push(path);
      }
    }
    if (paths.length > limits.files)
      throw new ImportError(
        folder,
        `The folder holds more than ${limits.files} JSON and YAML files. Name the folder that holds the agents.`,
      );
    folders = below;
  }
  return paths;
}

/** Markdown that is not an agent is everywhere. */
function isAgentMarkdown(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  const tool = folders.findIndex((folder) => toolFolders.has(folder));
  return tool >= 0 && path.endsWith('.md') && folders.slice(tool + 1).some((folder) => folder === 'agent' || folder === 'agents');
}
