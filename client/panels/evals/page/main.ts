import './style.css';
import {
  type PageAction,
  type PageElement,
  type PageNode,
  pageAttributes,
  pageTags,
} from '../../../../core/eval/report/page/pageElement.js';
import { connect } from '../../page/connect.js';
import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import type { FromPage, PanelState, ToPage } from '../messages.js';

const host = connect<FromPage, ToPage, PanelState>();

const chooser = element('select', { id: 'shown', onchange: () => host.post({ type: 'choose', id: chooser.value }) });
const choice = element('span', { class: 'chosen' }, element('label', { for: 'shown' }, t('Shown eval')), chooser);
const compare = button({ class: 'secondary', onclick: () => host.post({ type: 'compare' }) }, t('Compare with Baseline'));
const report = element('div');
document.body.append(element('div', { class: 'toolbar' }, choice, compare), report);

host.listen({
  show({ page, state, evals }) {
    host.keep(state);
    chooser.replaceChildren(...evals.map(({ id, label }) => element('option', { value: id, selected: id === state.eval_id }, label)));
    choice.hidden = evals.length < 2;
    // What the reader has opened stays open.
    const open = new Set([...report.querySelectorAll('details')].filter((details) => details.open).map(titleOf));
    report.replaceChildren(toDom(page));
    for (const details of report.querySelectorAll('details')) if (open.has(titleOf(details))) details.open = true;
  },
});

function titleOf(details: HTMLDetailsElement): string {
  return details.querySelector('summary')?.textContent ?? '';
}

/** Texts become text nodes, and anything that is not a tag or attribute of a report is left out. */
function toDom({ tag, attributes = {}, action, children }: PageElement): Element {
  if (!pageTags.includes(tag)) return document.createElement('span');
  const isDrawing = tag === 'svg' || tag === 'rect';
  const node = isDrawing ? document.createElementNS('http://www.w3.org/2000/svg', tag) : document.createElement(tag);
  for (const name of pageAttributes) {
    const value = attributes[name];
    if (value !== undefined) node.setAttribute(name, value === true ? '' : String(value));
  }
  if (action !== undefined) node.addEventListener('click', () => post(action));
  node.append(...children.map((child: PageNode) => (typeof child === 'string' ? child : toDom(child))));
  return node;
}

function post(action: PageAction): void {
  host.post({ type: 'act', action });
}
