import './style.css';
import { type HostMessage, isHostMessage, type PageMessage } from '../../views/evals/messages.js';
import { connectHost, createWords, element } from '../page.js';
import { toDom } from './toDom.js';

const host = connectHost();
const words = createWords();
const post = (message: PageMessage) => host.postMessage(message);

const chooser = element('select', { id: 'shown', onchange: () => post({ type: 'choose', id: chooser.value }) });
const chosen = element('span', { class: 'chosen' }, element('label', { for: 'shown' }, words('shown')), chooser);
const compare = element('button', { type: 'button', class: 'secondary', onclick: () => post({ type: 'compare' }) }, words('compare'));
const toolbar = element('div', { class: 'toolbar' }, chosen, compare);
const shown = element('div');
document.body.append(toolbar, shown);

window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!isHostMessage(data)) return;
  show(data);
  // What VS Code needs to bring the panel back after a restart; it holds nothing of the report itself.
  host.setState({ root: data.root, eval_id: data.eval_id });
});
post({ type: 'ready' });

function show({ page, eval_id, evals }: HostMessage): void {
  chooser.replaceChildren(...evals.map(({ id, label }) => element('option', { value: id, selected: id === eval_id }, label)));
  chosen.hidden = evals.length < 2;
  const open = openCases();
  shown.replaceChildren(toDom(page, (action) => post({ type: 'act', action })));
  for (const details of shown.querySelectorAll('details')) if (open.has(nameOf(details))) details.open = true;
}

/** What the reader has opened stays open when the page is shown anew. */
function openCases(): ReadonlySet<string> {
  return new Set([...shown.querySelectorAll('details')].filter((details) => details.open).map(nameOf));
}

function nameOf(details: HTMLDetailsElement): string {
  return details.querySelector('summary')?.textContent ?? '';
}
