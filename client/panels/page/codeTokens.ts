/** The kind of a piece of code, for its colour. */
export type CodeKind = 'plain' | 'key' | 'string' | 'number' | 'word' | 'variable' | 'option';

export interface CodeToken {
  readonly kind: CodeKind;
  readonly text: string;
}

export type CodeLanguage = 'json' | 'shell' | 'headers' | 'plain';

/** Kinds by what they look like, tried in this order. */
type Patterns = readonly (readonly [kind: CodeKind, looks: RegExp])[];

const patterns: Readonly<Record<CodeLanguage, Patterns>> = {
  json: [
    ['key', /"(?:[^"\\]|\\.)*"(?=:)/sy],
    ['string', /"(?:[^"\\]|\\.)*"?/sy],
    ['number', /-?\d[\d.eE+-]*/y],
    ['word', /true|false|null/y],
  ],
  shell: [
    ['string', /'[^']*'?/y],
    ['string', /"(?:[^"\\]|\\.)*"?/sy],
    ['option', /--?[A-Za-z][\w-]*/y],
    ['word', /curl\b|<</y],
  ],
  headers: [
    ['key', /^[\w-]+(?=: )/my],
    ['string', /(?<=: ).+/y],
  ],
  plain: [],
};

/** Code in pieces of one kind each, which together are the code. It may contain anything; unrecognized code is plain. */
export function codeTokens(code: string, language: CodeLanguage): readonly CodeToken[] {
  const document = language === 'shell' ? /<<'(\w+)'\n(.*)\n\1$/s.exec(code) : null;
  if (document === null) return withVariables(scan(code, patterns[language]), language);
  // The here-document of a command is JSON.
  const [, mark = '', body = ''] = document;
  const command = code.slice(0, document.index + document[0].length - body.length - mark.length - 1);
  return [...codeTokens(command, 'shell'), ...codeTokens(body, 'json'), { kind: 'plain', text: `\n${mark}` }];
}

function scan(code: string, kinds: Patterns): CodeToken[] {
  const tokens: CodeToken[] = [];
  let plainFrom = 0;
  for (let at = 0; at < code.length; ) {
    const token = matchAt(code, at, kinds);
    if (token === undefined) {
      at += 1;
      continue;
    }
    if (plainFrom < at) tokens.push({ kind: 'plain', text: code.slice(plainFrom, at) });
    tokens.push(token);
    at += token.text.length;
    plainFrom = at;
  }
  if (plainFrom < code.length) tokens.push({ kind: 'plain', text: code.slice(plainFrom) });
  return tokens;
}

function matchAt(code: string, at: number, kinds: Patterns): CodeToken | undefined {
  for (const [kind, looks] of kinds) {
    looks.lastIndex = at;
    const text = looks.exec(code)?.[0] ?? '';
    if (text !== '') return { kind, text };
  }
  return undefined;
}

/** A variable counts within a string too, unless its quotes are single. */
function withVariables(tokens: readonly CodeToken[], language: CodeLanguage): readonly CodeToken[] {
  if (language === 'json') return tokens;
  return tokens.flatMap((token) => {
    if (token.text.startsWith("'")) return token;
    const parts = token.text.split(/(\$[A-Za-z_]\w*)/);
    return parts.flatMap((text, index): CodeToken[] => (text === '' ? [] : [{ kind: index % 2 === 1 ? 'variable' : token.kind, text }]));
  });
}
