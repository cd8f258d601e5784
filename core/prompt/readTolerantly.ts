import type { Issue } from '../errors.js';
import { type Json, pointerOf } from '../json.js';
import { maxDepth } from '../jsonText/jsonShape.js';
import { createRepairLog, type RepairLog } from './repairLog.js';
import { readScalar } from './tolerantScalar.js';
import { readString } from './tolerantString.js';

/** The result of reading one object or array. */
export interface Reading {
  /** Undefined if it could not be read to its end. */
  readonly value: Json | undefined;
  /** After the closing bracket, or the place of the fault. */
  readonly end: number;
  readonly repairs: RepairLog;
  /** Duplicate keys, and the fault that ended the reading. */
  readonly issues: readonly Issue[];
  /** Whether a `"key":` was seen: a failed reading without one was never meant as JSON. */
  readonly began: boolean;
  /** Brackets open at the fault. */
  readonly open: number;
  /** Whether the fault is inside a string that continues. */
  readonly inString: boolean;
}

export interface ReadOptions {
  /** Offset of the last end of a block comment in the text, or -1: an unclosed comment is then recognized at once. */
  readonly lastCommentEnd: number;
  /** The answer is known to be cut off: a missing bracket is then a fault, not a slip. */
  readonly cut: boolean;
}

/**
 * Reads the object or array that starts at `start`, tolerating small syntax errors: stray and missing commas, missing brackets, single
 * quotes, bare keys, comments, raw line breaks in strings, True/False/None. Each is noted; a value is never changed, and anything that
 * leaves its text in doubt (a cut string or number, a bare word, an unknown escape) is a fault. A code fence ends the text.
 * Iterative, and linear in what it reads.
 */
export function readTolerantly(text: string, start: number, options: ReadOptions): Reading {
  return new TolerantReader(text, start, options).read();
}

type Container = Json[] | { [key: string]: Json };

interface Frame {
  readonly container: Container;
  /** The key of the value being read or read last. */
  key: string;
}

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'separator';

