import type { TextRange } from '../finding.js';
import { parseString } from './decodedString.js';
import type { SyntaxFault } from './types.js';

/**
 * A prompt in a Markdown file as the JSON text that everything else reads, and where each part of that text is in the file. So rules, completion and
 * all other code work on one form of a prompt. All ranges are in `json`, except those of `members` and `body`.
 */
export interface PromptText {
  readonly json: string;
  /** What is not understood in the front matter, in `json`, which has the rest. */
  readonly faults: readonly SyntaxFault[];
  /** The template, without its quotes. */
  readonly template: TextRange;
  /** The template in the file. */
  readonly body: TextRange;
  /** The members of the front matter in the file. */
  readonly members: readonly Member[];
  /** Where a new member is inserted in the file; undefined without front matter. */
  readonly close: number | undefined;
  toFile(offset: number): number;
  fromFile(offset: number): number;
}

interface Member {
  readonly name: string;
  readonly key: TextRange;
  readonly value: TextRange;
  /** With its line end. */
  readonly lines: TextRange;
}

export function isPromptText(path: string): boolean {
  return path.endsWith('.md');
}

/** The JSON text of a file, whatever its format, and how offsets in it relate to the file. */
export function jsonTextOf(path: string, text: string): Pick<PromptText, 'json' | 'toFile' | 'fromFile'> {
  return isPromptText(path) ? readPromptText(text) : { json: text, toFile: same, fromFile: same };
}

function same(offset: number): number {
  return offset;
}

