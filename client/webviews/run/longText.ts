import { element } from '../page.js';

/** UTF-16 units after which text goes on in a new block: what the browser lays out again with each piece that arrives. */
const blockSize = 4_096;

/** A region of text that grows, up to megabytes: only its last block is ever laid out again. */
export interface LongText {
  readonly root: HTMLElement;
  append(text: string): void;
}

/** @param label what a screen reader calls it; the region can be reached and scrolled with the keyboard */
export function createLongText(label: string): LongText {
  const root = element('div', { class: 'long-text mono', role: 'group', 'aria-label': label, tabindex: 0 });
  let block = root.appendChild(element('div'));
  let text = block.appendChild(document.createTextNode(''));
  const add = (piece: string) => {
    text.appendData(piece);
  };
  const begin = () => {
    block = root.appendChild(element('div'));
    text = block.appendChild(document.createTextNode(''));
  };
  return {
    root,
    append(given) {
      const isAtEnd = root.scrollHeight - root.scrollTop - root.clientHeight < 24;
      let rest = given;
      while (rest !== '') {
        const room = blockSize - text.length;
        const end = endOfBlock(rest, room);
        add(rest.slice(0, end));
        rest = rest.slice(end);
        if (rest !== '') begin();
      }
      // Keep the position of a reader who has scrolled back.
      if (isAtEnd) root.scrollTop = root.scrollHeight;
    },
  };
}

/** Where a block ends: after a line break where there is one, so that blocks break no line; else a good way on, at a space. */
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
