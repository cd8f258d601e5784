import { element } from '../../page/page.js';
import { growText } from './growText.js';

/** UTF-16 units after which a text continues in a new block: the browser lays out a block again with each piece that arrives. */
const blockSize = 4_096;

/** A region of text that grows, up to megabytes: only its last block is ever laid out again. */
export interface LongText {
  readonly root: HTMLElement;
  append(text: string): void;
}

/** @param label what a screen reader calls it; the region can be reached and scrolled with the keyboard */
export function createLongText(label: string): LongText {
  const root = createRegion(label);
  return { root, append: growText(root, (text) => write(root, text)) };
}

/** A region with a text that is complete. */
export function showLongText(label: string, text: string): HTMLElement {
  const root = createRegion(label);
  write(root, text);
  return root;
}

function createRegion(label: string): HTMLElement {
  return element('div', { class: 'long-text mono', role: 'group', 'aria-label': label, tabindex: 0 }, element('div', {}, ''));
}

function write(root: HTMLElement, text: string): void {
  const last = root.lastChild?.firstChild as Text;
  let end = endOfBlock(text, blockSize - last.length);
  last.appendData(text.slice(0, end));
  while (end < text.length) {
    const start = end;
    end += endOfBlock(text.slice(start), blockSize);
    root.append(element('div', {}, text.slice(start, end)));
  }
}

/** Where a block ends: after a line break if there is one, so that blocks break no line; else as late as possible, at a space. */
function endOfBlock(text: string, room: number): number {
  if (text.length <= room) return text.length;
  const line = text.indexOf('\n', Math.max(0, room));
  if (line >= 0 && line - room < blockSize) return line + 1;
  const space = text.indexOf(' ', Math.max(0, room + blockSize));
  if (space >= 0 && space - room < 2 * blockSize) return space + 1;
  return text.length <= room + 2 * blockSize ? text.length : wholeCharacter(text, room + 2 * blockSize);
}

/** Not between the halves of a character. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1);
  return 0xd800 <= unit && unit <= 0xdbff ? at - 1 : at;
}
