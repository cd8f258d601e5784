import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { readConfigFile } from '../config/parseConfigFile.js';
import { identifyFile } from '../config/paths.js';
import type { FileSystem } from '../ports.js';
import { affectedFiles } from './affectedFiles.js';

/** A file that has changed; `isNew` when it was added or removed. */
export interface ChangedFile {
  readonly path: string;
  readonly isNew: boolean;
}

export interface ChangedPaths {
  /** Number of config files among the changed files. */
  readonly changed: number;
  /** The changed files and those whose findings they may change; undefined stands for every file. */
  readonly paths: readonly string[] | undefined;
}

/** The files to check after a change. Files that are not config files are skipped. Reads files that the index lacks. */
export async function changedPaths(index: LoadedIndex, files: FileSystem, changed: readonly ChangedFile[]): Promise<ChangedPaths> {
  const configFiles = changed.flatMap((file) => {
    const identity = identifyFile(file.path, index.settings);
    return identity === undefined ? [] : [{ ...file, identity }];
  });
  if (configFiles.length === 0) return { changed: 0, paths: [] };
  for (const { path, identity } of index.files()) {
    if (!index.read.has(path)) index.set(await readConfigFile(files, path, identity));
  }
  const paths = new Set(configFiles.map(({ path }) => path));
  for (const { path, identity, isNew } of configFiles) {
    const references = [[], index.referencesFrom(path)];
    const affected = affectedFiles(index, { path, identity, isNew, references, hasOtherCases: identity.kind === 'payload' });
    if (affected === 'all') return { changed: configFiles.length, paths: undefined };
    for (const path of affected) paths.add(path);
  }
  return { changed: configFiles.length, paths: [...paths] };
}
