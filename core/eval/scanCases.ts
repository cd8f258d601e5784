import { createScanner } from 'jsonc-parser';
import type { TextRange } from '../finding.js';

/** A case and its ranges in the text of its file. */
export interface ScannedCase {
  /** As in `readCases`. */
  readonly name: string;
  readonly pointer: string;
  readonly range: TextRange;
  /** The key `expect`, or `turns` of a conversation; undefined if the case has none itself. */
  readonly expect: TextRange | undefined;
  /** The entries of its own `expect`; empty for a conversation. */
  readonly entries: readonly TextRange[];
  readonly tags: readonly string[];
  /** Whether the case or its data set has expectations. */
  readonly isTest: boolean;
}

export interface ScannedFile {
  /** False if a bracket is not closed or the root is not an object, as in a text that is being edited. */
  readonly isWhole: boolean;
  /** Whether it has `cases`. */
  readonly isSet: boolean;
  /** `expect` of a data set, which applies to all its cases. */
  readonly expect: TextRange | undefined;
  readonly entries: readonly TextRange[];
  readonly cases: readonly ScannedCase[];
}

/** The members of the file or of a case, as far as they have been scanned. */
interface Found {
  readonly start: number;
  end: number;
  name: string | undefined;
  expect: TextRange | undefined;
  entries: TextRange[];
  tags: string[];
  /** Whether it is an object; undefined if it is absent. */
  input: boolean | undefined;
  context: boolean | undefined;
  /** Undefined if it is not a conversation. */
  turns: { readonly key: TextRange; count: number; isTest: boolean } | undefined;
}

interface Frame {
  readonly isObject: boolean;
  readonly start: number;
  /** In an object: the key whose value comes next. */
  key: string | undefined;
  keyRange: TextRange;
  /** In a list. */
  index: number;
}

/** Values of `SyntaxKind` of jsonc-parser, a `const enum` that cannot be imported. */
const kinds = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, comma: 5, colon: 6, string: 10, end: 17 } as const;

/** Tokens between two pauses. */
const stride = 512;

/**
 * Finds the cases of a payload file and their ranges, in steps: scanning 10,000 cases at once would block the editor. The scan can be stopped at
 * each `yield`. In a text that is not valid JSON it finds what can be recognised.
 *
 * @param file name of the file without its extension
 */
