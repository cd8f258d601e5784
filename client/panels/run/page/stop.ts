import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import type { PageAction, ViewStop } from '../messages.js';
import { showLongText } from './longText.js';

interface StopOptions {
  readonly act: (action: Extract<PageAction, 'proceed' | 'step' | 'cancel'>) => void;
  readonly edit: (part: number, text: string) => void;
}

/** Where the run waits, with what is about to be sent, and what the user can do about it. */
export function createStop({ act, edit }: StopOptions): { readonly root: HTMLElement; show(stop: ViewStop | null): void } {
  const root = element('section', { class: 'stop', 'aria-labelledby': 'stop-title', hidden: true });
  let lastShown = '';
  /** What the user has written, while it has not been taken. */
  let draft: { readonly part: number; text: string } | undefined;

  return { root, show };

  function show(stop: ViewStop | null): void {
    const key = JSON.stringify(stop);
    if (key === lastShown) return;
    const before = lastShown === '' ? null : (JSON.parse(lastShown) as ViewStop | null);
    lastShown = key;
    root.hidden = stop === null;
    // What was taken, or belonged to another stop, is no draft any more.
    if (stop === null || stop.words !== before?.words || stop.problem === '') draft = undefined;
    if (stop === null) root.replaceChildren();
    else draw(stop, before?.words !== stop.words);
  }

  function draw(stop: ViewStop, isNew: boolean): void {
    const proceed = button({ class: 'primary', onclick: () => act('proceed') }, t('Continue'));
    root.replaceChildren(
      element('h2', { id: 'stop-title' }, stop.words),
      ...(stop.place === '' ? [] : [element('p', { class: 'asker' }, stop.place)]),
      element('p', { class: 'muted' }, stop.facts),
      element(
        'div',
        { class: 'toolbar', role: 'group', 'aria-label': t('At the stop') },
        proceed,
        button({ class: 'secondary', title: t('To the next place of any kind'), onclick: () => act('step') }, t('Step')),
        button({ class: 'secondary', onclick: () => act('cancel') }, t('End Run')),
      ),
      ...stop.parts.flatMap((part, index) => toPart(stop, part, index)),
      ...(stop.locked === '' ? [] : [element('p', { class: 'muted' }, stop.locked)]),
      ...(stop.isChanged ? [element('p', {}, t('Changed: the run is marked, and counts in no eval and no average.'))] : []),
    );
    if (isNew && root.contains(document.activeElement)) proceed.focus();
  }

  function toPart(stop: ViewStop, { label, text, edit: editable }: ViewStop['parts'][number], index: number): readonly HTMLElement[] {
    const head = element('div', { class: 'stop-part' }, element('h3', {}, label));
    if (editable === null) return [head, showLongText(label, text)];
    if (draft?.part !== index) {
      const start = () => {
        draft = { part: index, text: editable };
        draw(stop, false);
        root.querySelector('textarea')?.focus();
      };
      head.append(button({ class: 'link', 'aria-label': t('Edit {0}', label), onclick: start }, t('Edit')));
      return [head, showLongText(label, text)];
    }
    const area = element('textarea', { class: 'mono', rows: 8, 'aria-label': label, spellcheck: false });
    area.value = draft.text;
    area.oninput = () => {
      if (draft) draft.text = area.value;
    };
    const cancel = () => {
      draft = undefined;
      draw(stop, false);
    };
    return [
      head,
      area,
      ...(stop.problem === '' ? [] : [element('p', { class: 'problem error', role: 'alert' }, stop.problem)]),
      element(
        'div',
        { class: 'toolbar' },
        button({ class: 'secondary', onclick: () => (area.value === editable ? cancel() : edit(index, area.value)) }, t('Apply')),
        button({ class: 'secondary', onclick: cancel }, t('Discard')),
      ),
    ];
  }
}
