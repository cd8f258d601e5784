import { messageWeight } from './messageText.js';
import type { LlmRequest, Message } from './types.js';

export interface TokenCount {
  readonly tokens: number;
  /** False when the model's tokenizer is not known, or the text has a stretch too long to be counted whole. */
  readonly exact: boolean;
}

export interface TokenCounter {
  count(model: string, text: string): TokenCount;
}

/**
 * Loads the tokenizer: 50 to 170 ms and about 40 MB for each encoding, so only the encodings of `models` (default: both). A model of
 * another encoding, or of another vendor, is counted with the first one loaded, and the count is marked as not exact.
 *
 * Special tokens (`<|endoftext|>`) are counted as the plain text they are in a config. Lone surrogates count as U+FFFD. Time is
 * linear in the length of the text.
 */
export async function loadTokenCounter(models?: Iterable<string>): Promise<TokenCounter> {
  const neededEncodings = new Set(models === undefined ? encodingNames : [...models].map(encodingOf));
  const loaded = new Map<EncodingName, Encoding>();
  for (const name of encodingNames) if (neededEncodings.has(name)) loaded.set(name, await load(name));
  const fallback = loaded.get('o200k_base') ?? loaded.get('cl100k_base') ?? (await load('o200k_base'));
  return {
    count(model, text) {
      const ownEncoding = loaded.get(encodingOf(model));
      const { tokens, whole } = countWith(ownEncoding ?? fallback, text);
      return { tokens, exact: whole && ownEncoding !== undefined && hasKnownTokenizer(model) };
    },
  };
}

/**
 * Tokens of a chat request as OpenAI counts them: the contents, the role and three more for each message, and three to start the answer
 * (OpenAI cookbook, "How to count tokens with tiktoken"). Other vendors differ by a few tokens a message.
 */
export function countMessageTokens(counter: TokenCounter, model: string, messages: readonly Message[]): TokenCount {
  let tokens = tokensBeforeAnswer;
  let exact = true;
  for (const message of messages) {
    const counted = counter.count(model, messageWeight(message));
    tokens += tokensPerMessage + counter.count(model, message.role).tokens + counted.tokens;
    exact &&= counted.exact;
  }
  return { tokens, exact };
}

const tokensPerMessage = 3;
const tokensBeforeAnswer = 3;

/**
 * Tokens of a whole request without its response format, counted alike wherever no provider has reported them: before a run, for a simulated run, and
 * for an interrupted call. Not exact where there are tools, which vendors encode in their own ways.
 */
export function countRequestTokens(
  counter: TokenCounter,
  { model, messages, tools = [] }: Pick<LlmRequest, 'model' | 'messages' | 'tools'>,
): TokenCount {
  const { tokens, exact } = countMessageTokens(counter, model, messages);
  if (tools.length === 0) return { tokens, exact };
  return { tokens: tokens + counter.count(model, JSON.stringify(tools)).tokens, exact: false };
}

type EncodingName = 'o200k_base' | 'cl100k_base';
const encodingNames: readonly EncodingName[] = ['o200k_base', 'cl100k_base'];

interface Encoding {
  readonly count: (text: string) => number;
  /** Splits a text into the pieces that are merged separately. */
  readonly pieces: RegExp;
  /** The texts counted last: prompts are counted again with one part changed, or for another environment. */
  readonly recent: Map<string, Counted>;
}

interface Counted {
  readonly tokens: number;
  readonly whole: boolean;
}

/** As tiktoken assigns them; newer OpenAI models have kept o200k_base so far. */
function encodingOf(model: string): EncodingName {
  const base = baseOf(model);
  return /^gpt-(?:3\.5|35|4)(?:-|$)/.test(base) ? 'cl100k_base' : 'o200k_base';
}

/** Whether tokens of this model can be counted exactly: OpenAI's models up to GPT-5, including `ft:` ids and dated names. */
export function hasKnownTokenizer(model: string): boolean {
  return /^(?:gpt-(?:3\.5|35|4|4o|4\.1|4\.5|5(?:\.\d)?)|chatgpt-4o|o[134])(?:-|$)/.test(baseOf(model));
}

function baseOf(model: string): string {
  return model.startsWith('ft:') ? (model.split(':')[1] ?? '') : model;
}

const encodingsLoaded = new Map<EncodingName, Promise<Encoding>>();

function load(name: EncodingName): Promise<Encoding> {
  const encoding = encodingsLoaded.get(name) ?? createEncoding(name);
  encodingsLoaded.set(name, encoding);
  return encoding;
}

