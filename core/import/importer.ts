import type { Draft } from './draft.js';
import type { ImportSource } from './types.js';

/** `sure`: a mark that only this tool has. `maybe`: nothing speaks against it. */
export type Recognised = 'sure' | 'maybe' | undefined;

/** How the agent files of one tool become ours. Pure: the same sources, the same draft. */
export interface Importer {
  /** For `--from`. */
  readonly id: string;
  /** With its article: `a Kiro agent`. */
  readonly what: string;
  /** The files and keys it is known by, for the list of known shapes. */
  readonly shape: string;
  /** Whether the tool fills in `${VAR}` in texts as we do. Default: such text is sent as it is. */
  readonly expandsVariables?: true;
  recognise(source: ImportSource): Recognised;
  /** Paths of the files that the source names, from its own folder. A file that is not there is left to `read`. */
  needs?(source: ImportSource): readonly string[];
  read(source: ImportSource, draft: Draft): void;
}
