import type { TextRange } from '../finding.js';
import type { Json } from '../json.js';
import type { Position } from '../jsonText/textPositions.js';

/** A file of another tool, read. */
export interface ImportSource {
  /** From the folder that files of the import are read from, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly format: 'json' | 'yaml' | 'toml' | 'markdown' | 'text';
  /** What it holds; of Markdown the front matter, of a plain text null. */
  readonly value: Json;
  /** Of Markdown: the text below the front matter. */
  readonly body: string;
  /** Set where the front matter is not YAML and was read line by line: what is wrong with it. */
  readonly fault?: string;
  /** Where that is. */
  readonly faultRange?: TextRange;
  /** Keys that stand twice in one object; the last counts in `value`. */
  readonly duplicates?: readonly { readonly message: string; readonly range: TextRange }[];
  /** Where the key of the value at a pointer is, or the value itself in a list; of a pointer to nothing, the nearest one around it. */
  placeOf(pointer: string): Position;
  /** Where the value at a pointer is, or its key. Default: the value. */
  rangeOf(pointer: string, target?: 'key' | 'value'): TextRange;
}
