const name = '[A-Za-z0-9][A-Za-z0-9._-]{0,63}';
const orVariable = String.raw`.*\$\{.+\}.*`;
const nameWords = 'letters, digits, dots, underscores and hyphens, at most 64, beginning with a letter or digit';

/** What the patterns of our schemas ask for; a test holds this list complete. */
const known: ReadonlyMap<string, string> = new Map([
  [`^${name}$`, `a name of ${nameWords}`],
  [`^(?:${name}|${orVariable})$`, `a name of ${nameWords}`],
  [
    '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
    'a name of letters, digits, underscores and hyphens (no dot), at most 64, beginning with a letter or digit',
  ],
  [`^(?:${name}@${name}|${orVariable})$`, 'a name and a version joined by @, such as "reviewer@v2"'],
  [`^(?:${name}(?:@${name})?|${orVariable})$`, 'an agent as name or name@version, such as "A2@v1"'],
  [String.raw`^(?:https?://[^\s]+|${orVariable})$`, 'an http or https address, such as "http://localhost:11434/v1"'],
  [String.raw`^secret://[^\s]+$`, 'the place of a secret, such as "secret://openai_api_key", never the key itself'],
  ['^[A-Za-z_][A-Za-z0-9_]*$', 'the name of an environment variable, such as "OPENAI_API_KEY"'],
]);

/** What a pattern asks for, to follow "must be". */
export function patternWords(pattern: string): string {
  return known.get(pattern) ?? `a text that matches ${pattern}`;
}
