import { statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { toolFolders } from '../otherTools/index.js';

/** The place that an import reads from. */
export interface ImportPlace {
  /** The folder that no path leads out of. */
  readonly folder: string;
  /** The file or folder in it, with `/`; empty for all of it. */
  readonly entry: string;
}

/** The place of a file or folder; undefined if it does not exist. For a file in `.kiro` and the like, `folder` is the parent of that. */
export function importPlace(path: string): ImportPlace | undefined {
  const whole = resolve(path);
  const stats = statSync(whole, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const segments = whole.split(sep);
  const tool = segments.findLastIndex((segment) => toolFolders.has(segment));
  if (tool > 0) {
    const folder = join(segments.slice(0, tool).join(sep), sep);
    return { folder, entry: relative(folder, whole).split(sep).join('/') };
  }
  return stats.isDirectory() ? { folder: whole, entry: '' } : { folder: dirname(whole), entry: basename(whole) };
}
