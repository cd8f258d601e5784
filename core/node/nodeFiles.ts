import * as fs from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { DirectoryEntry, FileSystem, OpenedFile, WriteOptions } from '../ports.js';
import { errorCode, type FileAction, fileProblem, toFileProblem } from './fileErrors.js';
import { checkReadable, placeOfOpened, readOpened } from './openedFile.js';
import { checkPath, checkSegment, outside, realOrGiven } from './projectPaths.js';
import { temporaryPlace } from './temporaryFiles.js';
import { fill, linkExclusively, openNew, syncFiles, syncFolder, writeAll } from './writeFiles.js';

/** How often a file that is replaced while it is read is reread. */
const mostTries = 3;

// A link in a file's place is not followed, and a pipe does not block.
const readFlags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);
const appendFlags = fs.constants.O_WRONLY | fs.constants.O_APPEND | fs.constants.O_CREAT | (fs.constants.O_NOFOLLOW ?? 0);

/**
 * The files of one project folder on disk. Works synchronously, since nothing here waits for a network. The real place of a folder is looked up
 * once and kept for the lifetime of this object.
 *
 * @param root path of the project folder; it may be a link itself
 */
export function createNodeFiles(root: string): FileSystem {
  const project = new ProjectFolder(root);
  const attempt = <Value>(path: string, action: FileAction, work: () => Value): Value => {
    try {
      return work();
    } catch (error) {
      throw toFileProblem(error, path, action);
    }
  };
  return {
    readText: (path) => attempt(path, 'read', () => project.read(path).text),
    readOpened: (path) => attempt(path, 'read', () => project.read(path)),
    list: (directory) => attempt(directory, 'listed', () => project.list(directory)),
    writeText: (path, text, options = {}) => attempt(path, 'written', () => project.writeText(path, text, options)),
    appendText: (path, text) => attempt(path, 'written', () => project.appendText(path, text)),
    remove: (path) => attempt(path, 'written', () => project.remove(path)),
    async sync(paths) {
      try {
        await project.sync(paths);
      } catch (error) {
        throw toFileProblem(error, paths.join(', '), 'written');
      }
    },
  };
}

function byName(left: DirectoryEntry, right: DirectoryEntry): number {
  return left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
}

class ProjectFolder {
  private readonly root: string;
  private readonly folders = new Map<string, string>();

  constructor(root: string) {
    this.root = realOrGiven(root);
  }

