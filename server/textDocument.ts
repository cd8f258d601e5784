import type { Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver';
import type { ConfigFile, FileIdentity } from '../core/config/configFile.js';
import type { JsonReader } from '../core/config/jsonReader.js';
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
  /** Reads the versions of an open document, each after the one before. */
  readonly reader?: JsonReader | undefined;
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
  private readonly reader: JsonReader | undefined;
  private parsed: ConfigFile | undefined;
  private lineTable: TextLines | undefined;

  constructor({ uri, version, text, path, identity, reader }: TextDocumentInit) {
    this.uri = uri;
    this.version = version;
    this.text = text;
    this.path = path;
    this.identity = identity;
    this.reader = reader;
    this.isTooLarge = hasMoreBytes(text, maxTextBytes);
  }

  /** The same file with another text. */
  changed(version: number, text: string): ConfigDocument {
    const { uri, path, identity, reader } = this;
    return new ConfigDocument({ uri, version, text, path, identity, reader });
  }

  get config(): ConfigFile | undefined {
    if (this.parsed === undefined && this.path !== undefined && this.identity !== undefined && !this.isTooLarge)
      this.parsed = parseConfigFile(this.path, this.text, this.identity, this.reader?.read(this.text));
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
  let changed = document?.text ?? '';
  for (const [at, change] of changes.entries()) {
    if (!('range' in change) || change.range === undefined) {
      changed = change.text;
      continue;
    }
    // Whoever has asked about the document has had its lines counted.
    const lines = at === 0 && document !== undefined ? document.lines : new TextLines(changed);
    const start = lines.offsetAt(lines.decode(change.range.start, encoding));
    const end = lines.offsetAt(lines.decode(change.range.end, encoding));
    changed = changed.slice(0, Math.min(start, end)) + change.text + changed.slice(Math.max(start, end));
  }
  return changed;
}

/** A UTF-16 unit has one to three bytes in UTF-8, so the length decides for nearly every text. */
function hasMoreBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * 3 > limit && new TextEncoder().encode(text).length > limit;
}
