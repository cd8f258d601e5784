import { createScanner } from 'jsonc-parser';

/** `SyntaxKind` of jsonc-parser, which is a `const enum`: there is nothing to import. */
const kind = { closeBrace: 2, closeBracket: 4, comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, trivia: 15, end: 17 };

/** JSON with comments as plain JSON: comments and trailing commas become spaces, so every place stays where it is. */
export function withoutComments(text: string): string {
  const scanner = createScanner(text, false);
  const parts: string[] = [];
  /** Index of the part that is a comma with nothing but trivia after it. */
  let comma = -1;
  for (let token: number = scanner.scan(); token !== kind.end; token = scanner.scan()) {
    const value = text.slice(scanner.getTokenOffset(), scanner.getTokenOffset() + scanner.getTokenLength());
    const isComment = token === kind.lineComment || token === kind.blockComment;
    if ((token === kind.closeBrace || token === kind.closeBracket) && comma >= 0) parts[comma] = ' ';
    if (token === kind.comma) comma = parts.length;
    else if (!isComment && token !== kind.lineBreak && token !== kind.trivia) comma = -1;
    parts.push(isComment ? value.replace(/[^\r\n]/g, ' ') : value);
  }
  return parts.join('');
}
