import './style.css';
import {
  type PageAction,
  type PageElement,
  type PageNode,
  pageAttributes,
  pageTags,
} from '../../../../core/eval/report/page/pageElement.js';
import { connect } from '../../page/connect.js';
import { button, element } from '../../page/page.js';
import type { FromPage, ToPage } from '../messages.js';

const host = connect<FromPage, ToPage, object>();

const chooser = element('select', { id: 'shown', onchange: () => host.post({ type: 'choose', id: chooser.value }) });
const label = element('label', { for: 'shown' });
const choices = element('span', { class: 'chosen' }, label, chooser);
const compareButton = button({ class: 'secondary', onclick: () => host.post({ type: 'compare' }) });
const report = element('div');
const toolbar = element('div', { class: 'toolbar', hidden: true }, choices, compareButton);
/** The title of the report, for screen readers when it changes. */
const status = element('div', { class: 'visually-hidden', role: 'status' });
document.body.append(toolbar, report, status);

host.listen({
  show({ page, state, compare, choice }) {
    host.keep(state);
    compareButton.textContent = compare ?? '';
    compareButton.hidden = compare === undefined;
    toolbar.hidden = compare === undefined && choice === undefined;
    const items = choice?.items ?? [];
    label.textContent = choice?.label ?? '';
    chooser.replaceChildren(
      ...items.map((item) => element('option', { value: item.id, selected: item.id === choice?.chosen }, item.label)),
    );
    choices.hidden = items.length < 2;
    // What the reader has opened stays open, and the focus where it was.
    const open = new Set([...report.querySelectorAll('details')].filter((details) => details.open).map(titleOf));
    const focused = [...report.querySelectorAll('button, summary')].indexOf(document.activeElement ?? report);
    report.replaceChildren(toDom(page));
    for (const details of report.querySelectorAll('details')) if (open.has(titleOf(details))) details.open = true;
    status.textContent = report.querySelector('h1')?.textContent ?? '';
    if (focused >= 0) [...report.querySelectorAll<HTMLElement>('button, summary')][focused]?.focus();
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