const fence = /^---[ \t]*$/;
const memberLine = /^("(?:[^"\\]|\\.)*"|[A-Za-z_$][\w$-]*)([ \t]*:(?:[ \t]+|$))?(.*)$/s;
const literal = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
/** What YAML 1.2 reads as something else than this text, and what JSON writes in another way. */
const notPlain =
  /^(?:[-?:](?:\s|$)|['&*!|>%@`#,\]}])|:(?:\s|$)|\s#|^(?:~|null|true|false|[-+]?\.inf|\.nan|0o[0-7]+|0x[\da-f]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?)$/i;

const wayOut = 'A field is one line, `name: value`; lists and objects are written as JSON: `variables: ["input.language"]`.';

/** Reads a Markdown prompt: front matter of `name: value` lines with JSON or plain values, and the template below it. */
export function readPromptText(text: string): PromptText {
  const writer = new Writer(text);
  writer.put('', text.startsWith('\ufeff') ? 1 : 0);
  const lines = linesOf(text, writer.end);
  const isFence = (line: TextRange) => fence.test(text.slice(line.start, line.end));
  const hasFence = lines[0] !== undefined && isFence(lines[0]);
  const last = hasFence ? lines.findIndex((line, index) => index > 0 && isFence(line)) : -1;
  const close = lines[last];
  writer.put('{', close === undefined ? writer.end : lines[0]?.end);
  const front = new FrontMatter(writer, text, lines.slice(1, Math.max(last, 1)));
  front.read();
  if (close !== undefined) {
    writer.copy(close.start);
    const next = lines[last + 1];
    // An empty line sets the template apart.
    const first = next !== undefined && next.start === next.end ? lines[last + 2] : next;
    writer.put('\n', first?.start ?? text.length);
  }
  writer.put('"template": ');
  const body = { start: writer.end, end: Math.max(writer.end, text.replace(/\r?\n$/, '').length) };
  const template = writer.string(body.end);
  writer.put('}', text.length);
  const { members, faults } = front;
  if (hasFence && close === undefined) faults.push(faultAt({ start: template.start, end: template.start + 3 }, unclosed));
  return { json: writer.json, faults, template, body, members, close: close?.start, ...mapsOf(writer.pieces) };
}

const unclosed =
  'The front matter that begins here has no end. Add a line with three hyphens (`---`) after its last field, above the template.';

class FrontMatter {
  readonly members: Member[] = [];
  readonly faults: SyntaxFault[] = [];
  private readonly writer: Writer;
  private readonly text: string;
  private readonly lines: readonly Line[];

  constructor(writer: Writer, text: string, lines: readonly Line[]) {
    this.writer = writer;
    this.text = text;
    this.lines = lines;
  }

  read(): void {
    for (let index = 0; index < this.lines.length; ) index = this.readAt(index);
  }

  /** @returns the index of the next line */
  private readAt(index: number): number {
    const line = this.lines[index] as TextRange;
    const written = this.text.slice(line.start, line.end);
    const [, key = '', colon = '', rest = ''] = memberLine.exec(written) ?? [];
    this.writer.copy(line.start);
    if (/^\s*(?:#.*)?$/.test(written)) this.blank(line);
    else if (key === '' || (colon === '' && rest !== '')) this.blank(line, `This line of the front matter is not understood. ${wayOut}`);
    else if (/^"?template"?$/.test(key)) this.blank(line, 'The text below the front matter is the template. Remove this line.');
    else return this.readMember(index, { start: line.start, end: line.start + key.length }, colon.length);
    return index + 1;
  }

  private readMember(index: number, key: TextRange, colon: number): number {
    const { writer, text, lines } = this;
    const written = text.slice(key.start, key.end);
    if (written.startsWith('"')) writer.copy(key.end);
    else writer.string(key.end);
    const start = key.end + colon;
    writer.copy(start);
    const line = lines[index] as TextRange;
    let end = start + text.slice(start, line.end).trimEnd().length;
    const value = text.slice(start, end);
    let next = index + 1;
    if (/^[[{"]/.test(value)) {
      // JSON may continue on the next lines, which YAML requires to be indented.
      for (; next < lines.length && /^[ \t]+\S/.test(text.slice(lines[next]?.start, lines[next]?.end)); next += 1)
        end = lines[next]?.end ?? end;
      writer.copy(end);
    } else if (value === '' || literal.test(value)) writer.copy(end);
    else {
      const range = writer.string(end);
      if (notPlain.test(value))
        this.faults.push(faultAt(range, `YAML may read this as something other than its text. Put it in double quotes. ${wayOut}`));
    }
    writer.put(',');
    const name = written.startsWith('"') ? (parseString(written) ?? written) : written;
    this.members.push({ name, key, value: { start, end }, lines: { start: key.start, end: lines[next - 1]?.next ?? text.length } });
    return next;
  }

  private blank({ start, end }: TextRange, message?: string): void {
    const at = this.writer.json.length;
    this.writer.put(' '.repeat(end - start), end);
    if (message !== undefined) this.faults.push(faultAt({ start: at, end: at + end - start }, message));
  }
}

function faultAt(range: TextRange, message: string): SyntaxFault {
  return { code: 'json-syntax', message, range, pointer: '' };
}

interface Line extends TextRange {
  /** Where the next line begins. */
  readonly next: number;
}

function linesOf(text: string, from: number): readonly Line[] {
  const lines: Line[] = [];
  for (let start = from; start < text.length; ) {
    const feed = text.indexOf('\n', start);
    const next = feed < 0 ? text.length : feed + 1;
    const end = feed < 0 ? next : text[feed - 1] === '\r' && feed > start ? feed - 1 : feed;
    lines.push({ start, end, next });
    start = next;
  }
  return lines;
}

/** A stretch of the file and what stands for it in the JSON text. Pieces cover both texts without gaps. */
interface Piece {
  readonly json: number;
  readonly file: number;
  readonly jsonLength: number;
  readonly fileLength: number;
  /** Inside a string, where an offset at its edge belongs. */
  readonly isText: boolean;
}

class Writer {
  json = '';
  /** The offset in the file up to which the JSON text is written. */
  end = 0;
  readonly pieces: Piece[] = [];
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  copy(end: number, isText = false): void {
    this.put(this.text.slice(this.end, end), end, isText);
  }

  put(json: string, end = this.end, isText = false): void {
    this.pieces.push({ json: this.json.length, file: this.end, jsonLength: json.length, fileLength: end - this.end, isText });
    this.json += json;
    this.end = end;
  }

  /** Text as a JSON string, with the line ends of Unix. @returns the range between its quotes */
  string(end: number): TextRange {
    this.put('"');
    const start = this.json.length;
    this.copy(this.end, true);
    const from = this.end;
    for (const { 0: special, index } of this.text.slice(from, end).matchAll(/\r\n|["\\\p{Cc}]/gu)) {
      this.copy(from + index, true);
      this.put(JSON.stringify(special === '\r\n' ? '\n' : special).slice(1, -1), from + index + special.length, true);
    }
    this.copy(end, true);
    const range = { start, end: this.json.length };
    this.put('"');
    return range;
  }
}

function mapsOf(pieces: readonly Piece[]): Pick<PromptText, 'toFile' | 'fromFile'> {
  /** The first piece that ends at an offset or after it. */
  const find = (offset: number, endOf: (piece: Piece) => number) => {
    let low = 0;
    let high = pieces.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (endOf(pieces[middle] as Piece) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    toFile(offset) {
      const { json, file, jsonLength, fileLength } = pieces[find(offset, (piece) => piece.json + piece.jsonLength)] as Piece;
      return file + (offset >= json + jsonLength ? fileLength : jsonLength === fileLength ? offset - json : 0);
    },
    fromFile(offset) {
      let first = find(offset, (piece) => piece.file + piece.fileLength);
      for (let index = first; index < pieces.length && (pieces[index] as Piece).file <= offset; index += 1)
        if (pieces[index]?.isText) {
          first = index;
          break;
        }
      const { json, file, jsonLength, fileLength } = pieces[first] as Piece;
      return json + (offset >= file + fileLength ? jsonLength : jsonLength === fileLength ? offset - file : 0);
    },
  };
}
