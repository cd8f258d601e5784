import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { errorCode, toFileProblem } from './fileErrors.js';
import { type Holder, lookAt, thisProcess } from './holders.js';
import { realOrGiven } from './projectPaths.js';

/** After this, in ms, a file of a process on another machine or container counts as left over: writing a file takes moments. */
const longestWrite = 24 * 60 * 60 * 1000;

/** `.{file}.{process id}-{its start}-{machine}.{uuid}.tmp`; without the process from versions that did not write it. */
const pattern = /^\..+?\.(?:(\d+)-(\d*)-([0-9a-f]{8})\.)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

let self: { readonly holder: Holder; readonly machine: string } | undefined;

/** Where to write a file that is to be moved to `place` when complete. The name says which process writes it. */
export function temporaryPlace(place: string): string {
  const { holder, machine } = thisSelf();
  const name = `.${basename(place)}.${holder.pid}-${holder.started ?? ''}-${machine}.${globalThis.crypto.randomUUID()}.tmp`;
  return join(dirname(place), name);
}

/**
 * Removes the temporary files below a folder, and of the project folder itself, whose processes are gone. Links are not followed. A file that another
 * process has removed, or that may not be removed, is skipped.
 *
 * @param root absolute path of the project folder
 * @param folder project path
 */
export function tidyTemporaries(root: string, folder: string): void {
  tidy(realOrGiven(root), '');
  const open = [...insideProject(root, folder)];
  for (let place = open.pop(); place !== undefined; place = open.pop()) open.push(...tidy(place, `${folder}/`));
}

/** @returns the folders in it */
function tidy(place: string, shown: string): readonly string[] {
  const folders: string[] = [];
  for (const entry of entriesOf(place)) {
    const path = join(place, entry.name);
    if (entry.isDirectory()) folders.push(path);
    else if (entry.isFile() && isLeftBehind(path, entry.name)) remove(path, shown + entry.name);
  }
  return folders;
}

/** Where a folder is, links followed; empty if it does not exist, or is not inside the project. */
function insideProject(root: string, folder: string): readonly string[] {
  const project = realOrGiven(root);
  const place = realOrGiven(join(project, folder));
  return place.startsWith(project + sep) ? [place] : [];
}

function isLeftBehind(path: string, name: string): boolean {
  const match = pattern.exec(name);
  if (match === null) return false;
  const [, pid, started, machine] = match;
  const here = thisSelf();
  if (pid !== undefined && machine === here.machine) {
    return lookAt({ ...here.holder, pid: Number(pid), started: started || null }, here.holder) === 'gone';
  }
  const written = fs.lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  return written < Date.now() - longestWrite;
}

/** Empty for a folder that does not exist or may not be read. */
function entriesOf(place: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(place, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}

function remove(place: string, path: string): void {
  try {
    fs.unlinkSync(place);
  } catch (error) {
    if (!['ENOENT', 'EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) throw toFileProblem(error, path, 'written');
  }
}

function thisSelf() {
  if (self === undefined) {
    const holder = thisProcess();
    const { host, boot, namespace } = holder;
    const machine = createHash('sha256')
      .update(JSON.stringify([host, boot, namespace]))
      .digest('hex')
      .slice(0, 8);
    self = { holder, machine };
  }
  return self;
}
