import { pathToFileURL } from 'node:url';
import { moduleTools } from '../../tools/moduleTools.js';
import type { Tool } from '../../tools/types.js';

/** The tools that a module exports, loaded into this process. Node keeps a module, so a change of its file counts from the next process on. */
export async function importTools({ path }: { readonly path: string }): Promise<readonly Tool[]> {
  return moduleTools(await import(pathToFileURL(path).href));
}
