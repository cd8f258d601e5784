import { t } from '../../page/l10n.js';
import './style.css';
import { connect } from '../../page/connect.js';
import { button, element } from '../../page/page.js';
import type { ComparedLine, FromPage, PanelState, ToPage } from '../messages.js';

const host = connect<FromPage, ToPage, PanelState>();
const { post } = host;

const title = element('h1');
const summary = element('p', { class: 'muted', role: 'status' });
const onlyDifferences = element('input', { type: 'checkbox', id: 'only', onchange: () => show() });
const texts = button({ class: 'secondary', onclick: () => post({ type: 'texts' }) }, t('Compare as Text'));
const table = element('table');
document.body.append(
  element(
    'main',
    {},
    title,
    element('div', { class: 'toolbar' }, element('label', {}, onlyDifferences, ' ', t('Only what differs')), texts),
    summary,
    element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('Compare Runs') }, table),
  ),
);

let comparison: ToPage | undefined;
host.listen({
  show(message) {
    comparison = message;
    show();
    host.keep({ runs: message.columns.map(({ root, run_id }) => ({ root, run_id })) });
  },
});

function show(): void {
  if (comparison === undefined) return;
  const { columns, lines } = comparison;
  title.textContent = t('Comparison of {0} Runs', columns.length);
  texts.hidden = columns.length !== 2;
  summary.textContent = t('{0} of {1} fields differ.', lines.filter(({ differs }) => differs).length, lines.length);
  const heads = columns.map(({ name, started }, column) =>
    element(
      'th',
      { scope: 'col' },
      button({ class: 'link', title: t('Open Run'), onclick: () => post({ type: 'open', column }) }, name),
      element('div', { class: 'muted' }, started),
    ),
  );
  const parts = { steps: t('Steps'), run: '', usage: t('Used'), output: t('Answer'), input: t('Input') } as const;
  table.replaceChildren(
    element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, t('Field')), ...heads)),
    ...Object.entries(parts).flatMap(([part, heading]) => {
      const partLines = lines.filter((line) => line.part === part && (line.differs || !onlyDifferences.checked));
      if (partLines.length === 0) return [];
      const span = { scope: 'rowgroup', colspan: columns.length + 1 };
      const head = heading === '' ? [] : [element('tr', { class: 'part' }, element('th', span, heading))];
      return [element('tbody', {}, ...head, ...partLines.map(toRow))];
    }),
  );
}

/** What differs from the first run is marked; the row has a sign too, since a colour alone is not enough. */
function toRow({ label, cells, changes, differs }: ComparedLine): HTMLElement {
  const sign = differs ? element('span', { class: 'sign', role: 'img', 'aria-label': t('differs') }, '≠') : undefined;
  return element(
    'tr',
    { class: differs ? 'differs' : undefined },
    element('th', { scope: 'row' }, sign, label),
    ...cells.map((cell, at) => {
      const change = changes[at] ?? '';
      const text =
        cell === null ? element('span', { class: 'muted' }, '–', element('span', { class: 'visually-hidden' }, t('not said'))) : cell;
      return element(
        'td',
        { class: cell === cells[0] ? undefined : 'other' },
        element('div', { class: 'cell' }, text, change === '' ? undefined : element('span', { class: 'muted' }, ` (${change})`)),
      );
    }),
  );
}
