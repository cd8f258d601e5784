import type { ConfigFile } from '../config/configFile.js';
import { loadProjectIndex } from '../config/loadProjectIndex.js';
import type { KnownFile, MemoryIndex } from '../config/memoryIndex.js';
import { identifyFile } from '../config/paths.js';
import type { Reference } from '../config/projectIndex.js';
import { collectReferences } from '../config/references.js';
import { ProjectCheck, type ProjectCheckOptions } from './projectCheck.js';
import { type SharedFiles, type SharedPart, takeNext } from './sharedFiles.js';

/** What a helper does: checks the files it gets hold of. It keeps no index of them, since memory is what a thread costs most. */
export async function checkPart(options: ProjectCheckOptions, shared: SharedFiles): Promise<SharedPart> {
  const paths = shared.paths.split('\n');
  const index = await loadProjectIndex(options.files, { agents: shared.twins });
  const gone: string[] = [];
  const unreadable: string[] = [];
  const references = new Map<string, Reference>();
  const remember = (file: ConfigFile) => {
    if (file.foreign) gone.push(file.path);
    else if (file.value === undefined) unreadable.push(file.path);
    else for (const reference of collectReferences(file)) references.set(`${reference.kind} ${reference.id}`, reference);
  };
  const check = new ProjectCheck(options, index, remember);
  for (let [at, end] = takeNext(shared, paths.length); at < end; [at, end] = takeNext(shared, paths.length)) {
    for (const path of paths.slice(at, end)) {
      const identity = identifyFile(path, index.settings);
      if (identity === undefined) throw new Error(`${path} is no agent file`);
      const taking = check.take(path, identity, true);
      const taken = typeof taking === 'string' ? taking : await taking;
      if (taken === 'gone') gone.push(path);
      if (taken === 'unreadable') unreadable.push(path);
    }
  }
  return { findings: check.findings, count: check.count, gone, unreadable, references: [...references.values()] };
}

/** Adds what a helper has found to what was found here, as if its files had been taken here. */
export function takeOver(part: SharedPart, files: Iterable<KnownFile>, check: ProjectCheck, index: MemoryIndex): void {
  for (const finding of part.findings) check.findings.push(finding);
  check.count += part.count;
  const gone = new Set(part.gone);
  const unreadable = new Set(part.unreadable);
  const references = new Map<string, Reference[]>();
  for (const reference of part.references) references.set(reference.file, [...(references.get(reference.file) ?? []), reference]);
  for (const { path, identity } of files) {
    if (gone.has(path)) index.remove(path);
    else if (unreadable.has(path)) index.setUnreadable(path, identity);
    else index.setReferences(path, identity, references.get(path) ?? []);
  }
}
