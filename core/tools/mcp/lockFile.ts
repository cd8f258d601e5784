import { ConfigInvalidError, StorageError } from '../../errors.js';
import type { McpLock } from '../../generated/types.js';
import type { Json } from '../../json.js';
import { findText } from '../../jsonText/findText.js';
import { FileProblem, type FileSystem } from '../../ports.js';
import { validateKind } from '../../schema/kindValidators.js';
import { emptyLock, lockText } from './lock.js';

/** Project path of the lock. @param config_dir of the project's settings */
export function lockPath(config_dir: string): string {
  return config_dir === '' ? 'mcp.lock.json' : `${config_dir}/mcp.lock.json`;
}

/**
 * The lock of a project; empty if there is none yet.
 * @throws ConfigInvalidError for a file that is not a lock: overwriting it would lose the pinned tools
 */
export async function readLock(files: FileSystem, path: string): Promise<McpLock> {
  let text: string;
  try {
    text = await files.readText(path);
  } catch (error) {
    if (error instanceof FileProblem && error.reason === 'not-found') return emptyLock;
    throw error;
  }
  let value: Json;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, '')) as Json;
  } catch (error) {
    throw notALock(path, error instanceof Error ? error.message : String(error));
  }
  const [first] = validateKind('lock', value);
  if (first !== undefined) throw notALock(path, `${first.pointer || 'the whole'} ${first.message ?? first.keyword}`);
  // The type is generated from the schema.
  return value as unknown as McpLock;
}

/** Writes the lock if it differs from the file. True if it was written. @throws StorageError */
export async function writeLock(files: FileSystem, path: string, lock: McpLock): Promise<boolean> {
  const text = lockText(lock);
  try {
    if ((await findText(files, path)) === text) return false;
    await files.writeText(path, text);
  } catch (error) {
    if (error instanceof FileProblem) throw new StorageError(error.message, { cause: error });
    throw error;
  }
  return true;
}

function notALock(path: string, words: string): ConfigInvalidError {
  return new ConfigInvalidError(
    `${path} is not the lock of MCP servers: ${words}. Repair it, or delete it to pin all tools as they are listed now.`,
    [],
  );
}
