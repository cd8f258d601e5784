import type { Position, Range } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ConfigFile } from '../core/config/configFile.js';
import type { TextRange } from '../core/finding.js';

/** One text at one version. Immutable: a change creates a new document, so everything derived from it is computed once. Positions are UTF-16. */
export interface Document {
  /** In the client's spelling. */
  readonly uri: string;
  /** The editor's version; null when the text comes from the disk. */
  readonly version: number | null;
  /** JSON text, to which all offsets refer. Of a prompt in Markdown, the JSON that stands for it. */
  readonly text: string;
  /** The text of the file. */
  readonly fileText: string;
  /** The text of the file, for libraries that take the protocol's documents. */
  readonly textDocument: TextDocument;
  /** Project path; undefined when the file is in no project. */
  readonly path: string | undefined;
  /** Parsed and validated, at first use; undefined for a file of no kind. Broken JSON has `value: undefined` and its faults in `syntax`. */
  readonly config: ConfigFile | undefined;
  /** A position past the end of a line or of the text means that end. */
  offsetAt(position: Position): number;
  positionAt(offset: number): Position;
  /** An offset in `text` as one in the file. */
  toFile(offset: number): number;
  /** A range of the file, such as that of a placed finding, as one of `text`. */
  fromFile(range: TextRange): TextRange;
  /** A stretch of the text (offsets, end exclusive) as an LSP range. */
  rangeOf(stretch: TextRange): Range;
  stretchOf(range: Range): TextRange;
}
