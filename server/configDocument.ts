import type { Position, Range } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { ConfigFile, FileIdentity } from '../core/config/configFile.js';
import { parseConfigFile } from '../core/config/parseConfigFile.js';
import type { TextRange } from '../core/finding.js';
import { jsonTextOf } from '../core/jsonText/promptText.js';
import type { Document } from './document.js';

/** Texts above this are not parsed, in UTF-8 bytes, as the file system refuses such files. */
export const maxTextBytes = 10 * 1024 * 1024;

export interface ConfigDocumentInit {
  readonly textDocument: TextDocument;
  readonly isOpen: boolean;
  readonly path: string | undefined;
  readonly identity: FileIdentity | undefined;
}

/** A document as the editor or the disk has it. */
export class ConfigDocument implements Document {
  readonly textDocument: TextDocument;
  readonly isOpen: boolean;
  readonly path: string | undefined;
  readonly identity: FileIdentity | undefined;
  readonly text: string;
  readonly fileText: string;
  private readonly places: ReturnType<typeof jsonTextOf>;
  /** Larger than config files may be: it is neither parsed nor checked. */
  readonly isTooLarge: boolean;
  private parsed: ConfigFile | undefined;

  constructor({ textDocument, isOpen, path, identity }: ConfigDocumentInit) {
    this.textDocument = textDocument;
    this.isOpen = isOpen;
    this.path = path;
    this.identity = identity;
    this.fileText = textDocument.getText();
    this.isTooLarge = isLonger(this.fileText, maxTextBytes);
    this.places = jsonTextOf(identity === undefined || this.isTooLarge ? '' : (path ?? ''), this.fileText);
    this.text = this.places.json;
  }

  get uri(): string {
    return this.textDocument.uri;
  }

  get version(): number | null {
    return this.isOpen ? this.textDocument.version : null;
  }

  get config(): ConfigFile | undefined {
    if (this.parsed === undefined && this.path !== undefined && this.identity !== undefined && !this.isTooLarge)
      this.parsed = parseConfigFile(this.path, this.fileText, this.identity);
    return this.parsed;
  }

  offsetAt(position: Position): number {
    return this.places.fromFile(this.textDocument.offsetAt(position));
  }

  positionAt(offset: number): Position {
    return this.textDocument.positionAt(this.toFile(offset));
  }

  toFile(offset: number): number {
    return this.places.toFile(offset);
  }

  /** A range of the file, such as that of a finding, as one of `text`. */
  fromFile({ start, end }: TextRange): TextRange {
    return { start: this.places.fromFile(start), end: this.places.fromFile(end) };
  }

  rangeOf({ start, end }: TextRange): Range {
    return { start: this.positionAt(start), end: this.positionAt(end) };
  }

  stretchOf({ start, end }: Range): TextRange {
    return { start: this.offsetAt(start), end: this.offsetAt(end) };
  }
}

/** Whether a text has more UTF-8 bytes than a limit. A UTF-16 unit takes at most three, so the length nearly always decides. */
function isLonger(text: string, bytes: number): boolean {
  return text.length > bytes || (text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes);
}

/** A file as it is on disk. */
export function diskDocument(uri: string, text: string, path?: string, identity?: FileIdentity): ConfigDocument {
  return new ConfigDocument({ textDocument: TextDocument.create(uri, 'json', 0, text), isOpen: false, path, identity });
}
