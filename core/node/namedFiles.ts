import { appendFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { toFileProblem } from './fileErrors.js';
import { createNodeFiles } from './nodeFiles.js';
import { realOrGiven } from './projectPaths.js';
import { makeFolders } from './writeFiles.js';

/** A file that the user has named, on a command line for example. Both throw FileProblem. */
export interface NamedFile {
  /** Writes the whole file, and creates the folders above it. */
  write(text: string): void;
  append(text: string): void;
}

/**
 * A file to write, by a path that the user has named. One in the project is written like all files of the project, through no link that leads out of
 * it: a repository may contain such a link. Any other is written where a shell would.
 *
 * @param root absolute path of the project
 * @param cwd absolute path of the folder that the path is relative to
 */
export function openNamedFile(root: string, path: string, cwd = process.cwd()): NamedFile {
  const place = resolve(cwd, path);
  const projectPath = inProject(realOrGiven(root), resolve(realOrGiven(cwd), path));
  if (projectPath !== undefined) {
    const files = createNodeFiles(root);
    return { write: (text) => void files.writeText(projectPath, text), append: (text) => void files.appendText(projectPath, text) };
  }
  const attempt = (act: () => void) => {
    try {
      act();
    } catch (error) {
      throw toFileProblem(error, path, 'written');
    }
  };
  return {
    write: (text) =>
      attempt(() => {
        makeFolders(dirname(place));
        writeFileSync(place, text);
      }),
    append: (text) => attempt(() => appendFileSync(place, text)),
  };
}

/** The project path of a file if its path, or its folder, is in the project. */
function inProject(project: string, place: string): string | undefined {
  const real = join(realOrGiven(dirname(place)), basename(place));
  const inside = [place, real].find((each) => each.startsWith(project + sep));
  return inside?.slice(project.length + 1).replaceAll(sep, '/');
}