export function* scanCases(file: string, text: string): Generator<undefined, ScannedFile> {
  const scanner = createScanner(text.replace(/^\ufeff/, ' '), true);
  const frames: Frame[] = [];
  const root = newFound(0);
  let cases: { readonly found: Found; readonly index: number }[] | undefined;
  let currentCase: Found | undefined;
  let isKey = false;
  let hasRoot = false;
  let tokens = 0;

  function begin(kind: number, range: TextRange, value: string): void {
    const [top, second] = [frames.at(-1), frames.at(-2)];
    const depth = frames.length;
    // The levels of a case: the root object, the list, the case itself.
    const isCase = cases !== undefined && depth === 2 && frames[0]?.key === 'cases' && top?.isObject === false;
    const owner = depth < 3 ? root : currentCase;
    const [base, talk] = currentCase === undefined ? [0, root.turns] : [2, currentCase.turns];
    // The levels of a turn below its owner: the list of turns, the turn, its `expect`.
    if (talk !== undefined && frames[base]?.key === 'turns' && frames[base + 1]?.isObject === false) {
      if (depth === base + 2 && kind === kinds.openBrace) talk.count += 1;
      if (depth === base + 4 && frames[base + 2]?.key === 'expect' && top?.isObject === false) talk.isTest = true;
    }
    const isMember = (depth === 1 || (depth === 3 && currentCase !== undefined)) && top?.isObject === true;
    if (isCase && kind === kinds.openBrace) currentCase = newFound(range.start);
    else if (isMember && owner !== undefined) member(owner, top.key, top.keyRange, kind, value, depth === 1);
    else if ((depth === 2 || (depth === 4 && currentCase !== undefined)) && top?.isObject === false && owner !== undefined) {
      if (second?.key === 'expect' && owner.expect !== undefined) owner.entries.push(range);
      if (second?.key === 'tags' && kind === kinds.string) owner.tags.push(value);
    }
  }

  function member(owner: Found, key: string | undefined, keyRange: TextRange, kind: number, value: string, isTop: boolean): void {
    const isList = kind === kinds.openBracket;
    const isObject = kind === kinds.openBrace;
    if (key === 'cases' && isTop) cases = isList ? [] : undefined;
    if (key === 'name') owner.name = kind === kinds.string ? value : undefined;
    if (key === 'input') owner.input = isObject;
    if (key === 'context') owner.context = isObject;
    if (key === 'tags') owner.tags = [];
    if (key === 'turns') owner.turns = isList ? { key: keyRange, count: 0, isTest: false } : undefined;
    if (key === 'expect') {
      owner.expect = isList ? keyRange : undefined;
      owner.entries = [];
    }
  }

  /** Closes the innermost value. */
  function end(stop: number, start: number): void {
    const frame = frames.at(-1);
    if (frame === undefined) return;
    const isEntry = !frame.isObject && frames.at(-2)?.key === 'expect';
    if (isEntry && (frames.length === 2 || (frames.length === 4 && currentCase !== undefined))) {
      const { entries } = frames.length === 2 ? root : (currentCase ?? root);
      const last = entries.at(-1);
      if (last?.start === start) entries[entries.length - 1] = { start, end: stop };
    }
    if (frames.length === 2 && currentCase !== undefined && cases !== undefined && !frame.isObject && frames[0]?.key === 'cases') {
      currentCase.end = stop;
      cases.push({ found: currentCase, index: frame.index });
      currentCase = undefined;
    }
  }

  for (let kind: number = scanner.scan(); kind !== kinds.end; kind = scanner.scan()) {
    if (++tokens % stride === 0) yield;
    const range = { start: scanner.getTokenOffset(), end: scanner.getTokenOffset() + scanner.getTokenLength() };
    const frame = frames.at(-1);
    if (kind === kinds.comma) {
      if (frame?.isObject) isKey = true;
      else if (frame !== undefined) frame.index += 1;
    } else if (kind === kinds.colon) isKey = false;
    else if (kind === kinds.closeBrace || kind === kinds.closeBracket) {
      const closed = frames.pop();
      isKey = false;
      if (closed !== undefined) end(range.end, closed.start);
    } else if (isKey && frame?.isObject && kind === kinds.string) {
      frame.key = scanner.getTokenValue();
      frame.keyRange = range;
    } else {
      if (frames.length === 0) hasRoot = kind === kinds.openBrace;
      begin(kind, range, kind === kinds.string ? scanner.getTokenValue() : '');
      const isObject = kind === kinds.openBrace;
      if (isObject || kind === kinds.openBracket) {
        frames.push({ isObject, start: range.start, key: undefined, keyRange: range, index: 0 });
        isKey = isObject;
      }
    }
  }
  return toFile(file, text.length, { root, cases, isWhole: hasRoot && frames.length === 0 });
}

function toFile(
  file: string,
  length: number,
  { root, cases, isWhole }: { root: Found; cases: readonly { found: Found; index: number }[] | undefined; isWhole: boolean },
): ScannedFile {
  const shared = { isWhole, isSet: cases !== undefined, expect: root.expect, entries: root.entries };
  if (cases === undefined) {
    if (!hasInput(root)) return { ...shared, cases: [] };
    const { tags } = root;
    const tested = testOf(root);
    const range = tested.expect ?? { start: 0, end: length };
    const only: ScannedCase = { name: file, pointer: '', range, ...tested, tags: [...new Set(tags)] };
    return { ...shared, cases: [only] };
  }
  return {
    ...shared,
    cases: cases.flatMap(({ found, index }): readonly ScannedCase[] => {
      const { name = '', tags, start, end } = found;
      if (!hasInput(found)) return [];
      const tested = testOf(found);
      return [
        {
          name: `${file}/${name === '' ? index + 1 : name}`,
          pointer: `/cases/${index}`,
          range: { start, end },
          ...tested,
          tags: [...new Set([...root.tags, ...tags])],
          isTest: root.entries.length > 0 || tested.isTest,
        },
      ];
    }),
  };
}

/** The expectations of a case itself, or of the turns of a conversation. */
function testOf({ expect, entries, turns }: Found): Pick<ScannedCase, 'expect' | 'entries' | 'isTest'> {
  return turns === undefined ? { expect, entries, isTest: entries.length > 0 } : { expect: turns.key, entries: [], isTest: turns.isTest };
}

/** As in `readCases`: a case with `expect` needs no input. */
function hasInput({ input, context, expect, turns }: Found): boolean {
  if (turns !== undefined) return turns.count > 0;
  if (input === undefined && context === undefined) return expect !== undefined;
  return input === true || context === true;
}

function newFound(start: number): Found {
  const nothing = { name: undefined, expect: undefined, input: undefined, context: undefined, turns: undefined };
  return { start, end: start, entries: [], tags: [], ...nothing };
}
