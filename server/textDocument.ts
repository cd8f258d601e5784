import type { Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver';
import type { ConfigFile, FileIdentity } from '../core/config/configFile.js';
import { parseConfigFile } from '../core/config/parseConfigFile.js';
import type { TextRange } from '../core/finding.js';
import type { Document } from './document.js';
import { type PositionEncoding, TextLines } from './textLines.js';

/** Texts above this are not parsed, in UTF-8 bytes, as the file system refuses such files. */
export const maxTextBytes = 10 * 1024 * 1024;

export interface TextDocumentInit {
  readonly uri: string;
  readonly version: number | null;
  readonly text: string;
  readonly path: string | undefined;
  readonly identity: FileIdentity | undefined;
}

/** A document as the editor or the disk has it. */
export class ConfigDocument implements Document {
  readonly uri: string;
  readonly version: number | null;
  readonly text: string;
  readonly path: string | undefined;
  readonly identity: FileIdentity | undefined;
  /** UTF-8 bytes beyond what config files may have: it is neither parsed nor checked. */
  readonly isTooLarge: boolean;
  private parsed: ConfigFile | undefined;
  private lineTable: TextLines | undefined;

  constructor({ uri, version, text, path, identity }: TextDocumentInit) {
    this.uri = uri;
    this.version = version;
    this.text = text;
    this.path = path;
    this.identity = identity;
    this.isTooLarge = hasMoreBytes(text, maxTextBytes);
  }

  /** The same file with another text. */
  changed(version: number, text: string): ConfigDocument {
    const { uri, path, identity } = this;
    return new ConfigDocument({ uri, version, text, path, identity });
  }

  get config(): ConfigFile | undefined {
    if (this.parsed === undefined && this.path !== undefined && this.identity !== undefined && !this.isTooLarge)
      this.parsed = parseConfigFile(this.path, this.text, this.identity);
    return this.parsed;
  }

  get lines(): TextLines {
    this.lineTable ??= new TextLines(this.text);
    return this.lineTable;
  }

  offsetAt(position: Position): number {
    return this.lines.offsetAt(position);
  }

  positionAt(offset: number): Position {
    return this.lines.positionAt(offset);
  }

  rangeOf({ start, end }: TextRange): Range {
    return { start: this.positionAt(start), end: this.positionAt(end) };
  }

  stretchOf({ start, end }: Range): TextRange {
    return { start: this.offsetAt(start), end: this.offsetAt(end) };
  }
}

/** The text of a document after the changes of one `didChange`, each of which is about the text the one before has left. */
export function applyChanges(
  document: ConfigDocument | undefined,
  changes: readonly TextDocumentContentChangeEvent[],
  encoding: PositionEncoding,
): string {
  return changes.reduce((text, change) => applyChange(text, change, encoding), document?.text ?? '');
}

function applyChange(before: string, change: TextDocumentContentChangeEvent, encoding: PositionEncoding): string {
  if (!('range' in change) || change.range === undefined) return change.text;
  const { range, text: inserted } = change;
  const lines = new TextLines(before);
  const one = lines.offsetAt(lines.decode(range.start, encoding));
  const other = lines.offsetAt(lines.decode(range.end, encoding));
  return before.slice(0, Math.min(one, other)) + inserted + before.slice(Math.max(one, other));
}

/** A UTF-16 unit has one to three bytes in UTF-8, so the length decides for nearly every text. */
function hasMoreBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * 3 > limit && new TextEncoder().encode(text).length > limit;
}
