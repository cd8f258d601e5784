import type { TextRange } from '../../core/finding.js';
import type { TextReplacement } from '../../core/jsonText/jsonEdit.js';
import { closerOf, openBrackets } from '../../core/jsonText/jsonShape.js';
import { tokenAt } from '../../core/jsonText/syntaxTokens.js';
import { closers, endsText } from '../../core/jsonText/syntaxWords.js';
import { shorten, trimEnd } from '../../core/words.js';

/** A syntax fault. */
export interface SyntaxSlip {
  readonly text: string;
  readonly range: TextRange;
  /** The message of the fault. */
  readonly message: string;
}

/** A guess at the intended text. */
export interface SyntaxRepair {
  readonly title: string;
  readonly replacements: readonly TextReplacement[];
  /** The repair is unambiguous. */
  readonly isPlain: boolean;
}

/** Every repair that may help, likeliest first. They are guesses, to be tried before one is offered. */
export function syntaxRepairs(slip: SyntaxSlip): readonly SyntaxRepair[] {
  return sources.flatMap((source) => source(slip));
}

type Source = (slip: SyntaxSlip) => readonly SyntaxRepair[];

const missingMark: Source = ({ text, range, message }) => {
  const mark = message.startsWith('A comma is missing') ? ',' : message.startsWith('A colon is missing') ? ':' : undefined;
  if (mark === undefined) return [];
  const at = endBefore(text, range.start);
  const title = mark === ',' ? 'Insert a comma' : 'Insert a colon';
  return [{ title, replacements: [{ start: at, end: at, text: mark }], isPlain: true }];
};

const arrow: Source = ({ text, range }) =>
  /^(?:=>|->|=)$/.test(text.slice(range.start, range.end))
    ? [{ title: 'Write a colon', replacements: [{ ...range, text: ':' }], isPlain: true }]
    : [];

/** A text in wrong quotes, as far as the fault marks it. */
const otherQuotes: Source = ({ text, range: { start, end } }) => {
  const closer = closers[text[start] ?? ''];
  // If the text ends elsewhere, part of it would be left over.
  if (closer === undefined || text[end - 1] !== closer || end - start < 2 || !endsText(text, end)) return [];
  // JSON escapes stay; the escape of another kind of quote is removed.
  const inside = text.slice(start + 1, end - 1).replace(/\\(.)|"/gs, (whole, escaped: string | undefined) => {
    if (escaped === undefined) return '\\"';
    return '"\\/bfnrtu'.includes(escaped) ? whole : escaped;
  });
  return [{ title: 'Write double quotes', replacements: [{ start, end, text: `"${inside}"` }], isPlain: true }];
};

const literals: Readonly<Record<string, string>> = {
  true: 'true',
  false: 'false',
  null: 'null',
  none: 'null',
  nil: 'null',
  undefined: 'null',
};

const literal: Source = ({ text, range }) => {
  const word = text.slice(range.start, range.end);
  const literal = Object.hasOwn(literals, word.toLowerCase()) ? literals[word.toLowerCase()] : plainNumber(word);
  if (literal === undefined || literal === word) return [];
  return [{ title: `Write ${literal}`, replacements: [{ ...range, text: literal }], isPlain: true }];
};

