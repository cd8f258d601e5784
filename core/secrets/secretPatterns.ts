import type { TextRange } from '../finding.js';
import { isPlaceholder, privateKeyStart, secretShapes } from './secretShapes.js';

/** A stretch of text that looks like a secret. `start` and `end` are UTF-16 units; the end is exclusive. */
export interface FoundSecret {
  /** For a message: `OpenAI API key`. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The first stretch of `text` that is shaped like a key, a token or a password of a known provider. `key` is the name of the
 * value (a field, an environment variable): under `api_key` or `DB_TOKEN` any random-looking value counts.
 * References (`secret://x`, `${X}`, `{{x}}`) and placeholders (`sk-your-key-here`) are no secrets. Time is linear in the
 * length of the text.
 */
export function looksLikeSecret(text: string, key?: string): FoundSecret | undefined {
  if (text.length < shortestSecret) return undefined;
  const shaped = findShape(text);
  if (shaped !== undefined || key === undefined) return shaped;
  return isSecretName(key) && isRandom(text) ? { name: 'key or token', start: 0, end: text.length } : undefined;
}

/** Whether a random-looking value under this name is a secret. Page tokens and cursors are random too, but not secret. */
export function isSecretName(name: string): boolean {
  return secretKey.test(name) && !positionKey.test(name);
}

/**
 * Whether JSON text may hold a secret: never false for a file in which `looksLikeSecret` finds one, and much cheaper than parsing and
 * checking each of its texts.
 */
export function mayHoldSecret(json: string): boolean {
  // Escapes can stand for any character, so only the parsed strings can tell.
  if (json.includes('\\u') || json.includes('\\/')) return true;
  return holdsSign(json, isRandom);
}

/** The part of a secret that may be shown: its first four characters, but at most a quarter of a short one. */
export function maskSecret(secret: string): string {
  return `${secret.slice(0, Math.min(4, Math.floor(secret.length / 4)))}…`;
}

/** The text with every secret in it covered by `*`, of the same length, so that offsets stay valid. */
export function coverSecrets(text: string): string {
  let covered = '';
  let remaining = text;
  for (let secret = looksLikeSecret(remaining); secret !== undefined; secret = looksLikeSecret(remaining)) {
    covered += remaining.slice(0, secret.start) + cover(remaining.slice(secret.start, secret.end));
    remaining = remaining.slice(secret.end);
  }
  return covered + remaining;
}

/** The text of a field with everything that has the shape of a secret covered, or all of it if its key says that it is secret. */
export function coverField(text: string, key: string | undefined): string {
  const secret = looksLikeSecret(text, key);
  if (secret === undefined) return text;
  return secret.start === 0 && secret.end === text.length ? cover(text) : coverSecrets(text);
}

/** Line breaks are kept: a private key is several lines long. */
export function cover(secret: string): string {
  return secret.replace(/[^\r\n]/g, '*');
}

/** Every secret except a private key and a password in a URL has such a token, with its sign in it or just before it. */
const tokenUnit = /[A-Za-z0-9_\-+/=.~]/;
const leastToken = 16;
const anySign = new RegExp(secretShapes.flatMap(({ sign = [] }) => sign).join('|'));
/** Length of the text before a token that matters: `Bearer `. */
const schemeLength = 8;

/** Whether something in the text begins like a secret, or has a long token for which `isSecret` says so. */
function holdsSign(text: string, isSecret: (token: string) => boolean = () => false): boolean {
  if (text.includes(privateKeyStart) || (text.includes('@') && text.includes('://'))) return true;
  for (const { start, end } of longTokens(text)) {
    if (anySign.test(text.slice(Math.max(0, start - schemeLength), end)) || isSecret(text.slice(start, end))) return true;
  }
  return false;
}

const isTokenUnit = Array.from({ length: 0x80 }, (_, unit) => tokenUnit.test(String.fromCharCode(unit)));

/** Words of prose are short: a window as long as a token is read from its end, so that only one or two letters of most words are examined. */
function* longTokens(text: string): Generator<TextRange, void, undefined> {
  for (let start = 0; start + leastToken <= text.length; ) {
    let at = start + leastToken - 1;
    while (at >= start && isTokenUnit[text.charCodeAt(at)]) at -= 1;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let end = start + leastToken;
    while (isTokenUnit[text.charCodeAt(end)]) end += 1;
    yield { start, end };
    start = end + 1;
  }
}

/** The shortest secret that any shape accepts: a password in `x://:p@h`. */
const shortestSecret = 8;

const secretKey =
  /(?:api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|subscription[_-]?key|secret|token|password|passwd|pwd|authorization|credentials?|pat)$/i;
const positionKey = /(?:page|next|prev|previous|continuation|cursor|sync)[_-]?token$/i;
const tokenText = /^[A-Za-z0-9_\-+/=.~]+$/;
const tokenLength = { least: 20, most: 256 };
const variableName = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const solidRun = /[A-Za-z0-9+/]{16}[A-Za-z0-9+/]*/;

/** The first secret in the text; among several at one place, that of the first shape. */
function findShape(text: string): FoundSecret | undefined {
  if (!holdsSign(text)) return undefined;
  let first: FoundSecret | undefined;
  for (const { name, pattern, accepts = () => true } of secretShapes) {
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.secret ?? match[0];
      if (!accepts(secret)) continue;
      const start = match.index + match[0].lastIndexOf(secret);
      if (first === undefined || start < first.start) first = { name, start, end: start + secret.length };
      break;
    }
  }
  return first;
}

/** At least 16 unbroken characters with letters, digits and little repetition, and not a variable's name. */
function isRandom(text: string): boolean {
  if (text.length < tokenLength.least || text.length > tokenLength.most || !/[0-9]/.test(text)) return false;
  const run = solidRun.exec(text)?.[0];
  if (run === undefined || !tokenText.test(text) || variableName.test(text) || isPlaceholder(text)) return false;
  const digits = run.replace(/[^0-9]/g, '').length;
  return digits >= 3 && run.length - digits >= 3 && new Set(run).size >= 8;
}
