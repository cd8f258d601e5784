import type { Position } from 'vscode-languageserver';
import { lineIndexAt, lineStarts } from '../core/jsonText/textPositions.js';

/** How a client counts the characters of a line. */
export type PositionEncoding = 'utf-8' | 'utf-16' | 'utf-32';

/** The lines of a text: CR, LF and CRLF each end one. */
export class TextLines {
  private readonly text: string;
  /** The offset at which each line begins; the first is 0. */
  readonly starts: readonly number[];

  constructor(text: string) {
    this.text = text;
    this.starts = lineStarts(text);
  }

  /** Past the end of a line (without its line break) or of the text means that end. */
  offsetAt({ line, character }: Position): number {
    if (line < 0) return 0;
    const start = this.starts[line];
    if (start === undefined) return this.text.length;
    return Math.min(start + Math.max(0, character), this.endOf(line));
  }

  /** Between CR and LF is the end of that line. */
  positionAt(offset: number): Position {
    const within = Math.max(0, Math.min(offset, this.text.length));
    const line = this.lineAt(within);
    const start = this.starts[line] as number;
    return { line, character: Math.min(within, this.endOf(line)) - start };
  }

  /** A position as another encoding counts it. */
  encode({ line, character }: Position, encoding: PositionEncoding): Position {
    if (encoding === 'utf-16' || this.starts[line] === undefined) return { line, character };
    const start = this.starts[line] as number;
    const end = Math.min(start + character, this.endOf(line));
    let units = 0;
    for (let at = start; at < end; at += codePointLength(this.text, at)) units += unitsAt(this.text, at, encoding);
    return { line, character: units };
  }

  /** A position that another encoding counts, in UTF-16 units. Inside a character means its start. */
  decode({ line, character }: Position, encoding: PositionEncoding): Position {
    const start = this.starts[line];
    if (encoding === 'utf-16' || start === undefined) return { line, character };
    const end = this.endOf(line);
    let at = start;
    for (let units = 0; at < end; at += codePointLength(this.text, at)) {
      units += unitsAt(this.text, at, encoding);
      if (units > character) break;
    }
    return { line, character: at - start };
  }

  private lineAt(offset: number): number {
    return lineIndexAt(this.starts, offset);
  }

  /** Where the characters of a line end and its line break begins. */
  private endOf(line: number): number {
    const next = this.starts[line + 1];
    if (next === undefined) return this.text.length;
    const isCrLf = this.text.charCodeAt(next - 1) === 0x0a && this.text.charCodeAt(next - 2) === 0x0d;
    return next - (isCrLf && next - 2 >= (this.starts[line] as number) ? 2 : 1);
  }
}

function codePointLength(text: string, at: number): 1 | 2 {
  return (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
}

/** A lone surrogate travels as U+FFFD, which has three bytes as it would itself. */
function unitsAt(text: string, at: number, encoding: PositionEncoding): number {
  const point = text.codePointAt(at) as number;
  if (encoding === 'utf-32') return 1;
  if (encoding === 'utf-16') return point > 0xffff ? 2 : 1;
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}
