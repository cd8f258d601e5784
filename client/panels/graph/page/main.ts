import './style.css';
import type { GraphLayout } from '../../../../core/routing/graph/graphLayout.js';
import { layOutGraph } from '../../../../core/routing/graph/graphLayout.js';
import type { GraphModel } from '../../../../core/routing/graph/graphModel.js';
import { dispatch, type Handlers } from '../../messages.js';
import { byFrame, connect } from '../../page/connect.js';
import { t } from '../../page/l10n.js';
import { element } from '../../page/page.js';
import { statusWord } from '../../page/words.js';
import type { FromPage, PanelState, RunView, ToPage } from '../messages.js';
import { createDetails } from './details.js';
import { createDiagram } from './diagram.js';
import { createHeader, type Shape } from './header.js';
import { createOutline } from './outline.js';
import type { View } from './viewport.js';

/** Kept over a reload, and while the page is hidden. */
interface Kept extends PanelState {
  readonly shape?: Shape;
  readonly view?: View | undefined;
}

const host = connect<FromPage, ToPage, Kept>();
const open = (pointer: string) => host.post({ type: 'open', pointer });

const status = element('p', { class: 'visually-hidden', role: 'status' });
const header = createHeader({
  act(action) {
    host.post({ type: action });
    if (action === 'copyMermaid') status.textContent = t('Copied.');
  },
  zoom: (to) => diagram.zoom(to),
  shape: (shape) => {
    host.keep({ shape });
    showShape(shape);
  },
  open,
});
const details = createDetails();
const diagram = createDiagram({
  open,
  look: (item) => details.show(item),
  viewed: (view) => {
    host.keep({ view });
    header.scale(view.scale);
  },
});
const outline = createOutline(open);
const start = element('p', { class: 'start muted' }, t('Reading the orchestration...'));
const picture = element('div', { class: 'picture', hidden: true }, diagram.root, details.root);
const list = element('div', { class: 'outline', hidden: true }, outline.root);
document.body.append(header.root, status, element('main', {}, start, picture, list));

let title = '';
let drawn: { readonly model: GraphModel; readonly layout: GraphLayout } | undefined;
let laidOut = '';
let run: RunView | null = null;
let shape: Shape = host.state().shape ?? 'diagram';

const handlers: Handlers<ToPage> = {
  nothing() {
    drawn = undefined;
    showStart(t('Open an orchestration to see its teams and the routes between them.'));
  },
  file: showFile,
  graph: showGraph,
  stale({ reason }) {
    header.stale(drawn === undefined ? null : reason);
    if (drawn === undefined && reason !== null) showStart(t('There is nothing to show yet: {0}', reason));
  },
  lit({ pointer }) {
    diagram.light(pointer);
    outline.light(pointer);
  },
  run: (message) => showRun(message.run),
};
// Only the last message of each type within a frame is drawn: typing is faster than laying out a large graph.
const draw = byFrame<ToPage>((messages) => {
  const last = new Map(messages.map((message) => [message.type, message]));
  for (const message of messages) if (last.get(message.type) === message) dispatch(handlers, message);
});
host.listen({ nothing: draw, file: draw, graph: draw, stale: draw, lit: draw, run: draw });

/** Forgets the file before: there may be nothing to show of this one yet. */
function showFile({ name, path, state }: Extract<ToPage, { type: 'file' }>): void {
  const isOther = host.state().uri !== state.uri;
  host.keep({ ...state, ...(isOther && { view: undefined }) });
  drawn = undefined;
  title = name;
  header.file(name, path);
  showStart(t('Reading the orchestration...'));
}

function showGraph({ model, canRun }: Extract<ToPage, { type: 'graph' }>): void {
  // Findings change the picture, but rarely its layout.
  const key = JSON.stringify(model, (field, value: unknown) => (field === 'marks' && Array.isArray(value) ? value.length > 0 : value));
  const layout =
    drawn !== undefined && key === laidOut
      ? withModel(drawn.layout, model)
      : layOutGraph(model, { start: t('Entry'), end: t('End'), default: 'default' });
  laidOut = key;
  const isFirst = drawn === undefined;
  drawn = { model, layout };
  header.show(canRun, model.marks);
  if (model.nodes.length === 0) {
    showStart(t('There is no team yet.'));
    return;
  }
  start.hidden = true;
  showShape(shape);
  diagram.show(title, layout);
  outline.show(model);
  if (isFirst) diagram.place(host.state().view);
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
  // A screen reader hears where the run is, and how it ended.
  if (before.path.status !== now.path.status) status.textContent = t('The run has ended: {0}.', statusWord(now.path.status));
  else {
    const team = Object.entries(now.path.teams).find(
      ([id, { state }]) => state === 'running' && before.path.teams[id]?.state !== 'running',
    );
    if (team !== undefined) status.textContent = t('{0} is running.', team[0]);
  }
}

function showShape(now: Shape): void {
  shape = now;
  header.shape(now);
  const isThere = drawn !== undefined && drawn.model.nodes.length > 0;
  picture.hidden = !isThere || now !== 'diagram';
  list.hidden = !isThere || now !== 'list';
}

function showStart(text: string): void {
  start.textContent = text;
  start.hidden = false;
  picture.hidden = true;
  list.hidden = true;
}
