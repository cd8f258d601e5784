import type { Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver';
import type { ConfigFile, FileIdentity } from '../core/config/configFile.js';
import { parseConfigFile } from '../core/config/parseConfigFile.js';
import type { TextRange } from '../core/finding.js';
import type { JsonReader, TextChange } from '../core/jsonText/jsonReader.js';
import type { TextDifference } from '../core/jsonText/textDifference.js';
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
  /** How the text has become this one, where that is known. */
  readonly change?: TextChange | undefined;
  readonly lines?: TextLines | undefined;
}

/** A text, and how it differs from the one before where that is known. */
export interface ChangedText {
  readonly text: string;
  readonly difference: TextDifference | undefined;
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
  private readonly change: TextChange | undefined;
  private parsed: ConfigFile | undefined;
  private lineTable: TextLines | undefined;

  constructor({ uri, version, text, path, identity, reader, change, lines }: TextDocumentInit) {
    this.uri = uri;
    this.version = version;
    this.text = text;
    this.path = path;
    this.identity = identity;
    this.reader = reader;
    this.change = change;
    this.lineTable = lines;
    this.isTooLarge = hasMoreBytes(text, maxTextBytes);
  }

  /** The same file with another text. @param difference from this one, where it is known */
  changed(version: number, { text, difference }: ChangedText): ConfigDocument {
    const { uri, path, identity, reader } = this;
    const change = difference && { ...difference, before: this.text };
    const lines = difference && this.lineTable?.changed(text, difference);
    return new ConfigDocument({ uri, version, text, path, identity, reader, change, lines });
  }

  get config(): ConfigFile | undefined {
    if (this.parsed === undefined && this.path !== undefined && this.identity !== undefined && !this.isTooLarge)
      this.parsed = parseConfigFile(this.path, this.text, this.identity, this.reader?.read(this.text, this.change));
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
): ChangedText {
  let changed: ChangedText = { text: document?.text ?? '', difference: undefined };
  for (const [at, change] of changes.entries()) changed = applyChange(changed.text, at === 0 ? document : undefined, change, encoding);
  return changes.length === 1 && document !== undefined ? changed : { text: changed.text, difference: undefined };
}

/** @param document with the text before: whoever has asked about it has had its lines counted */
function applyChange(
  before: string,
  document: ConfigDocument | undefined,
  change: TextDocumentContentChangeEvent,
  encoding: PositionEncoding,
): ChangedText {
  if (!('range' in change) || change.range === undefined) return { text: change.text, difference: undefined };
  const { range, text: inserted } = change;
  const lines = document?.lines ?? new TextLines(before);
  const one = lines.offsetAt(lines.decode(range.start, encoding));
  const other = lines.offsetAt(lines.decode(range.end, encoding));
  const [start, endBefore] = [Math.min(one, other), Math.max(one, other)];
  const text = before.slice(0, start) + inserted + before.slice(endBefore);
  return { text, difference: { start, endBefore, endAfter: start + inserted.length } };
}

/** A UTF-16 unit has one to three bytes in UTF-8, so the length decides for nearly every text. */
function hasMoreBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * 3 > limit && new TextEncoder().encode(text).length > limit;
}
