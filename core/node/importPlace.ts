import { statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { toolFolders } from '../otherTools/index.js';

/** Where an import reads. */
export interface ImportPlace {
  /** The folder that no path leads out of. */
  readonly folder: string;
  /** The file or folder in it, with `/`; empty for all of it. */
  readonly entry: string;
}

/** The place of a file or folder; undefined where there is none. Of a file in `.kiro` and its like, the folder is the one that holds that. */
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
