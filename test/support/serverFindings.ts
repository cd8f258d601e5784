import type { PlacedFinding } from '../../core/finding.js';
import { createService } from '../../server/service.js';
import { memoryHost, memoryRoot } from '../fuzz/memoryHost.js';
import type { TestProject } from './checkProject.js';
import { documentOf } from './documentOf.js';

/** What the language server finds in a project of these files, before it is told as LSP says it: in the same form as `checkProject`, in no order. */
export async function serverFindings({ files, base, variables }: TestProject): Promise<readonly PlacedFinding[]> {
  const environment = { get: (name: string) => (variables.includes(name) ? 'set' : undefined), names: () => variables };
  const openCommitted = () => ({ read: () => Promise.resolve(base), close: () => undefined });
  const host = { ...memoryHost(Object.fromEntries(files)), environment, openCommitted };
  const logger = {
    log(_level: string, message: string, fields?: Readonly<Record<string, unknown>>) {
      throw new Error(message, { cause: fields?.error });
    },
  };
  const service = createService({ host, features: [], client: {}, logger, folders: [memoryRoot] });
  // Only open files are compared with how they were committed.
  if (base.size > 0) for (const [path, text] of files) service.setDocument(documentOf(text, host.toUri(`${memoryRoot}/${path}`)));
  service.start();
  await service.workspace.ready();
  const [project] = service.workspace.projects;
  if (project === undefined) return [];
  const paths = new Set([...files.keys(), ...project.unlisted]);
  const findAll = async () => (await Promise.all([...paths].map((path) => project.findings(path)))).flat();
  const found = await findAll();
  if (base.size === 0) return found;
  // Asked once, so the base is read; then it is there.
  await host.nextTurn();
  return findAll();
}
