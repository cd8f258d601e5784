import './style.css';
import { connectHost, createWords, element } from '../../panels/page/page.js';
import { type ComparedLine, type HostMessage, isHostMessage, type PageMessage } from '../../views/compare/messages.js';

const host = connectHost();
const words = createWords();
const post = (message: PageMessage) => host.postMessage(message);

const title = element('h1');
const summary = element('p', { class: 'muted', role: 'status' });
const onlyDifferences = element('input', { type: 'checkbox', id: 'only', onchange: () => show() });
const texts = element('button', { type: 'button', class: 'secondary', onclick: () => post({ type: 'texts' }) }, words('asTexts'));
const table = element('table');
document.body.append(
  element(
    'main',
    {},
    title,
    element('div', { class: 'toolbar' }, element('label', {}, onlyDifferences, ' ', words('onlyDifferences')), texts),
    summary,
    element('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': words('table') }, table),
  ),
);

let shown: HostMessage | undefined;
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!isHostMessage(data)) return;
  shown = data;
  show();
  // What VS Code needs to bring the panel back after a restart; it holds nothing of the runs themselves.
  host.setState({ runs: data.columns.map(({ root, run_id }) => ({ root, run_id })) });
});
post({ type: 'ready' });

function show(): void {
  if (shown === undefined) return;
  const { columns, lines } = shown;
  title.textContent = words('title', columns.length);
  texts.hidden = columns.length !== 2;
  summary.textContent = words('differences', lines.filter(({ differs }) => differs).length, lines.length);
  const heads = columns.map(({ name, started }, column) =>
    element(
      'th',
      { scope: 'col' },
      element('button', { type: 'button', class: 'link', title: words('openRun'), onclick: () => post({ type: 'open', column }) }, name),
      element('div', { class: 'muted' }, started),
    ),
  );
  const parts = ['run', 'usage', 'output', 'input'] as const;
  table.replaceChildren(
    element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, words('field')), ...heads)),
    ...parts.flatMap((part) => {
      const own = lines.filter((line) => line.part === part && (line.differs || !onlyDifferences.checked));
      if (own.length === 0) return [];
      const heading = element('tr', { class: 'part' }, element('th', { scope: 'rowgroup', colspan: columns.length + 1 }, words(part)));
      return [element('tbody', {}, ...(part === 'run' ? [] : [heading]), ...own.map(toRow))];
    }),
  );
}

/** What differs from the first run is marked; the row has a sign too, since a colour alone is not enough. */
function toRow({ label, cells, changes, differs }: ComparedLine): HTMLElement {
  const sign = differs ? element('span', { class: 'sign', role: 'img', 'aria-label': words('differs') }, '≠') : undefined;
  return element(
    'tr',
    { class: differs ? 'differs' : undefined },
    element('th', { scope: 'row' }, sign, label),
    ...cells.map((cell, at) => {
      const change = changes[at] ?? '';
      const text =
        cell === null ? element('span', { class: 'muted' }, '–', element('span', { class: 'visually-hidden' }, words('nothing'))) : cell;
      return element(
        'td',
        { class: cell === cells[0] ? undefined : 'other' },
        element('div', { class: 'cell' }, text, change === '' ? undefined : element('span', { class: 'muted' }, ` (${change})`)),
      );
    }),
  );
}
