import { filesByPath } from '../otherTools/facts.js';
import { readSource } from '../otherTools/read/readSource.js';
import { SourceFault } from '../otherTools/read/sourceFault.js';
import type { Inventory, ToolFile } from '../otherTools/toolFiles.js';
import { FileProblem, type FileSystem } from '../ports.js';
import { type FoundFile, findToolFiles } from './findToolFiles.js';

type Files = Pick<FileSystem, 'list' | 'readText'>;

/**
 * What other tools have in a project folder and those below it. What cannot be read is a file with a problem, and hides no other.
 *
 * @param skip project paths of folders that are left out, such as the config folder
 */
export async function readInventory(files: Files, skip: readonly string[] = []): Promise<Inventory> {
  const { files: found, unseen } = await findToolFiles(files, skip);
  const read: ToolFile[] = [];
  for (const file of found) read.push(await readToolFile(file, () => files.readText(file.path)));
  return toInventory(files, read, unseen);
}

/** The same files, of which some have changed. */
export async function rereadInventory(
  files: Files,
  { files: before, unseen }: Inventory,
  changed: ReadonlySet<string>,
): Promise<Inventory> {
  const read: ToolFile[] = [];
  for (const file of before) read.push(changed.has(file.path) ? await readToolFile(file, () => files.readText(file.path)) : file);
  return toInventory(files, read, unseen);
}

async function toInventory(files: Files, read: readonly ToolFile[], unseen: string | undefined): Promise<Inventory> {
  const fileAt = filesByPath({ files: read, exists: () => undefined });
  const own = read.filter((file) => file.kind.isOwn?.(file, fileAt) ?? true);
  const named = await namedFiles(files, own);
  return { files: own, ...(unseen !== undefined && { unseen }), exists: (path) => named.get(path) };
}

export async function readToolFile({ tool, kind, path, folder }: FoundFile, readText: () => string | Promise<string>): Promise<ToolFile> {
  const found: FoundFile = { tool, kind, path, folder };
  const broken = (message: string, range = { start: 0, end: 0 }, isSyntax = false): ToolFile => ({
    ...found,
    source: undefined,
    text: undefined,
    problem: { message, range, isSyntax },
    facts: {},
  });
  let text: string;
  try {
    text = await readText();
  } catch (error) {
    if (error instanceof FileProblem) return broken(error.message);
    throw error;
  }
  try {
    const source = await readSource(found.path, text);
    return { ...found, text, source, facts: found.kind.facts?.(source, found.folder) ?? {} };
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    return { ...broken(error.message, error.range, error.isSyntax), text };
  }
}

/** Whether the files that others name exist. Paths out of the project are skipped. */
async function namedFiles(files: Files, read: readonly ToolFile[]): Promise<ReadonlyMap<string, boolean>> {
  const named = new Map<string, boolean>();
  const folders = new Map<string, ReadonlySet<string>>();
  for (const path of new Set(read.flatMap(({ facts }) => facts.files ?? []))) {
    if (path.startsWith('..') || path.startsWith('/')) continue;
    const at = path.lastIndexOf('/');
    const folder = at < 0 ? '' : path.slice(0, at);
    try {
      if (!folders.has(folder)) folders.set(folder, new Set((await files.list(folder)).map(({ name }) => name)));
      named.set(path, folders.get(folder)?.has(path.slice(at + 1)) ?? false);
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      if (error.reason === 'not-found') named.set(path, false);
    }
  }
  return named;
}
