import { findPlaceholders, type Placeholder } from './placeholders.js';

/** Text that begins with `${` and is not a placeholder, or not one that can mean what it seems to. `start` and `end` count UTF-16 units. */
export interface BrokenPlaceholder {
  /** `name`: closed, but its content is not a variable name. `code`: the same, and clearly an expression of some language. */
  readonly kind: 'nested' | 'unclosed' | 'empty' | 'name' | 'code';
  readonly start: number;
  readonly end: number;
}

/** The broken placeholders of a text, in order; at most the first 100. Linear in the length of the text. */
export function findBrokenPlaceholders(text: string): readonly BrokenPlaceholder[] {
  const broken: BrokenPlaceholder[] = [];
  const whole = new Map<number, Placeholder>();
  for (const placeholder of findPlaceholders(text)) whole.set(placeholder.start, placeholder);
  let close = -1;
  for (let at = text.indexOf('${'); at !== -1 && broken.length < most; ) {
    const placeholder = whole.get(at);
    if (placeholder !== undefined) {
      const { start, end, fallback } = placeholder;
      // The brace that the author meant to close the inner one is marked too.
      if (fallback?.includes('${')) broken.push({ kind: 'nested', start, end: text[end] === '}' ? end + 1 : end });
      at = text.indexOf('${', end);
      continue;
    }
    if (close !== none && close < at) close = nextOf(text, '}', at);
    const next = text.indexOf('${', at + 2);
    broken.push(brokenAt(text, at, close, next));
    // Another placeholder may be inside.
    at = next;
  }
  return broken;
}

/** Upper limit of reported placeholders: a text may consist of them entirely. */
const most = 100;

/** Means that no such character follows. */
const none = Number.POSITIVE_INFINITY;

function nextOf(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at === -1 ? none : at;
}

/** @param close offset of the next `}`, or `none` @param next offset of the next `${`, or -1 */
function brokenAt(text: string, start: number, close: number, next: number): BrokenPlaceholder {
  if (next !== -1 && next < close) {
    const before = text.slice(start + 2, Math.min(next, start + 2 + longest));
    if (next - start - 2 <= longest && /^[\w:.-]*$/.test(before)) {
      const last = text.indexOf('}', next);
      const end = last !== -1 && last - next <= longest ? (text[last + 1] === '}' ? last + 2 : last + 1) : next + 2;
      return { kind: 'nested', start, end };
    }
    return expressionAt(text, start) ?? unclosed(text, start);
  }
  const inside = close === none || close - start > longest ? undefined : text.slice(start + 2, close);
  if (inside === undefined || /[{\n\r]/.test(inside)) return expressionAt(text, start) ?? unclosed(text, start);
  const kind = inside.trim() === '' ? 'empty' : isCode(inside) ? 'code' : 'name';
  return { kind, start, end: close + 1 };
}

/** Longest name, fallback or expression that is examined. */
const longest = 300;

/** An expression that contains braces itself, perhaps over several lines: `${{ secrets.TOKEN }}`, `${items.map((item) => { ... })}`. */
function expressionAt(text: string, start: number): BrokenPlaceholder | undefined {
  let depth = 0;
  for (let at = start + 1; at < text.length && at - start <= longest; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}') depth -= 1;
    if (depth === 0) return isCode(text.slice(start + 2, at)) ? { kind: 'code', start, end: at + 1 } : undefined;
  }
  return undefined;
}

/** Operators of programming languages, of shells (`${#a}`, `${a%b}`, `${a:0:5}`, `${1}`), or an opening brace right away. */
function isCode(inside: string): boolean {
  return /^\{|^\d+$|[.()[\]+*?'"`|&=<>/\\#%^,!@;]|:-?\d+:/.test(inside);
}

function unclosed(text: string, start: number): BrokenPlaceholder {
  // A fallback extends to the next space, quote or brace.
  const begun = /^\$\{(?:[A-Za-z_]\w*:-[^\s{}$"'`,;]*|\w*)/.exec(text.slice(start, start + longest))?.[0] ?? '${';
  return { kind: 'unclosed', start, end: start + begun.length };
}

/** The written part of an unclosed placeholder, with its closing brace; undefined if it names no variable. */
export function closedPlaceholder(written: string): string | undefined {
  return /^\$\{[A-Za-z_]\w*(?::-.*)?$/.test(written) ? `${written}}` : undefined;
}

/**
 * Whether a run refuses it instead of leaving it as written, by its path in the fragment: a nested one would be cut in two anywhere,
 * and a setting that is half a placeholder means nothing; prose may mention `${`.
 */
export function isRefused({ kind }: BrokenPlaceholder, path: readonly (string | number)[]): boolean {
  return kind === 'nested' || settings.has(path[0] ?? '');
}

const settings: ReadonlySet<string | number> = new Set([
  'provider',
  'model_name',
  'base_url',
  'persona_key',
  'llm_config_id',
  'prompts',
  'client_ids',
  'enabled_tools',
  'exclude_components',
]);

/** What is wrong, its effect, and how to fix it; the same in every finding and problem. */
export function brokenWords(text: string, broken: BrokenPlaceholder, refused: boolean): string {
  const { kind, start, end } = broken;
  const written = text.slice(start, Math.min(end, start + 60)) + (end - start > 60 ? '...' : '');
  const fate = refused ? 'a run refuses it' : 'it stays as it is written';
  switch (kind) {
    case 'nested':
      return `${written} is a placeholder inside another, and they do not nest, so ${fate}. Give it a plain fallback, or one variable for the whole.`;
    case 'unclosed':
      return `${written} has no closing brace, so ${fate}. Write ${closedPlaceholder(written) ?? '${NAME} where a variable is meant'}.`;
    case 'empty':
      return `${written} names no variable, so ${fate}. Write \${NAME} or \${NAME:-fallback} where one is meant.`;
    default:
      return `${written} names no variable, so ${fate}: a name has letters, digits and "_" and does not begin with a digit, and only ":-" and a fallback may follow it.`;
  }
}
