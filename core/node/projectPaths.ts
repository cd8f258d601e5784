import * as fs from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { errorCode, type FileAction, fileProblem, toFileProblem } from './fileErrors.js';

/** @param wanted the path to name in messages, if it is not this one. @throws FileProblem for a path that may lead out of the project */
export function checkPath(path: string, action: FileAction, wanted = path): void {
  for (const segment of path.split('/')) checkSegment(segment, wanted, action);
}

/** Like `checkPath`, for one name of a path. */
export function checkSegment(segment: string, path: string, action: FileAction): void {
  if (!isName(segment)) throw outside(path, action);
}

/** Whether it is the name of a file or folder: no way out of its folder, no second separator, no drive, and on Windows no stream of a file. */
export function isName(segment: string): boolean {
  if (segment === '' || segment === '.' || segment === '..' || segment.includes('\\') || segment.includes('\0')) return false;
  return !segment.includes(':') || (process.platform !== 'win32' && !/^[A-Za-z]:/.test(segment));
}

/** For a path that leads out of the project. */
export function outside(path: string, action: FileAction) {
  return fileProblem('outside-project', path, action, 'it is not inside the project folder. Use names in it, joined by /');
}

/** Where a project folder really is, without links; the given path if that cannot be determined. */
export function realOrGiven(root: string): string {
  try {
    return fs.realpathSync.native(root);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return resolve(root);
  }
}

/**
 * Where a folder of the project is on disk, created if missing; for files that the file system port does not support, such as those that
 * stay open. A link that leads out of the project is not followed.
 *
 * @param root absolute path of the project folder
 * @param folder project path
 * @throws FileProblem
 */
export function makeKeptFolder(root: string, folder: string): string {
  try {
    const project = fs.realpathSync.native(root);
    let place = project;
    for (const segment of folder.split('/')) {
      place = join(place, segment);
      try {
        fs.mkdirSync(place);
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
      place = fs.realpathSync.native(place);
      if (!place.startsWith(project.endsWith(sep) ? project : project + sep)) {
        throw fileProblem('outside-project', folder, 'written', 'it is not inside the project folder. Replace the link with a folder');
      }
    }
    if (!fs.statSync(place).isDirectory()) {
      throw fileProblem('io', folder, 'written', 'a part of its path is a file, not a folder. Rename or remove the file');
    }
    return place;
  } catch (error) {
    throw toFileProblem(error, folder, 'written');
  }
}
