import type { TextRange } from '../finding.js';
import { parseString } from './decodedString.js';
import { maxDepth } from './jsonShape.js';
import { type Frame, SyntaxState } from './syntaxState.js';
import { type Token, tokenAt } from './syntaxTokens.js';
import { bareValue, characterName, quotedWord, stringFaults, wordHelp } from './syntaxWords.js';
import { positionsIn } from './textPositions.js';
import type { SyntaxFault } from './types.js';

/** Upper limit of reported faults: beyond that many, one mistake (a lost quote) explains the rest. */
const maxFaults = 50;

/**
 * Everything that keeps `text`, from `start` on, from being JSON (RFC 8259) with unique keys, in text order: at least one fault for
 * every text that `JSON.parse` refuses. Continues after errors whose meaning is clear (a comment, a missing comma, single quotes) and
 * stops where guessing would begin. Runs without recursion, so nesting cannot exhaust the stack.
 */
export function findSyntaxFaults(text: string, start: number): readonly SyntaxFault[] {
  return new FaultFinder(text, start).run();
}

class FaultFinder extends SyntaxState {
  private readonly start: number;
  /** Where the next token begins. */
  private at: number;
  private comma: TextRange = { start: 0, end: 0 };
  /** The last token that was neither a comment nor white space. */
  private last: TextRange;
  private fenced = false;

  constructor(text: string, start: number) {
    super(text);
    this.start = start;
    this.at = start;
    this.last = { start, end: start };
  }

  run(): readonly SyntaxFault[] {
    let going = true;
    while (going && this.faults.length < maxFaults) {
      const token = tokenAt(this.text, this.at);
      this.at = token.range.end;
      going = this.step(token);
    }
    return this.faults;
  }

  /** Processes one token; false ends the search. */
  private step(token: Token): boolean {
    if (token.type === 'end') return this.endOfFile();
    if (token.type === 'comment') return this.comment(token.range);
    const going = this.significant(token);
    this.last = { start: token.range.start, end: Math.max(token.range.end, this.at) };
    return going;
  }

  private significant({ type, range }: Token): boolean {
    switch (type) {
      case '{':
        return this.open('}', range);
      case '[':
        return this.open(']', range);
      case '}':
      case ']':
        return this.close(type, range);
      case ',':
        return this.takeComma(range);
      case ':':
        return this.takeColon(range);
      case 'string':
        return this.takeString(range);
      default:
        return this.takeWord(range);
    }
  }

  private open(close: Frame['close'], range: TextRange): boolean {
    if (!this.beginValue(range)) return false;
    this.frames.push({ close, start: range.start, keys: new Map(), key: '', index: 0 });
    this.expecting = close === '}' ? 'key-or-close' : 'value-or-close';
    if (this.frames.length <= maxDepth) return true;
    return this.stop(`Nested more than ${maxDepth} levels deep, which no config needs.`, range, '');
  }

  private close(bracket: Frame['close'], range: TextRange): boolean {
    const frame = this.frames.at(-1);
    if (frame === undefined) return this.stop(`A ${bracket} that closes nothing: no bracket is open here. Remove it.`, range);
    const opener = frame.close === '}' ? '{' : '[';
    if (frame.close !== bracket) {
      const line = this.lineOf(frame.start);
      return this.stop(`Found ${bracket} where the ${opener} of line ${line} is still open: expected ${frame.close} before it.`, range);
    }
    if (this.expecting === 'key' || this.expecting === 'value') {
      if (this.expecting === 'value' && bracket === '}') this.missingValue(range);
      else this.trailingComma(bracket);
    } else if (this.expecting === 'colon') this.missingValue(range);
    this.frames.pop();
    this.endValue();
    return true;
  }

  private takeComma(range: TextRange): boolean {
    const frame = this.frames.at(-1);
    if (this.expecting === 'end' || frame === undefined) {
      return this.stop(
        this.expecting === 'end' ? "A comma after the end of the file's value. Remove it." : 'Found a comma where a config begins with {.',
        range,
      );
    }
    if (this.expecting === 'colon' || (this.expecting === 'value' && frame.close === '}')) this.missingValue(range);
    else if (this.expecting !== 'comma-or-close') {
      this.report('json-syntax', 'A comma with nothing before it. Remove it, or write the missing value.', range);
    }
    frame.index += 1;
    this.comma = range;
    this.expecting = frame.close === '}' ? 'key' : 'value';
    return true;
  }

