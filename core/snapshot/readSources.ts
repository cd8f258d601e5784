import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { parseConfigFile } from '../config/parseConfigFile.js';
import { identifyFile } from '../config/paths.js';
import { isObject, type JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import { FileProblem, type FileSystem } from '../ports.js';
import type { AgentSource } from './types.js';

export interface Sources {
  /** By id, as the index has them. */
  readonly sources: ReadonlyMap<string, AgentSource>;
  /** Files that are not JSON objects or cannot be read. */
  readonly unread: readonly string[];
}

/** The files of a kind, other tools' left out. The index learns who refers to whom. */
export async function readSources(files: FileSystem, index: LoadedIndex, kind: Kind): Promise<Sources> {
  const sources = new Map<string, AgentSource>();
  const unread: string[] = [];
  for (const [id, path] of index.ids(kind)) {
    const value = await readObject(files, index, path);
    if (value === undefined) unread.push(path);
    else if (value !== 'foreign') sources.set(id, { path, value });
  }
  return { sources, unread };
}

/** Undefined for a file that is not JSON or cannot be read; `foreign` for a file of another tool. */
async function readObject(files: FileSystem, index: LoadedIndex, path: string): Promise<JsonObject | 'foreign' | undefined> {
  const identity = identifyFile(path, index.settings);
  if (identity === undefined) return 'foreign';
  try {
    const file = index.read.get(path) ?? parseConfigFile(path, await files.readText(path), identity);
    // Who refers to whom is known only of files that were read.
    index.set(file);
    if (file.foreign !== undefined) return 'foreign';
    return isObject(file.value) ? file.value : undefined;
  } catch (error) {
    if (error instanceof FileProblem) return undefined;
    throw error;
  }
}
