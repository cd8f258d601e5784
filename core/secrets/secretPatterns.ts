/** What a stretch of text looks like. `start` and `end` are UTF-16 units; the end is exclusive. */
export interface SecretShape {
  /** For a message: `OpenAI API key`. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The first stretch of `text` that is shaped like a key, a token or a password of a known provider. `key` is the name the
 * value stands under (a field, an environment variable): under `api_key` or `DB_TOKEN` any random-looking value counts.
 * References (`secret://x`, `${X}`, `{{x}}`) and placeholders (`sk-your-key-here`) are no secrets. Time is linear in the
 * length of the text.
 */
export function looksLikeSecret(text: string, key?: string): SecretShape | undefined {
  if (text.length < shortestSecret) return undefined;
  const shaped = findShape(text);
  if (shaped !== undefined || key === undefined) return shaped;
  return isSecretName(key) && isRandom(text) ? { name: 'key or token', start: 0, end: text.length } : undefined;
}

/** Whether a random-looking value under this name is a secret. Marks of pages and positions are random too, and say nothing to anybody else. */
export function isSecretName(name: string): boolean {
  return secretKey.test(name) && !positionKey.test(name);
}

/**
 * Whether JSON text may hold a secret: never false for a file in which `looksLikeSecret` finds one, and a few microseconds for an
 * ordinary file of 4 KB.
 */
export function mayHoldSecret(json: string): boolean {
  // Escapes can stand for any character, so only the parsed strings can tell.
  if (json.includes('\\u') || hasEscapedSlash(json)) return true;
  if (json.includes('@') && json.includes('://')) return true;
  let hasRun = false;
  const units = unitsOf(json);
  for (let run = nextRun(units, 0, json.length); run !== undefined; run = nextRun(units, run.end, json.length)) {
    if (hint.test(json.slice(Math.max(0, run.start - schemeLength), run.end))) return true;
    if (run.digits >= 3 && isRandom(json.slice(run.start, run.end))) return true;
    hasRun = true;
  }
  // A private key's own characters are such a run; the header alone is not looked for.
  return hasRun && json.includes(privateKeyStart);
}

/** By its slash, which is rarer in configs than the backslash of a line end. */
function hasEscapedSlash(json: string): boolean {
  for (let at = json.indexOf('/'); at !== -1; at = json.indexOf('/', at + 1)) if (json[at - 1] === '\\') return true;
  return false;
}

/** What may be shown of a secret: its first four characters, and of a short one no more than a quarter. */
export function maskSecret(secret: string): string {
  return `${secret.slice(0, Math.min(4, Math.floor(secret.length / 4)))}…`;
}

/** The text with every secret in it covered by `*`, of the same length, so that places in it stay where they are. */
export function coverSecrets(text: string): string {
  let covered = '';
  let rest = text;
  for (let found = looksLikeSecret(rest); found !== undefined; found = looksLikeSecret(rest)) {
    covered += rest.slice(0, found.start) + cover(rest.slice(found.start, found.end));
    rest = rest.slice(found.end);
  }
  return covered + rest;
}

/** The text of a field with what shows itself by its shape covered, or all of it where its key says what it is. */
export function coverField(text: string, key: string | undefined): string {
  const found = looksLikeSecret(text, key);
  if (found === undefined) return text;
  return found.start === 0 && found.end === text.length ? cover(text) : coverSecrets(text);
}

/** Line breaks stay: a private key is several lines long. */
export function cover(secret: string): string {
  return secret.replace(/[^\r\n]/g, '*');
}

interface Shape {
  readonly name: string;
  /**
   * Global. The secret is its group `secret`, at the end of the match, or the whole match. Linear: it begins where no match
   * can be under way, or repeats only what may not fail afterwards. Written as `x{16}x*`, not `x{16,}`: V8 counts that with memory for every
   * character, and has none for millions.
   */
  readonly pattern: RegExp;
  /** Whether a match is more than a placeholder or a word. Default: it is. */
  readonly accepts?: (secret: string) => boolean;
}

/** Formats as their providers document them, or as secret scanners know them; the most specific comes first. */
const shapes: readonly Shape[] = [
  { name: 'Anthropic API key', pattern: /(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{16}[A-Za-z0-9_-]*/g, accepts: isKeyBody },
  { name: 'OpenRouter API key', pattern: /(?<![A-Za-z0-9])sk-or-[A-Za-z0-9_-]{16}[A-Za-z0-9_-]*/g, accepts: isKeyBody },
  { name: 'OpenAI API key', pattern: /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{16}[A-Za-z0-9_-]*/g, accepts: isKeyBody },
  { name: 'Google API key', pattern: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9])/g },
  { name: 'Google OAuth token', pattern: /(?<![A-Za-z0-9])(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{24}[A-Za-z0-9_-]*/g, accepts: isKeyBody },
  { name: 'GitHub token', pattern: /(?<![A-Za-z0-9])gh[oprsu]_[A-Za-z0-9]{36}[A-Za-z0-9]*/g },
  { name: 'GitHub token', pattern: /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{22}[A-Za-z0-9_]*/g, accepts: isKeyBody },
  { name: 'GitLab token', pattern: /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20}[A-Za-z0-9_-]*/g, accepts: isKeyBody },
  { name: 'AWS access key id', pattern: /(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  { name: 'Slack token', pattern: /(?<![A-Za-z0-9])(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{16}[A-Za-z0-9-]*/g, accepts: hasDigit },
  { name: 'Slack webhook', pattern: /hooks\.slack\.com\/services\/(?<secret>[A-Z0-9]{8,12}\/[A-Z0-9]{8,12}\/[A-Za-z0-9]{20,32})/g },
  { name: 'Hugging Face token', pattern: /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30}[A-Za-z0-9]*/g },
  { name: 'Groq API key', pattern: /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{40}[A-Za-z0-9]*/g },
  { name: 'xAI API key', pattern: /(?<![A-Za-z0-9])xai-[A-Za-z0-9]{40}[A-Za-z0-9]*/g },
  { name: 'Perplexity API key', pattern: /(?<![A-Za-z0-9])pplx-[A-Za-z0-9]{40}[A-Za-z0-9]*/g },
  { name: 'Replicate token', pattern: /(?<![A-Za-z0-9])r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])/g },
  { name: 'NVIDIA API key', pattern: /(?<![A-Za-z0-9])nvapi-[A-Za-z0-9_-]{40}[A-Za-z0-9_-]*/g },
  { name: 'LangSmith key', pattern: /(?<![A-Za-z0-9])lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}/g },
  { name: 'Stripe key', pattern: /(?<![A-Za-z0-9])[rs]k_(?:live|test)_[A-Za-z0-9]{16}[A-Za-z0-9]*/g },
  { name: 'npm token', pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { name: 'PyPI token', pattern: /(?<![A-Za-z0-9])pypi-AgE[A-Za-z0-9_-]{32}[A-Za-z0-9_-]*/g },
  { name: 'SendGrid key', pattern: /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}/g },
  { name: 'Databricks token', pattern: /(?<![A-Za-z0-9])dapi[a-f0-9]{32}(?![A-Za-z0-9])/g },
  { name: 'Azure storage key', pattern: /Account[Kk]ey=(?<secret>[A-Za-z0-9+/]{86}==)/g },
  { name: 'Azure API key', pattern: /(?<![A-Za-z0-9])[A-Za-z0-9]{52}JQQJ9[A-Za-z0-9]{27}(?![A-Za-z0-9])/g },
  { name: 'Azure client secret', pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/g },
  {
    name: 'JSON Web Token',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{12}[A-Za-z0-9_-]*\.eyJ[A-Za-z0-9_-]{6}[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{8}[A-Za-z0-9_-]*/g,
  },
  { name: 'bearer token', pattern: /\b[Bb]earer\s(?<secret>[A-Za-z0-9._~+/-]{16}[A-Za-z0-9._~+/-]*=*)/g, accepts: isKeyBody },
  { name: 'password in an Authorization header', pattern: /^Basic (?<secret>[A-Za-z0-9+/]{16}[A-Za-z0-9+/]*={0,2})$/g, accepts: isKeyBody },
];

