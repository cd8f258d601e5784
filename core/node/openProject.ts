import { resolve } from 'node:path';
import type { Ports } from '../ports.js';
import { createProject, type ProjectOptions } from '../project/createProject.js';
import type { Project } from '../project/types.js';
import type { RunKeeping } from '../run/durableRun.js';
import { createJournal } from '../run/journal/journal.js';
import { thisProcess } from './holders.js';
import { createJournalFiles } from './journalFiles.js';
import { createNodePorts } from './nodePorts.js';
import { createModuleLoader, type LoadTools } from './ownTools/importTools.js';
import { createRecordFile, readRecordFile } from './recordFiles.js';
import { createRunLocks } from './runLocks.js';

export interface OpenProjectOptions extends ProjectOptions {
  /** The folder that holds `agentstack.json` or `config`. Default: the folder that the program runs in. */
  readonly directory?: string;
  /** Replaces individual ports, e.g. `secrets` from your own vault. */
  readonly ports?: Partial<Ports>;
  /** How the module that agentstack.json names under `tools` is loaded; `never` does not load it. Default: into this process. */
  readonly loadTools?: LoadTools | 'never';
}

/** Opens the project in a folder, the one that holds `agentstack.json` or `config`. Reads nothing yet. */
export function openProject(options?: OpenProjectOptions): Project;
export function openProject(directory: string, options?: Omit<OpenProjectOptions, 'directory'>): Project;
export function openProject(first: string | OpenProjectOptions = {}, second: OpenProjectOptions = {}): Project {
  const options: OpenProjectOptions = typeof first === 'string' ? { ...second, directory: first } : first;
  const root = resolve(options.directory ?? '.');
  const ports = createNodePorts(root, options.ports);
  const adapters = {
    ports,
    keeping: createRunKeeping(root, ports),
    records: { create: (path: string) => createRecordFile(root, path), read: readRecordFile },
    loadModule: createModuleLoader(root, options.loadTools),
  };
  return createProject(adapters, options);
}

/** The storage for runs of the project in `root` (an absolute path), for this process. Writes nothing yet. */
export function createRunKeeping(
  root: string,
  { files, random, knownSecrets }: Pick<Ports, 'files' | 'random' | 'knownSecrets'>,
): RunKeeping {
  const storage = createJournalFiles(root);
  const writer = `agent-stack ${process.env.AGENT_STACK_VERSION ?? '0'}`;
  const journal = createJournal({ storage, files, random, writer, process: () => ({ ...thisProcess() }) });
  return { files, storage, locks: createRunLocks(root), journal, ...(knownSecrets && { knownSecrets }) };
}
