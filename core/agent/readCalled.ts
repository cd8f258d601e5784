import type { AgentTarget } from '../config/agentReference.js';
import type { ConfigFile } from '../config/configFile.js';
import { readConfigFile } from '../config/readConfigFile.js';
import { isObject } from '../json.js';
import type { FileSystem } from '../ports.js';
import type { AgentSource } from '../snapshot/types.js';

/**
 * Reads agent files until no called agent is missing: which agents a plan calls is known only once its layers have been merged.
 * @returns every file read, by `name@version`
 */
export async function readCalled(
  files: Pick<FileSystem, 'readText'>,
  resolve: (agents: ReadonlyMap<string, AgentSource>) => { readonly unread: readonly AgentTarget[] },
): Promise<ReadonlyMap<string, ConfigFile>> {
  const read = new Map<string, ConfigFile>();
  let { unread } = resolve(sourcesOf(read));
  while (unread.length > 0) {
    for (const { id, name, version, path } of unread) read.set(id, await readConfigFile(files, path, { kind: 'agent', name, version, id }));
    ({ unread } = resolve(sourcesOf(read)));
  }
  return read;
}

/** Agent files as they are resolved. One that is not a JSON object says nothing; that it is none is a finding of its own. */
export function sourcesOf(files: ReadonlyMap<string, ConfigFile>): ReadonlyMap<string, AgentSource> {
  return new Map([...files].map(([id, { path, value }]) => [id, { path, value: isObject(value) ? value : {} }]));
}
