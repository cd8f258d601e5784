import type { ConfigFile } from '../../config/configFile.js';
import type { ProjectIndex } from '../../config/projectIndex.js';
import type { Json, JsonObject } from '../../json.js';

/** Two pointers of the file: where a value stands, and where it belongs. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Where what another tool keeps under a key belongs, when that is more than another name in the same object. */
export interface ForeignHome {
  readonly message: string;
  readonly moves?: readonly Move[];
  /** Files that take what stands here. */
  readonly files?: readonly NewFile[];
  /** Another file that takes it, and where in it. */
  readonly elsewhere?: { readonly path: string; readonly from: string; readonly to: string };
  /** What is written in its place, by pointer. */
  readonly sets?: { readonly [pointer: string]: Json };
  /** What goes for it. */
  readonly replaced?: readonly string[];
  /** Whether fix-all may do it. */
  readonly safe: boolean;
}

/** A key that the object at `segments`, whose schema knows the fields `names`, does not have. */
export interface ForeignKey {
  readonly file: ConfigFile;
  readonly project: ProjectIndex;
  readonly key: string;
  readonly segments: readonly string[];
  readonly names: readonly string[];
}

/** A file of the project that takes what stands elsewhere. */
export interface NewFile {
  /** Project path. */
  readonly path: string;
  readonly value: JsonObject;
  /** Pointers of what goes into it. */
  readonly from: readonly string[];
}