async function createEncoding(name: EncodingName): Promise<Encoding> {
  const { encodings } = await import('./encodings.js');
  const [{ countTokens, setMergeCacheSize }, patterns] = await Promise.all([
    encodings[name](),
    import('gpt-tokenizer/encodingParams/constants'),
  ]);
  setMergeCacheSize(mergeCacheSize);
  const nothing = new Set<string>();
  return {
    count: (text) => countTokens(text, { disallowedSpecial: nothing }),
    recent: new Map(),
    pieces: name === 'o200k_base' ? patterns.O200K_TOKEN_SPLIT_REGEX : patterns.CL100K_TOKEN_SPLIT_REGEX,
  };
}

/** The tokenizer caches merged pieces; its own default of 100,000 would use too much memory on hostile texts. */
const mergeCacheSize = 10_000;

/** Merging a piece takes time quadratic in its length, so longer ones are cut into parts of this length, in UTF-16 units. */
const longestPiece = 256;

/** A text without such a stretch has no long piece: a piece is either all white space, or has white space only at its start and line ends. */
const longStretch = new RegExp(`\\S{${longestPiece - 1}}|\\s{${longestPiece - 1}}`);

/** The longest text the pattern is run on: on millions of letters in a row its backtracking exceeds the stack. */
const longestPart = 65_536;

/** How far from a part's end to look for a boundary that no piece can cross. */
const boundarySearch = 4096;

/** Texts that are remembered. None of them is long. */
const mostRecent = 32;

function countWith(encoding: Encoding, text: string): Counted {
  const { recent } = encoding;
  const counted = recent.get(text) ?? countText(encoding, text);
  recent.delete(text);
  if (text.length <= longestPart) recent.set(text, counted);
  const [oldest] = recent.keys();
  if (oldest !== undefined && recent.size > mostRecent) recent.delete(oldest);
  return counted;
}

function countText(encoding: Encoding, text: string): Counted {
  if (!longStretch.test(text)) return { tokens: encoding.count(text), whole: true };
  let tokens = 0;
  let isWhole = true;
  for (let start = 0; start < text.length; ) {
    const { end, clean } = partEnd(text, start);
    const part = text.slice(start, end);
    let from = 0;
    isWhole &&= clean;
    for (const { 0: piece, index } of part.matchAll(encoding.pieces)) {
      if (piece.length <= longestPiece) continue;
      isWhole = false;
      tokens += encoding.count(part.slice(from, index)) + countCut(encoding, piece);
      from = index + piece.length;
    }
    tokens += encoding.count(part.slice(from));
    start = end;
  }
  return { tokens, whole: isWhole };
}

/**
 * A long text in parts of at most 65,536 UTF-16 units, to be counted one by one. Together they have the tokens of the whole text if every part
 * is clean, and a token or two more for each part that is not.
 */
export function* partsToCount(text: string): Generator<{ readonly part: string; readonly isClean: boolean }> {
  for (let start = 0; start < text.length; ) {
    const { end, clean } = partEnd(text, start);
    yield { part: text.slice(start, end), isClean: clean };
    start = end;
  }
}

function countCut(encoding: Encoding, piece: string): number {
  let tokens = 0;
  for (let start = 0; start < piece.length; ) {
    const end = characterEnd(piece, start + longestPiece);
    tokens += encoding.count(piece.slice(start, end));
    start = end;
  }
  return tokens;
}

/** Where the part starting at `start` ends, and whether every piece ends there too: before a word that follows a line end or one space. */
function partEnd(text: string, start: number): { end: number; clean: boolean } {
  const latest = start + longestPart;
  if (latest >= text.length) return { end: text.length, clean: true };
  for (let end = latest; end > latest - boundarySearch; end--) {
    const before = text[end - 1];
    const next = text[end];
    if (before === '\n' && isWordStart(next)) return { end, clean: true };
    if (next === ' ' && isWordStart(text[end + 1]) && before !== undefined && !/\s/.test(before)) return { end, clean: true };
  }
  return { end: characterEnd(text, latest), clean: false };
}

function isWordStart(character: string | undefined): boolean {
  return character !== undefined && /\p{L}/u.test(character);
}

/** `at`, or one less where that would split a character. */
function characterEnd(text: string, at: number): number {
  const splits = at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
  return splits ? at - 1 : Math.min(at, text.length);
}

function isHigh(unit: number): boolean {
  return 0xd800 <= unit && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return 0xdc00 <= unit && unit <= 0xdfff;
}
