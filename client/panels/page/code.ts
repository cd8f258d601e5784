import { type CodeLanguage, codeTokens } from './codeTokens.js';
import { element } from './page.js';

/** More text than this is shown without colours, in UTF-16 units. */
const mostColoured = 200_000;

/** Code in the colours of the theme, as text in spans. */
export function codeNodes(code: string, language: CodeLanguage): readonly (Node | string)[] {
  if (code.length > mostColoured) return [code];
  return codeTokens(code, language).map(({ kind, text }) => (kind === 'plain' ? text : element('span', { class: `code-${kind}` }, text)));
}
