import type { MaybePromise } from '../../ports.js';

/** A file that is only ever added to. */
export interface JournalFile {
  /** Adds text at the end; what it resolves for survives a power cut. Called one at a time, and never again once it failed. @throws FileProblem */
  append(text: string): Promise<void>;
}

/** What a journal needs from outside: `core/node` has it for Node. Paths are project paths. */
export interface JournalFiles {
  /** Makes a file with a first text, name and text durable, and the folders above it. @throws FileProblem, also where it exists */
  create(path: string, text: string): MaybePromise<JournalFile>;
  /** The bytes of a file, piece by piece; a piece may be overwritten once the next is asked for. @throws FileProblem */
  read(path: string): AsyncIterable<Uint8Array>;
  /** CRC-32 (that of zlib and PNG) of bytes, or of the UTF-8 bytes of a text: 0 to 2^32 - 1. */
  checksum(data: string | Uint8Array): number;
}