/** `+5`, `.5`, `5.`, `007` and `1_000` as JSON writes them. */
function plainNumber(word: string): string | undefined {
  if (!/^[+-]?(?:\d[\d_]*)?(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(word) || !/\d/.test(word)) return undefined;
  const number = word
    .replace(/^\+/, '')
    .replaceAll('_', '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?!\d)/, '');
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(number) ? number : undefined;
}

const bareWord: Source = ({ text, range, message }) => {
  const word = text.slice(range.start, range.end);
  if (!message.includes('needs double quotes') || /["\\]/.test(word)) return [];
  return [
    {
      title: `Write ${shorten(JSON.stringify(word), 40, '...')}`,
      replacements: [{ ...range, text: JSON.stringify(word) }],
      isPlain: message.startsWith('The key '),
    },
  ];
};

const wrongCharacter: Source = ({ text, range, message }) => {
  const written = text.slice(range.start, range.end);
  if (written.length === 1 && written < ' ')
    return [
      {
        title: `Write ${JSON.stringify(written).slice(1, -1)}`,
        replacements: [{ ...range, text: JSON.stringify(written).slice(1, -1) }],
        isPlain: true,
      },
    ];
  if (written.length !== 2 || written[0] !== '\\' || !message.includes('escape')) return [];
  return written === "\\'"
    ? [{ title: "Write '", replacements: [{ ...range, text: "'" }], isPlain: true }]
    : [{ title: `Write \\${written}`, replacements: [{ ...range, text: `\\${written}` }], isPlain: true }];
};

const stray: Source = ({ text, range, message }) => {
  const written = text.slice(range.start, range.end);
  if (written === ',' && (message.startsWith('A comma with nothing') || message.startsWith('A comma after the end')))
    return [{ title: 'Remove the comma', replacements: [{ ...range, text: '' }], isPlain: true }];
  if ((written === '}' || written === ']') && message.includes('closes nothing'))
    return [{ title: `Remove ${written}`, replacements: [{ ...range, text: '' }], isPlain: false }];
  return [];
};

const fence: Source = ({ text, message }) => {
  if (!message.startsWith('A Markdown fence around')) return [];
  const lines = [...text.matchAll(/^[ \t]*```[^\r\n]*(?:\r\n|\n|\r|$)/gm)];
  const replacements = lines.map(({ index, 0: line }) => ({ start: index, end: index + line.length, text: '' }));
  return [{ title: 'Remove the Markdown fence', replacements, isPlain: true }];
};

/** Closes the brackets that are open before a bracket of another kind, or at the end of the text. */
const unclosedBrackets: Source = ({ text, range, message }) => {
  if (!message.includes('still open')) return [];
  const isEnd = message.startsWith('The file ends');
  const until = isEnd ? text.length : range.start;
  const closers = openBrackets(text, until).map((at) => closerOf(text[at]) ?? '');
  if (closers.length === 0) return [];
  const closing = isEnd ? closers.reverse().join('') : (closers.at(-1) ?? '');
  const end = endBefore(text, until);
  const start = text[end - 1] === ',' ? end - 1 : end;
  return [{ title: `Close with ${shorten(closing, 40, '...')}`, replacements: [{ start, end, text: closing }], isPlain: false }];
};

/**
 * A text without its closing quote, or that continues on the next lines. Commas and brackets at the end of the line are taken for syntax, not
 * for text.
 */
const openString: Source = ({ text, range: { start, end }, message }) => {
  if (!message.includes('no closing "')) return [];
  const close = text.indexOf('"', end);
  // A quote followed by JSON syntax closes this text; the opening quote of another text is followed by letters.
  if (close > 0 && endsText(text, close + 1) && !/[\\{}[\]]$|":/m.test(text.slice(end, close))) return [writtenBreaks(text, end, close)];
  const key = /^"[\w$@.-]+(?=[ \t]*:)/.exec(text.slice(start, end))?.[0];
  const isKey = key !== undefined && /[{,]$/.test(text.slice(0, endBefore(text, start)));
  const at = isKey ? start + key.length : start + Math.max(1, trimEnd(text.slice(start, end), ' \t,]}').length);
  return [{ title: 'Close the text with "', replacements: [{ start: at, end: at, text: '"' }], isPlain: false }];
};

/** The line breaks of a text as JSON writes them. */
function writtenBreaks(text: string, start: number, end: number): SyntaxRepair {
  const replacements = [...text.slice(start, end).matchAll(/\r\n|\n|\r/g)].map(({ index, 0: lineBreak }) => ({
    start: start + index,
    end: start + index + lineBreak.length,
    text: '\\n',
  }));
  return {
    title: replacements.length === 1 ? 'Write \\n for the line break' : 'Write \\n for the line breaks',
    replacements,
    isPlain: false,
  };
}

const noValue: Source = ({ text, range, message }) => {
  if (!message.endsWith('has no value.')) return [];
  const at = endBefore(text, range.start);
  return [{ title: 'Write null', replacements: [{ start: at, end: at, text: text[at - 1] === ':' ? ' null' : ': null' }], isPlain: false }];
};

const empty: Source = ({ text, message }) =>
  message.startsWith('The file is empty')
    ? [{ title: 'Write an empty object', replacements: [{ start: text.length, end: text.length, text: '{}' }], isPlain: false }]
    : [];

const sources: readonly Source[] = [
  missingMark,
  arrow,
  otherQuotes,
  literal,
  bareWord,
  wrongCharacter,
  stray,
  fence,
  unclosedBrackets,
  openString,
  noValue,
  empty,
];

/** The end of the last token before an offset, ignoring comments. */
function endBefore(text: string, offset: number): number {
  let end = 0;
  for (let token = tokenAt(text, 0); token.type !== 'end' && token.range.start < offset; token = tokenAt(text, token.range.end))
    if (token.type !== 'comment') end = token.range.end;
  return Math.min(end, offset);
}
