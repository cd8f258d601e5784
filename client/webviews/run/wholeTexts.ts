import type { ViewText } from '../../views/run/messages.js';
import { element } from '../page.js';
import { createLongText } from './longText.js';
import { count, type Words } from './words.js';

/** Long texts of the page, fetched in full on request. */
export interface WholeTexts {
  /** A region with all of a text. It is asked for when this is called, unless the page has it. */
  show(text: ViewText, label: string): HTMLElement;
  /** A text has come. */
  receive(part: number, text: string, more: number): void;
  /** Another run is shown: its texts have the same numbers. */
  forget(): void;
}

export function createWholeTexts(words: Words, ask: (part: number) => void): WholeTexts {
  const waiting = new Map<number, (text: string, more: number) => void>();
  return {
    show({ part, text, units }, label) {
      const place = element('div');
      const fill = (whole: string, more: number) => {
        const long = createLongText(label);
        place.replaceChildren(long.root);
        long.append(whole === '' ? words('emptyText') : whole);
        long.root.scrollTop = 0;
        if (more > 0) place.append(element('p', { class: 'muted' }, words('moreText', count(more))));
      };
      if (text !== null) fill(text, 0);
      else {
        place.append(element('p', { class: 'muted' }, words('loadingText', count(units))));
        waiting.set(part, fill);
        ask(part);
      }
      return place;
    },
    receive(part, text, more) {
      waiting.get(part)?.(text, more);
      waiting.delete(part);
    },
    forget: () => waiting.clear(),
  };
}
