import './style.css';
import type { GraphLayout } from '../../../core/routing/graph/graphLayout.js';
import { layOutGraph } from '../../../core/routing/graph/graphLayout.js';
import type { GraphModel } from '../../../core/routing/graph/graphModel.js';
import { connectHost, createWords, element } from '../../panels/page/page.js';
import { type FromPage, isToPage, type PanelState, type RunView, type ToPage } from '../../views/graph/messages.js';
import { createDetails } from './details.js';
import { createDiagram } from './diagram.js';
import { createHeader, type Shape } from './header.js';
import { createOutline } from './outline.js';
import { createSpeech } from './speech.js';
import type { View } from './viewport.js';

/** What is kept over a reload, and while the page is hidden. */
interface Kept extends PanelState {
  readonly shape?: Shape;
  readonly view?: View;
}

const host = connectHost();
const words = createWords();
const speech = createSpeech(words);
const post = (message: FromPage) => host.postMessage(message);
const keep = (change: Partial<Kept>) => host.setState({ ...kept(), ...change });
const kept = () => host.getState() as Kept | undefined;

const status = element('p', { class: 'visually-hidden', role: 'status' });
const header = createHeader(words, {
  act(action) {
    post({ type: action });
    if (action === 'copyMermaid') status.textContent = words('copied');
  },
  zoom: (to) => diagram.zoom(to),
  shape: (shape) => {
    keep({ shape });
    showShape(shape);
  },
  open: (pointer) => post({ type: 'open', pointer }),
});
const details = createDetails(words, speech);
const diagram = createDiagram(words, speech, {
  open: (pointer) => post({ type: 'open', pointer }),
  look: (item) => details.show(item),
  viewed: (view) => {
    keep({ view });
    header.scale(view.scale);
  },
});
const outline = createOutline(words, speech, (pointer) => post({ type: 'open', pointer }));
const start = element('p', { class: 'start muted' }, words('loading'));
const picture = element('div', { class: 'picture', hidden: true }, diagram.root, details.root);
const list = element('div', { class: 'outline', hidden: true }, outline.root);
document.body.append(header.root, status, element('main', {}, start, picture, list));

let title = '';
let shown: { readonly model: GraphModel; readonly layout: GraphLayout } | undefined;
let laidOut = '';
let run: RunView | null = null;
let shape: Shape = kept()?.shape ?? 'diagram';

let waiting: ToPage[] = [];
window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (!isToPage(data)) return;
  // Only the last message of each kind within a frame is drawn: typing is faster than laying out a large graph.
  if (waiting.length === 0) requestAnimationFrame(paint);
  waiting = [...waiting.filter(({ type }) => type !== data.type), data];
});
post({ type: 'ready' });

function paint(): void {
  const messages = waiting;
  waiting = [];
  for (const message of messages) receive(message);
}

function receive(message: ToPage): void {
  switch (message.type) {
    case 'nothing':
      shown = undefined;
      tellStart(words('nothing'));
      return;
    case 'file':
      showFile(message);
      return;
    case 'graph':
      showGraph(message);
      return;
    case 'stale':
      header.stale(shown === undefined ? null : message.reason);
      if (shown === undefined && message.reason !== null) tellStart(words('broken', message.reason));
      return;
    case 'lit':
      diagram.light(message.pointer);
      outline.light(message.pointer);
      return;
    case 'run':
      showRun(message.run);
      return;
  }
}

/** Nothing of the file before is left: there may be nothing to show of this one yet. */
function showFile({ name, path, state }: Extract<ToPage, { type: 'file' }>): void {
  const isOther = kept()?.uri !== state.uri;
  host.setState({ ...kept(), ...state, ...(isOther && { view: undefined }) });
  shown = undefined;
  title = name;
  header.file(name, path);
  tellStart(words('loading'));
}

function showGraph({ model, canRun }: Extract<ToPage, { type: 'graph' }>): void {
  // What is found wrong changes the picture, but seldom where things are.
  const key = JSON.stringify(model, (field, value: unknown) => (field === 'marks' && Array.isArray(value) ? value.length > 0 : value));
  const layout =
    shown !== undefined && key === laidOut
      ? withModel(shown.layout, model)
      : layOutGraph(model, { start: words('start'), end: words('end'), default: words('default') });
  laidOut = key;
  const isFirst = shown === undefined;
  shown = { model, layout };
  header.show(canRun, model.marks);
  if (model.nodes.length === 0) {
    tellStart(words('empty'));
    return;
  }
  start.hidden = true;
  showShape(shape);
  diagram.show(title, layout);
  outline.show(model);
  if (isFirst) diagram.place(kept()?.view);
  showRun(run);
}

/** The same picture with the parts of the new graph, which differ in their marks alone. */
function withModel(layout: GraphLayout, { nodes, edges }: GraphModel): GraphLayout {
  return {
    ...layout,
    nodes: layout.nodes.map((placed, index) => ({ ...placed, node: nodes[index] ?? placed.node })),
    edges: layout.edges.map((placed, index) => ({ ...placed, edge: edges[index] ?? placed.edge })),
  };
}

function showRun(now: RunView | null): void {
  const before = run;
  run = now;
  header.run(now);
  diagram.run(now?.path);
  outline.run(now?.path);
  details.run(now?.path);
  if (now === null || before?.run_id !== now.run_id) return;
  // A screen reader is told where the run is, and how it ended.
  if (before.path.status !== now.path.status) status.textContent = words('announceEnd', words(`runState_${now.path.status}`));
  else {
    const team = Object.entries(now.path.teams).find(
      ([id, { state }]) => state === 'running' && before.path.teams[id]?.state !== 'running',
    );
    if (team !== undefined) status.textContent = words('announceTeam', team[0]);
  }
}

function showShape(now: Shape): void {
  shape = now;
  header.shape(now);
  const isThere = shown !== undefined && shown.model.nodes.length > 0;
  picture.hidden = !isThere || now !== 'diagram';
  list.hidden = !isThere || now !== 'list';
}

function tellStart(text: string): void {
  start.textContent = text;
  start.hidden = false;
  picture.hidden = true;
  list.hidden = true;
}
