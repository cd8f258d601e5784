import * as fs from 'node:fs';

const openFiles = '/proc/self/fd';
const hasProc = process.platform === 'linux' && fs.existsSync(openFiles);

/**
 * Where an open file really is, without links. Undefined where that cannot be said, since another file has taken its place meanwhile.
 *
 * @param place where it was opened
 */
export function placeOfOpened(file: number, place: string): string | undefined {
  // The system knows. Of a file that was removed or replaced it says so behind the path.
  if (hasProc) return fs.readlinkSync(`${openFiles}/${file}`).replace(/ \(deleted\)$/, '');
  try {
    const real = fs.realpathSync.native(place);
    const [opened, found] = [fs.fstatSync(file), fs.lstatSync(real)];
    return found.dev === opened.dev && found.ino === opened.ino ? real : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}