  private takeColon(range: TextRange): boolean {
    if (this.expecting === 'colon') {
      this.expecting = 'value';
      return true;
    }
    const frame = this.frames.at(-1);
    if (frame?.close === ']') {
      return this.stop('Found : in a list, which has no keys. Write {"key": value} for an object in it.', range);
    }
    return this.stop(`Found : where ${this.expected()} was expected.`, range);
  }

  private takeString(range: TextRange): boolean {
    const written = this.text.slice(range.start, range.end);
    const said = parseString(written);
    const faults = said === undefined ? stringFaults(this.text, range) : [];
    const asKey = this.expectsKey();
    const begun = asKey ? this.beginKey(said ?? written.slice(1, -1), range) : this.beginValue(range);
    if (!begun) return false;
    for (const fault of faults.slice(0, maxFaults)) this.report('json-syntax', fault.message, fault.range);
    if (faults.some((fault) => fault.unclosed)) return false;
    if (!asKey) this.endValue();
    return true;
  }

  /** Literals, numbers, and everything that is not a token of JSON. */
  private takeWord(range: TextRange): boolean {
    const { text } = this;
    const word = text.slice(range.start, range.end);
    const arrow = this.expecting === 'colon' ? /^(=>|->|=)/.exec(word)?.[0] : undefined;
    if (arrow !== undefined) return this.takeArrow({ start: range.start, end: range.start + arrow.length });
    if (this.last.end === range.start && text[range.start - 1] === '"' && this.last.end > this.last.start) return this.innerQuote(range);
    const quoted = quotedWord(text, range.start);
    if (quoted !== undefined) return this.takeMisquoted(quoted);
    if (word.startsWith('#')) return this.comment(this.toLineEnd(range));
    if (word.startsWith('```')) return this.takeFence(this.toLineEnd(range));
    if (/^(<{7}|={7}|>{7}|\|{7})/.test(word)) {
      return this.stop('An unresolved merge conflict. Choose one side and remove the marker lines.', this.toLineEnd(range));
    }
    if (this.expecting === 'colon' && wordHelp(word) !== '') return this.unexpected(word, range);
    return this.expectsKey() ? this.takeBareKey(word, range) : this.takeBareValue(word, range);
  }

  private takeArrow(range: TextRange): boolean {
    this.at = range.end;
    this.report('json-syntax', `Found ${this.describe(range)} after a key: JSON writes a colon there.`, range);
    this.expecting = 'value';
    return true;
  }

  private takeBareKey(word: string, range: TextRange): boolean {
    const isName = /^[\w$-][\w$.@-]*$/.test(word) || /^[\p{L}\p{N}_$-][\p{L}\p{N}_$.@-]*$/u.test(word);
    if (!isName) return this.unexpected(word, range);
    if (!this.beginKey(word, range)) return false;
    return this.report('json-syntax', `The key ${word} needs double quotes: "${word}".`, range);
  }

  private takeBareValue(word: string, range: TextRange): boolean {
    if (this.frames.length === 0 && this.expecting === 'value' && wordHelp(word) !== '') {
      const yaml = /^[ \t]*:([ \t]|[\r\n]|$)/.test(this.text.slice(range.end, range.end + 3)) || word === '---';
      return this.stop(`Found ${characterName(word)} where { was expected.${yaml ? ' A config is JSON, not YAML.' : ''}`, range);
    }
    const value = bareValue(this.text, range);
    if (value === undefined) return this.unexpected(word, range);
    this.at = value.range.end;
    if (!this.beginValue(value.range)) return false;
    if (value.message !== '') this.report('json-syntax', value.message, value.range);
    this.endValue();
    return true;
  }

  private innerQuote(range: TextRange): boolean {
    const message = `The text before ${this.describe(range)} ends at its quote: a " inside a text is written \\".`;
    return this.stop(message, { start: range.start - 1, end: range.end });
  }

