import { FileProblem, type FileSystem } from '../ports.js';

/** The text of a project file; undefined if it does not exist or cannot be read. */
export async function findText(files: Pick<FileSystem, 'readText'>, path: string): Promise<string | undefined> {
  try {
    return await files.readText(path);
  } catch (error) {
    if (error instanceof FileProblem) return undefined;
    throw error;
  }
}
