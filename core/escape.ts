import { visibleText } from './visibleText.js';

/** Text for HTML and XML, in elements and in attributes. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * Text for one line of Markdown (CommonMark 0.31, 2.4, and the autolinks of GitHub's dialect). Only possible markup is escaped, because some editors
 * show the source.
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*[\]<>&~|@]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|[.:](?=\S)/gu, '\\$&')
    .replace(/^(\s*)([-+#=])/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])/, '$1\\$2');
}

/**
 * Text of a file or an answer for a comment on GitHub: nothing of it becomes markup, a link or a mention. Mentions and numbers of issues are looked
 * for in what was rendered, so a space without width parts them.
 */
export function escapeComment(text: string): string {
  return visibleText(text)
    .replace(/(?<!\w)@(?=\w)|#(?=\d)/g, '$&\u200b')
    .replace(/[\\`*_[\]<>#|~&@\u200b]|:(?=\/\/)|(?<=www)\./gi, (character) => `&#${character.charCodeAt(0)};`);
}

/** The text with its line breaks as spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ');
}
