import type { MaybePromise } from '../../ports.js';

/** An append-only file. */
export interface JournalFile {
  /** Appends text; once it resolves, the text survives a power cut. Called one at a time, and never again after a failure. @throws FileProblem */
  append(text: string): Promise<void>;
}

/** The journal's port, implemented for Node in `core/node`. Paths are project paths. */
export interface JournalFiles {
  /** Creates a file with its first text, and its folders; its name and text are durable. @throws FileProblem, also if it exists */
  create(path: string, text: string): MaybePromise<JournalFile>;
  /** The bytes of a file in chunks; requesting the next chunk may overwrite the last. @throws FileProblem */
  read(path: string): AsyncIterable<Uint8Array>;
  /** CRC-32 (as in zlib and PNG) of bytes, or of the UTF-8 bytes of a text: 0 to 2^32 - 1. */
  checksum(data: string | Uint8Array): number;
}