  read(path: string): OpenedFile {
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const opened = this.tryToRead(path);
      if (opened !== undefined) return opened;
    }
    throw fileProblem('io', path, 'read', 'it is replaced again and again. Try again');
  }

  /** Undefined for a file that was replaced meanwhile. */
  private tryToRead(path: string): OpenedFile | undefined {
    const { file, place: wanted } = this.openToRead(path);
    try {
      const stats = fs.fstatSync(file);
      checkReadable(path, stats);
      // A folder above may have become a link since its place was looked up, so only the file that is open now counts.
      const place = placeOfOpened(file, wanted);
      if (place === undefined) return undefined;
      if (!this.isInside(place)) throw outside(path, 'read');
      return { text: readOpened(path, file, stats.size), path: this.projectPath(place), names: stats.nlink };
    } finally {
      fs.closeSync(file);
    }
  }

  /** The entry at a path is looked up only if it cannot be opened directly: a link, or nothing. */
  private openToRead(path: string): { readonly file: number; readonly place: string } {
    if (fs.constants.O_NOFOLLOW !== undefined) {
      const place = this.place(path, 'read');
      try {
        return { file: fs.openSync(place, readFlags), place };
      } catch (error) {
        if (errorCode(error) === undefined) throw error;
      }
    }
    const { place, stats } = this.find(path, 'read');
    if (stats === undefined) throw fileProblem('not-found', path, 'read', 'it does not exist');
    checkReadable(path, stats);
    return { file: fs.openSync(place, readFlags), place };
  }

  list(directory: string): readonly DirectoryEntry[] {
    let folder: string;
    let dirents: fs.Dirent[];
    try {
      folder = this.folder(directory, 'listed');
      dirents = fs.readdirSync(folder, { withFileTypes: true });
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
    const entries = dirents.map((entry): DirectoryEntry => {
      const { name } = entry;
      if (entry.isSymbolicLink()) return { name, kind: this.linkedKind(join(folder, name)), isLink: true };
      return { name, kind: entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other' };
    });
    return entries.sort(byName);
  }

  writeText(path: string, text: string, { exclusive = false, readOnly = false, durable = true }: WriteOptions): void {
    checkPath(path, 'written');
    this.makeFolders(path);
    if (exclusive && !durable && this.writeNew(path, text, readOnly)) return;
    const { place, stats } = this.find(path, 'written');
    if (stats?.isDirectory()) throw fileProblem('is-directory', path, 'written', 'it is a folder. Rename or remove the folder');
    if (stats !== undefined && exclusive) throw fileProblem('exists', path, 'written', 'it exists already, and existing files are kept');
    const at = place.lastIndexOf(sep);
    const temporary = temporaryPlace(place);
    const mode = readOnly ? 0o444 : stats === undefined ? 0o666 : stats.mode & 0o777;
    let isMoved = false;
    try {
      fill(this.openNew(path, temporary), text, { mode: readOnly || stats !== undefined ? mode : undefined, durable });
      if (exclusive) linkExclusively(temporary, place, text, { mode, durable });
      else fs.renameSync(temporary, place);
      isMoved = !exclusive;
    } finally {
      if (!isMoved) fs.rmSync(temporary, { force: true });
    }
    if (durable) syncFolder(place.slice(0, at));
  }

  /** Writes in place, without a temporary file, for files that are not read before they are complete. False if something exists there already. */
  private writeNew(path: string, text: string, readOnly: boolean): boolean {
    const place = this.place(path, 'written');
    let file: number;
    try {
      file = this.openNew(path, place);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
    try {
      fill(file, text, { mode: readOnly ? 0o444 : undefined, durable: false });
      return true;
    } catch (error) {
      fs.rmSync(place, { force: true });
      throw error;
    }
  }

  remove(path: string): void {
    fs.rmSync(this.place(path, 'written'), { force: true });
  }

  sync(paths: readonly string[]): Promise<void> {
    return syncFiles(paths.map((path) => this.place(path, 'written')));
  }

  appendText(path: string, text: string): void {
    checkPath(path, 'written');
    this.makeFolders(path);
    const file = this.openToAppend(path);
    try {
      writeAll(file, text);
    } finally {
      fs.closeSync(file);
    }
  }

  /** A file at exactly its path, created if missing. Every writer appends, even the one that creates it: others may do so at once. */
  private openToAppend(path: string): number {
    const { place, stats } = this.find(path, 'written');
    if (stats !== undefined && !stats.isFile())
      throw fileProblem(stats.isDirectory() ? 'is-directory' : 'io', path, 'written', 'it is not a file');
    if (stats === undefined) {
      try {
        return this.openNew(path, place, 'ax');
      } catch (error) {
        // Another process has created it since.
        if (errorCode(error) !== 'EEXIST') throw error;
        return this.openToAppend(path);
      }
    }
    const file = fs.openSync(place, appendFlags, 0o666);
    try {
      this.checkOpened(file, path, place);
      return file;
    } catch (error) {
      fs.closeSync(file);
      throw error;
    }
  }

  /** A new file at exactly its path. */
  private openNew(path: string, place: string, flags: 'wx' | 'ax' = 'wx'): number {
    const file = openNew(place, flags);
    try {
      this.checkOpened(file, path, place);
      return file;
    } catch (error) {
      fs.closeSync(file);
      fs.rmSync(place, { force: true });
      throw error;
    }
  }

  /** A folder above may have become a link since its place was looked up. @throws FileProblem if the open file is not inside the project */
  private checkOpened(file: number, path: string, place: string): void {
    const opened = placeOfOpened(file, place);
    if (opened === undefined || !this.isInside(opened)) throw outside(path, 'written');
  }

  /** Where a project path really is, and what is there. Links are followed only inside the project. */
  private find(path: string, action: FileAction): { readonly place: string; readonly stats: fs.Stats | undefined } {
    const place = this.place(path, action);
    const stats = fs.lstatSync(place, { throwIfNoEntry: false });
    if (!stats?.isSymbolicLink()) return { place, stats };
    let target: string;
    try {
      target = fs.realpathSync.native(place);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      throw fileProblem('io', path, action, 'it is a link to nothing. Remove the link or restore its target', error);
    }
    if (!this.isInside(target)) throw outside(path, action);
    return { place: target, stats: fs.lstatSync(target) };
  }

  /** Where a path is, with its folders resolved but not the path itself. */
  private place(path: string, action: FileAction): string {
    const at = path.lastIndexOf('/');
    const name = path.slice(at + 1);
    checkSegment(name, path, action);
    const folder = at < 0 ? this.root : this.folder(path.slice(0, at), action, path);
    return folder.endsWith(sep) ? folder + name : folder + sep + name;
  }

  /** Where a folder of the project really is. @throws the system's error if it does not exist */
  private folder(directory: string, action: FileAction, path = directory): string {
    if (directory === '') return this.root;
    const resolved = this.folders.get(directory);
    if (resolved !== undefined) return resolved;
    checkPath(directory, action, path);
    const real = fs.realpathSync.native(join(this.root, directory));
    if (!this.isInside(real)) throw outside(path, action);
    this.folders.set(directory, real);
    return real;
  }

  /** From the top down, so that no folder is created through a link that leaves the project. */
  private makeFolders(path: string): void {
    const at = path.lastIndexOf('/');
    if (at < 0) return;
    const directory = path.slice(0, at);
    if (this.folders.has(directory)) return;
    this.makeFolders(directory);
    const place = this.place(directory, 'written');
    // The folder above may have become a link since.
    if (!this.isInside(fs.realpathSync.native(dirname(place)))) throw outside(path, 'written');
    try {
      fs.mkdirSync(place);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    if (!fs.statSync(place).isDirectory()) {
      throw fileProblem('io', path, 'written', 'a part of its path is a file, not a folder. Rename or remove the file');
    }
  }

  private linkedKind(place: string): DirectoryEntry['kind'] {
    try {
      const target = fs.realpathSync.native(place);
      if (!this.isInside(target)) return 'outside';
      const stats = fs.statSync(target);
      return stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : 'other';
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return 'other';
    }
  }

  /** The project path of a place inside. */
  private projectPath(place: string): string {
    const path = place.slice(this.root.length).replace(/^[\\/]/, '');
    return sep === '/' ? path : path.replaceAll(sep, '/');
  }

  private isInside(real: string): boolean {
    return real === this.root || real.startsWith(this.root.endsWith(sep) ? this.root : this.root + sep);
  }
}