/**
 * A private key counts only with its content: a prompt may speak of the header line. Header lines of encrypted keys are skipped. All its lines
 * belong to it, also in JSON that is told as text: full ones, and shorter ones only at its end, since words may follow one that was cut off.
 */
const privateKey: Shape = {
  name: 'private key',
  pattern: new RegExp(
    [
      '-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\s|\\\\{1,8}[nr]){0,200}',
      '(?:[A-Za-z-]{1,40}: [^\\\\\\r\\n]{0,200}(?:[\\r\\n]|\\\\{1,8}[nr])(?:\\s|\\\\{1,8}[nr]){0,64}){0,4}',
      '(?=[a-z+/=]{0,64}[A-Z0-9])[A-Za-z0-9+/=]{16}[A-Za-z0-9+/=]*',
      '(?:(?:\\s|\\\\{1,8}[nr]){1,64}[A-Za-z0-9+/=]{40}[A-Za-z0-9+/=]*)*',
      '(?:(?:(?:\\s|\\\\{1,8}[nr]){1,64}[A-Za-z0-9+/=]{1,76}){1,2}(?=(?:\\s|\\\\{1,8}[nr]){0,64}(?:-----|["\']|$)))?',
    ].join(''),
    'g',
  ),
};
const privateKeyStart = '-----BEGIN ';

