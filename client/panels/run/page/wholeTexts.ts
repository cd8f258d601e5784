import { t } from '../../page/l10n.js';
import { element } from '../../page/page.js';
import { richText } from '../../page/richText.js';
import type { TextLinks } from '../../page/textLinks.js';
import { count } from '../../page/words.js';
import type { ViewText } from '../messages.js';
import { showLongText } from './longText.js';

/** Long texts of the page, fetched in full on request. */
export interface WholeTexts {
  /** A region with all of a text. It is requested when this is called, unless the page has it. */
  show(text: ViewText, label: string): HTMLElement;
  /** The same of what a model wrote, which may be Markdown. */
  showRich(text: ViewText, label: string): HTMLElement;
  /** A text has come. */
  receive(part: number, text: string, more: number): void;
  /** Another run is shown: its texts have the same numbers. */
  forget(): void;
}

export interface WholeTextsActions {
  readonly ask: (part: number) => void;
  readonly links: TextLinks;
}

export function createWholeTexts({ ask, links }: WholeTextsActions): WholeTexts {
  const waiting = new Map<number, (text: string, more: number) => void>();

  function longText(text: string, label: string): HTMLElement {
    return showLongText(label, text === '' ? t('(empty)') : text);
  }

  function fetch({ part, text, units }: ViewText, draw: (whole: string) => HTMLElement): HTMLElement {
    const place = element('div');
    const fill = (whole: string, more: number) => {
      place.replaceChildren(draw(whole));
      if (more > 0) place.append(element('p', { class: 'muted' }, t('{0} more characters are in the raw JSON.', count(more))));
    };
    if (text !== null) fill(text, 0);
    else {
      place.append(element('p', { class: 'muted' }, t('Loading {0} characters...', count(units))));
      waiting.set(part, fill);
      ask(part);
    }
    return place;
  }

  return {
    show: (text, label) => fetch(text, (whole) => longText(whole, label)),
    showRich: (text, label) => fetch(text, (whole) => richText({ text: whole, raw: () => longText(whole, label), links })),
    receive(part, text, more) {
      waiting.get(part)?.(text, more);
      waiting.delete(part);
    },
    forget: () => waiting.clear(),
  };
}
