import { newFileText } from '../config/newFileText.js';
import { pathOf } from '../config/paths.js';
import type { ProjectSettings } from '../config/projectSettings.js';
import type { JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import type { FileSystem } from '../ports.js';

/** A file that a command is about to create. */
export interface NewFile {
  /** Project path. */
  readonly path: string;
  readonly text: string;
}

/** The first is the file that was asked for; the others are what it needs. */
export type NewFiles = readonly [NewFile, ...NewFile[]];

/** A config file at its place, with the `$schema` of its kind on top. */
export function toNewFile(kind: Kind, id: string, settings: Pick<ProjectSettings, 'config_dir'>, value: JsonObject): NewFile {
  return { path: pathOf(kind, id, settings), text: newFileText(kind, value) };
}

/**
 * Writes new files, the one that was asked for last: an attempt that ends in the middle has not made it yet, so that the next one can go on.
 * @throws FileProblem, `exists` where a file is there already
 */
export async function writeNewFiles(files: Pick<FileSystem, 'writeText'>, created: readonly NewFile[]): Promise<void> {
  for (const { path, text } of created.toReversed()) await files.writeText(path, text, { exclusive: true });
}