const urlPassword: Shape = {
  name: 'password in a URL',
  pattern: /:\/\/[^\s/:@?#]{0,256}:(?<secret>[^\s/@?#]{1,256})@(?=[A-Za-z0-9[])/g,
  accepts: (password) => !passwordPlaceholder.test(password),
};
const passwordPlaceholder = /[${}<>[\]]|^(?:pass|password|passwd|pwd|pw|secret|token|key|\*+|x+|\.+|your.*)$/i;

/** Every shape found by its run of characters starts with one of these. */
const hint =
  /sk-|sk_|rk_|AIza|ya29\.|GOCSPX-|gh[oprsu]_|github_pat_|glpat-|A[KS]IA|xox|xapp-|hooks\.slack|hf_|xai-|pplx-|r8_|nvapi-|lsv2_|npm_|pypi-|SG\.|dapi|ccount[Kk]ey=|JQQJ9|Q~|eyJ|earer[\s\\]|Basic /;

/** The shortest thing any shape accepts: a password in `x://:p@h`. */
const shortestSecret = 8;
const shortestRun = 16;
/** How far before a run its scheme (`Bearer `, `Basic `) begins. */
const schemeLength = 8;

const placeholder = /your|example|placeholder|redacted|changeme|goes.?here|key.?here|insert|x{6}|\.\.\.|0{8}/i;
const secretKey =
  /(?:api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|subscription[_-]?key|secret|token|password|passwd|pwd|authorization|credentials?|pat)$/i;
const positionKey = /(?:page|next|prev|previous|continuation|cursor|sync)[_-]?token$/i;
const tokenText = /^[A-Za-z0-9_\-+/=.~]+$/;
const tokenLength = { least: 20, most: 256 };
const variableName = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const solidRun = /[A-Za-z0-9+/]{16}[A-Za-z0-9+/]*/;

function findShape(text: string): SecretShape | undefined {
  const found: SecretShape[] = [];
  if (text.includes(privateKeyStart)) found.push(...firstMatch(privateKey, text));
  if (text.includes('@') && text.includes('://')) found.push(...firstMatch(urlPassword, text));
  if (hasHint(text)) for (const shape of shapes) found.push(...firstMatch(shape, text));
  // The specific shapes come before the general ones that match at the same place, and the sort is stable.
  return found.sort((left, right) => left.start - right.start)[0];
}

function hasHint(text: string): boolean {
  const units = unitsOf(text);
  for (let run = nextRun(units, 0, text.length); run !== undefined; run = nextRun(units, run.end, text.length)) {
    if (hint.test(text.slice(Math.max(0, run.start - schemeLength), run.end))) return true;
  }
  return false;
}

/** None or one. */
function firstMatch(shape: Shape, text: string): readonly SecretShape[] {
  for (const match of text.matchAll(shape.pattern)) {
    const secret = match.groups?.secret ?? match[0];
    if (shape.accepts !== undefined && !shape.accepts(secret)) continue;
    const start = match.index + match[0].lastIndexOf(secret);
    return [{ name: shape.name, start, end: start + secret.length }];
  }
  return [];
}

/** A key's body is no words: 16 unbroken characters with a digit or letters in mixed case, and no placeholder. */
function isKeyBody(secret: string): boolean {
  if (placeholder.test(secret)) return false;
  for (const part of secret.match(/[A-Za-z0-9_]{16}[A-Za-z0-9_]*/g) ?? []) {
    if (/[0-9]/.test(part) || /[a-z][A-Z]/.test(part)) return true;
  }
  return false;
}

function hasDigit(secret: string): boolean {
  return /[0-9]/.test(secret) && !placeholder.test(secret);
}

/** At least 16 unbroken characters with letters, digits and little repetition, and no variable's name. */
function isRandom(text: string): boolean {
  if (text.length < tokenLength.least || text.length > tokenLength.most) return false;
  // First what most names do not have: their words are shorter.
  const run = solidRun.exec(text)?.[0];
  if (run === undefined || !tokenText.test(text) || variableName.test(text) || placeholder.test(text)) return false;
  const digits = run.replace(/[^0-9]/g, '').length;
  return digits >= 3 && run.length - digits >= 3 && new Set(run).size >= 8;
}

/**
 * The next run of at least 16 token characters, one of them a digit or a capital letter: a key without any is as unlikely as a word with one.
 * Such a run fills eight bytes of memory that begin at a multiple of eight, so those are looked at at once, and most hold a space or a quote.
 */
function nextRun(
  units: Uint8Array,
  from: number,
  length: number,
): { readonly start: number; readonly end: number; readonly digits: number } | undefined {
  const words = units === common ? commonWords : new Int32Array(units.buffer, 0, units.length >> 2);
  const last = Math.min(words.length, length >> 2) - 1;
  for (let word = ((from + 7) >> 3) << 1; word < last; word += 2) {
    if (hasSmall(words[word] as number, words[word + 1] as number)) continue;
    let start = word << 2;
    while (start > from && kinds[units[start - 1] as number] !== other) start--;
    let end = start;
    let digits = 0;
    let capitals = 0;
    for (; end < length; end++) {
      const kind = kinds[units[end] as number];
      if (kind === other) break;
      if (kind === digit) digits += 1;
      else if (kind === capital) capitals += 1;
    }
    if (end - start >= shortestRun && digits + capitals > 0) return { start, end, digits };
    // On with the eight bytes after the one that ended it.
    word = Math.max(word, (end >> 3) << 1);
  }
  return undefined;
}

/**
 * Whether one of the eight bytes is below `+`, the first of the token characters: a space, a quote, a line end and the like. One branch for
 * both halves, since processors predict badly which of the two has it.
 */
function hasSmall(left: number, right: number): boolean {
  return ((((left - 0x2b2b2b2b) & ~left) | ((right - 0x2b2b2b2b) & ~right)) & 0x80808080) !== 0;
}

/**
 * A byte for each UTF-16 unit of a text: the unit itself where it is ASCII, 0xff elsewhere. The units of a string
 * take longer to look at, copying included. The bytes are good until the next call.
 */
function unitsOf(text: string): Uint8Array {
  const { length } = text;
  const units = length <= common.length ? common : new Uint8Array(length);
  const { read, written } = encoder.encodeInto(text, units);
  if (read === length && written === length) return units;
  for (let at = 0; at < length; at++) units[at] = Math.min(text.charCodeAt(at), 0xff);
  return units;
}

const encoder = new TextEncoder();
const common = new Uint8Array(65_536);
const commonWords = new Int32Array(common.buffer);

const other = 0;
const small = 1;
const capital = 2;
const digit = 3;

/** ASCII letters, digits and `_ - . + / = ~`: what keys, tokens and their Base64 are made of. */
const kinds = Uint8Array.from({ length: 256 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (/[0-9]/.test(character)) return digit;
  if (/[A-Z]/.test(character)) return capital;
  return /[a-z_\-.+/=~]/.test(character) ? small : other;
});
