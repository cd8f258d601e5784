import * as fs from 'node:fs';
import { join, sep } from 'node:path';
import { errorCode, fileProblem, toFileProblem } from './fileErrors.js';

/**
 * Where a folder of the project is on disk, made where it is not there; for files that the file system port has no words for, such as those that
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
