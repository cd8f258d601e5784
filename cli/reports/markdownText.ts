import { visibleText } from '../../core/visibleText.js';

/**
 * Nothing of a text becomes markup, a link or a mention. GitHub finds mentions and numbers of issues in what was rendered, so a space without
 * width parts them.
 */
export function escapedMarkdown(text: string): string {
  return visibleText(text)
    .replace(/(?<!\w)@(?=\w)|#(?=\d)/g, '$&\u200b')
    .replace(/[\\`*_[\]<>#|~&@\u200b]|:(?=\/\/)|(?<=www)\./gi, (character) => `&#${character.charCodeAt(0)};`);
}
