import type { MaybePromise } from '../ports.js';

/** The project's files as they were at some earlier time. Several requests may be on the way at once. */
export interface BaseFiles {
  /** The text of a file then, or undefined when it was not there. */
  readText(path: string): MaybePromise<string | undefined>;
}

/** Reads files at the base in the order given, with some requests always on the way, so that nobody waits for an answer that could be there. */
export function readAhead(base: BaseFiles, paths: readonly string[]): () => Promise<string | undefined> {
  const ahead = 64;
  const asked: Promise<() => string | undefined>[] = [];
  let next = 0;
  const ask = async (path: string) => {
    try {
      const text = await base.readText(path);
      return () => text;
    } catch (error) {
      // Thrown when its turn comes, not before somebody listens.
      return () => {
        throw error;
      };
    }
  };
  return async () => {
    while (next < paths.length && asked.length < ahead) asked.push(ask(paths[next++] as string));
    const answer = await asked.shift();
    return answer?.();
  };
}
