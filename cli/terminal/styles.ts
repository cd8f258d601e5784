import { visibleLines } from '../../core/visibleText.js';

/** Colours and weights of one output stream; every function returns its text unchanged when the stream has no colour. */
export interface Styles {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly blue: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** SGR codes that switch a style on and off (ECMA-48). */
const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
} as const;

const sgr = '\u001b\\[\\d{1,2}m';
/** One of our styles, or a Windows line ending, also one that a style ends in. */
const ours = new RegExp(`(${sgr}|\\r(?=(?:${sgr})*\\n))`);

/**
 * What may be written of a text for people: everything but our own styles that would move the cursor, reorder or hide text is spelled out,
 * wherever it
 * came from. All output goes through this one function, and what escapes its parts before only words them better.
 */
export function visibleOutput(text: string): string {
  if (/^[ -~\n\t]*$/.test(text)) return text;
  return text
    .split(ours)
    .map((part, index) => (index % 2 === 1 ? part : visibleLines(part)))
    .join('');
}

export function createStyles(colour: 'colour' | 'plain'): Styles {
  const style = (name: keyof typeof codes) => {
    const [on, off] = codes[name];
    return colour === 'plain' ? (text: string) => text : (text: string) => `\u001b[${on}m${text}\u001b[${off}m`;
  };
  return {
    bold: style('bold'),
    dim: style('dim'),
    red: style('red'),
    green: style('green'),
    yellow: style('yellow'),
    blue: style('blue'),
    cyan: style('cyan'),
  };
}

/**
 * Whether a stream gets colours: never with `--no-color` or a non-empty NO_COLOR; always with FORCE_COLOR (unless it says
 * `0` or `false`); otherwise on a terminal that is not `dumb`.
 */
export function colourOf(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv, args: readonly string[]): 'colour' | 'plain' {
  const { NO_COLOR, FORCE_COLOR, TERM } = env;
  const end = args.indexOf('--');
  if ((end < 0 ? args : args.slice(0, end)).includes('--no-color') || NO_COLOR) return 'plain';
  if (FORCE_COLOR !== undefined) return FORCE_COLOR === '0' || FORCE_COLOR === 'false' ? 'plain' : 'colour';
  return stream.isTTY && TERM !== 'dumb' ? 'colour' : 'plain';
}