/** More duplicate keys than a reader needs. */
const issueLimit = 20;
const word = /[A-Za-z_$][\w$]*/y;
const jsonSpaces = /[ \t\n\r]*/y;
const anySpaces = /\s*/y;
const fence = /```|~~~/y;
const slash = 0x2f;
const backtick = 0x60;
const tilde = 0x7e;

/** `at` only grows; `stack` holds the containers that are open, the innermost last; a fault ends the reading for good. */
class TolerantReader {
  readonly #text: string;
  readonly #options: ReadOptions;
  readonly #repairs = createRepairLog();
  readonly #issues: Issue[] = [];
  readonly #stack: Frame[] = [];
  #at: number;
  #expected: Expected = 'value';
  #lastComma: number;
  #began = false;
  #whole: Json | undefined;
  #faulty = false;
  #inString = false;

  constructor(text: string, start: number, options: ReadOptions) {
    this.#text = text;
    this.#options = options;
    this.#at = start;
    this.#lastComma = start;
  }

  read(): Reading {
    while (!this.#faulty && this.#whole === undefined) {
      this.#skipSpace();
      if (this.#isAtEnd()) this.#closeAtEnd();
      else this.#step(this.#text.charAt(this.#at));
    }
    return {
      value: this.#whole,
      end: this.#at,
      repairs: this.#repairs,
      issues: this.#issues,
      began: this.#began,
      open: this.#stack.length,
      inString: this.#inString,
    };
  }

  #step(unit: string) {
    if (unit === '}' || unit === ']') return this.#closeBracket(unit);
    switch (this.#expected) {
      case 'separator':
        return this.#readSeparator(unit);
      case 'first key':
      case 'key':
        return this.#readKey(unit);
      case 'colon':
        return this.#readColon(unit);
      case 'first value':
      case 'value':
        return this.#readValue(unit);
    }
  }

  #readSeparator(unit: string) {
    const inArray = this.#isInArray();
    if (unit === ',') {
      this.#lastComma = this.#at;
      this.#at += 1;
    } else if (!inArray && isQuote(unit) && /\s/.test(this.#text.charAt(this.#at - 1))) {
      // Without space between them, two strings in a row are more likely one whose inner quotes were not escaped.
      this.#repairs.note('missing comma', this.#at);
    } else return this.#fail(`Expected a comma or a closing bracket, found ${JSON.stringify(unit)}.`);
    this.#expected = inArray ? 'value' : 'key';
  }

  #readKey(unit: string) {
    const frame = this.#stack.at(-1);
    if (unit === ',') {
      this.#repairs.note('comma', this.#at);
      this.#at += 1;
      return;
    }
    if (isQuote(unit)) {
      const key = this.#readString();
      if (key === undefined) return;
      if (frame) frame.key = key;
    } else {
      const end = endOf(word, this.#text, this.#at);
      if (end === this.#at) return this.#fail(`Expected a key in quotes, found ${JSON.stringify(unit)}.`);
      this.#repairs.note('bare key', this.#at);
      if (frame) frame.key = this.#text.slice(this.#at, end);
      this.#at = end;
    }
    this.#expected = 'colon';
  }

  #readColon(unit: string) {
    if (unit !== ':') return this.#fail(`Expected a colon after the key, found ${JSON.stringify(unit)}.`);
    this.#at += 1;
    this.#began = true;
    this.#expected = 'value';
  }

  #readValue(unit: string) {
    if (unit === '{' || unit === '[') {
      if (this.#stack.length >= maxDepth) return this.#fail(`The answer is nested more than ${maxDepth} levels deep.`, 'depth');
      this.#stack.push({ container: unit === '{' ? {} : [], key: '' });
      this.#expected = unit === '{' ? 'first key' : 'first value';
      this.#at += 1;
      return;
    }
    if (isQuote(unit)) {
      const value = this.#readString();
      if (value !== undefined) this.#attach(value);
      return;
    }
    const scalar = readScalar(this.#text, this.#at);
    if ('problem' in scalar) return this.#fail(scalar.problem, scalar.keyword);
    if (scalar.isPython) this.#repairs.note('literal', this.#at);
    this.#at = scalar.end;
    this.#attach(scalar.value);
  }

  #readString(): string | undefined {
    const reading = readString(this.#text, this.#at, this.#repairs);
    this.#at = reading.end;
    if (reading.value === undefined) {
      this.#inString = reading.goesOn;
      this.#fail(reading.problem, reading.keyword);
    }
    return reading.value;
  }

  #closeBracket(bracket: '}' | ']') {
    const afterComma = this.#expected === 'key' || (this.#expected === 'value' && this.#isInArray());
    const canClose = afterComma || this.#expected === 'separator' || this.#expected === 'first key' || this.#expected === 'first value';
    const missing = this.#missingBrackets(bracket);
    // A bracket is considered missing only after a complete value.
    if (!canClose || missing < 0 || (missing > 0 && this.#expected !== 'separator'))
      return this.#fail(`Unexpected ${JSON.stringify(bracket)}.`);
    if (afterComma) this.#repairs.note('comma', this.#lastComma);
    if (missing > 0) this.#repairs.note('bracket', this.#at, missing);
    this.#at += 1;
    for (let count = 0; count <= missing; count += 1) this.#close();
  }

  #closeAtEnd() {
    if (this.#expected !== 'separator' || this.#options.cut) return this.#fail('The answer ends in the middle of its JSON.', 'truncated');
    this.#repairs.note('bracket', this.#at, this.#stack.length);
    while (this.#stack.length > 0) this.#close();
  }

  #close() {
    const frame = this.#stack.pop();
    if (!frame) return;
    if (this.#stack.length > 0) this.#attach(frame.container);
    else this.#whole = frame.container;
  }

  /** Puts a finished value into the innermost container. For a duplicate key the first value is kept. */
  #attach(value: Json) {
    const frame = this.#stack.at(-1);
    if (!frame) return;
    this.#expected = 'separator';
    if (Array.isArray(frame.container)) frame.container.push(value);
    else if (!Object.hasOwn(frame.container, frame.key)) define(frame.container, frame.key, value);
    else if (this.#issues.length < issueLimit) {
      this.#issues.push({
        path: this.#pointer(),
        keyword: 'duplicate-key',
        message: `The key ${JSON.stringify(frame.key)} is given twice.`,
      });
    }
  }

  #skipSpace() {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit > 0x20 && unit < 0x7f && unit !== slash) return;
      this.#at = endOf(jsonSpaces, this.#text, this.#at);
      const end = endOf(anySpaces, this.#text, this.#at);
      if (end > this.#at) this.#repairs.note('space', this.#at);
      this.#at = end;
      const comment = findComment(this.#text, this.#at, this.#options.lastCommentEnd);
      if (comment === undefined) return;
      this.#repairs.note('comment', this.#at);
      this.#at = comment;
    }
  }

  #isAtEnd(): boolean {
    if (this.#at >= this.#text.length) return true;
    const unit = this.#text.charCodeAt(this.#at);
    return (unit === backtick || unit === tilde) && endOf(fence, this.#text, this.#at) > this.#at;
  }

  #isInArray(): boolean {
    return Array.isArray(this.#stack.at(-1)?.container);
  }

  /** How many brackets are missing before this one fits: 0 when it closes the innermost, -1 when it closes nothing that is open. */
  #missingBrackets(bracket: '}' | ']'): number {
    const innermost = this.#stack.findLastIndex(({ container }) => Array.isArray(container) === (bracket === ']'));
    return innermost < 0 ? -1 : this.#stack.length - 1 - innermost;
  }

  #fail(message: string, keyword = 'syntax') {
    this.#faulty = true;
    this.#issues.push({ path: this.#pointer(), keyword, message });
  }

  /** The pointer of the value being read: if a key is expected, that of the object. */
  #pointer(): string {
    const awaitsKey = this.#expected === 'key' || this.#expected === 'first key';
    const frames = awaitsKey ? this.#stack.slice(0, -1) : this.#stack;
    return pointerOf(...frames.map(({ container, key }) => (Array.isArray(container) ? container.length : key)));
  }
}

function isQuote(unit: string): boolean {
  return unit === '"' || unit === "'";
}

/** The end of the comment that starts here; undefined when none does or it never ends. */
function findComment(text: string, at: number, lastEnd: number): number | undefined {
  if (text[at] !== '/') return undefined;
  if (text[at + 1] === '/') {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end + 1;
  }
  if (text[at + 1] !== '*' || at + 2 > lastEnd) return undefined;
  return text.indexOf('*/', at + 2) + 2;
}

function endOf(form: RegExp, text: string, at: number): number {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : at;
}

/** Plain assignment to `__proto__` would set the prototype and lose the key. */
function define(target: { [key: string]: Json }, key: string, value: Json): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