  private takeMisquoted({ range, value, message }: { range: TextRange; value: string; message: string }): boolean {
    this.at = range.end;
    if (this.expectsKey()) {
      if (!this.beginKey(value, range)) return false;
      return this.report('json-syntax', message, range);
    }
    if (!this.beginValue(range)) return false;
    this.report('json-syntax', message, range);
    this.endValue();
    return true;
  }

  private takeFence(line: TextRange): boolean {
    const around = this.frames.length === 0 && (this.expecting === 'value' || this.expecting === 'end');
    if (!around) return this.stop('A Markdown fence in the middle of the file. Remove this line.', line);
    this.at = line.end;
    if (this.fenced) return true;
    this.fenced = true;
    return this.report('json-syntax', 'A Markdown fence around the file. Remove the lines that begin with ```.', line);
  }

  private comment(range: TextRange): true {
    this.at = range.end;
    return this.report('json-comment', 'A comment: JSON has none. Remove it, or keep the words in "description".', range);
  }

  private toLineEnd({ start }: TextRange): TextRange {
    const line = /[^\r\n]*/y;
    line.lastIndex = start;
    return { start, end: start + (line.exec(this.text)?.[0].length ?? 0) };
  }

  private beginKey(key: string, range: TextRange): boolean {
    const frame = this.frames.at(-1);
    if (frame === undefined) return false;
    if (this.expecting === 'comma-or-close') this.missingComma(range);
    frame.key = key;
    this.expecting = 'colon';
    const first = frame.keys.get(key);
    if (first === undefined) {
      frame.keys.set(key, range);
      return true;
    }
    const line = this.lineOf(first.start);
    const message = `The key ${this.keyName(key)} is given twice: readers keep one of the two and the other (line ${line}) silently vanishes.`;
    this.faults.push({ code: 'duplicate-key', message, range, pointer: this.pointer(), first });
    return true;
  }

  private beginValue(range: TextRange): boolean {
    if (this.expecting === 'value' || this.expecting === 'value-or-close') return true;
    if (this.expecting === 'comma-or-close') {
      // Only a string can begin the next entry of an object, and it was read as a key.
      if (this.frames.at(-1)?.close === '}')
        return this.stop(`Found ${this.describe(range)} where ${this.expected()} was expected.`, range);
      this.missingComma(range);
      return true;
    }
    if (this.expecting === 'colon') {
      this.report('json-syntax', `A colon is missing between the key ${this.keyName()} and its value.`, range);
      return true;
    }
    if (this.expecting === 'end') {
      return this.stop(`Found ${this.describe(range)} after the end of the file's value. A file holds one value; remove the rest.`, range);
    }
    return this.stop(`Found ${this.describe(range)} where ${this.expected()} was expected.`, range);
  }

  private endOfFile(): boolean {
    if (this.expecting === 'end') return false;
    const frame = this.frames.at(-1);
    if (frame === undefined) {
      if (this.last.end > this.start && this.fenced)
        return this.stop('There is nothing in the Markdown fence. Write { } at least.', this.last);
      const message =
        this.faults.length === 0
          ? 'The file is empty. A config is an object: write { } at least.'
          : 'The file holds no value. A config is an object: write { } at least.';
      return this.stop(message, { start: this.start, end: this.start });
    }
    const opener = frame.close === '}' ? '{' : '[';
    const others = this.frames.length === 1 ? '' : ` (${this.frames.length} brackets are open in all)`;
    const line = this.lineOf(frame.start);
    return this.stop(`The file ends while the ${opener} of line ${line} is still open${others}: expected ${this.expected()}.`, this.last);
  }

  private trailingComma(bracket: Frame['close']): void {
    // It belongs to the object or list, not to a nonexistent item.
    this.expecting = 'key';
    this.report('trailing-comma', `A comma before the closing ${bracket}: JSON allows none. Remove it.`, this.comma);
  }

  private lineOf(offset: number): number {
    return positionsIn(this.text)(offset).line;
  }

  private unexpected(word: string, range: TextRange): boolean {
    return this.stop(`Found ${characterName(word)} where ${this.expected()} was expected.`, range);
  }
}
