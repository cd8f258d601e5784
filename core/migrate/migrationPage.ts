import { h, type PageAction, type PageElement, type PageNode } from '../eval/report/page/pageElement.js';
import type { MigrationMove, MigrationUse } from '../generated/types.js';
import { visibleText } from '../visibleText.js';
import { capitalized, shellQuote, type Translate } from '../words.js';
import {
  countOutcomes,
  countWords,
  type MigrationLanguage,
  moveFacts,
  moveTitle,
  placeWords,
  priceWords,
  splitReasons,
  useCells,
  useHeadings,
  useName,
} from './migrationWords.js';
import type { MigrationPlan } from './planMigration.js';

export interface MigrationPageOptions extends MigrationLanguage {
  /** The model to replace; null for every one that ends. */
  readonly from: string | null;
  /** The model that replaces it; null for the successor that its provider names. */
  readonly to: string | null;
  /** How many environments were compared. */
  readonly environments: number;
  /** Today, in UTC. */
  readonly asOf: string;
  /** Whether the plan writes places of which facts are missing. */
  readonly allowUnknown: boolean;
}

/** The page for an editor: what changes for each agent, at what price, with a link to each place and buttons that show and write the files. */
export function migrationPage(plan: MigrationPlan, options: MigrationPageOptions): PageElement {
  const t: Translate = options.t;
  const { moves, unread, parameters } = plan;
  const missing = unread.map((file) => h('li', {}, link(t('{0} cannot be read, so its model is not known.', file), file)));
  const notRead = missing.length === 0 ? [] : [h('section', {}, h('h2', {}, t('Not read')), h('ul', {}, ...missing))];
  if (moves.length === 0) return h('main', {}, ...nothingToMove(plan, options), ...notRead);
  const notes = parameters.map(({ file, pointer, note }) => h('li', {}, link(`${file}: ${note}`, file, pointer)));
  const named = [...(options.from === null ? [] : ['--from', options.from]), ...(options.to === null ? [] : ['--to', options.to])];
  const command = ['agent-stack', 'migrate', ...named, '--eval'].map(shellQuote).join(' ');
  return h(
    'main',
    {},
    h('h1', {}, countWords(countOutcomes(moves), options)),
    ...changeWords(plan, options),
    ...moves.map((move) => moveSection(move, options)),
    ...(notes.length === 0 ? [] : [h('section', {}, h('h2', {}, t('Also written')), h('ul', {}, ...notes))]),
    ...notRead,
    h(
      'p',
      { class: 'muted' },
      t('Whether the answers stay as good is not compared here. In a terminal, this asks the cases with both models:'),
    ),
    h('pre', {}, visibleText(command)),
  );
}

function nothingToMove({ used }: MigrationPlan, { from, ...words }: MigrationPageOptions): readonly PageElement[] {
  const t: Translate = words.t;
  return [
    h('h1', {}, from === null ? t('No model in use is known to end.') : t('Nothing in this project uses {0}.', visibleText(from))),
    h('p', {}, used.length === 0 ? t('No agent names a model.') : t('In use: {0}.', visibleText(used.join(', ')))),
  ];
}

/** The prices, and the buttons. */
function changeWords({ moves, changes, price_change: change }: MigrationPlan, options: MigrationPageOptions): readonly PageElement[] {
  const t: Translate = options.t;
  const count = changes.length;
  const isDearer = change === null || change > 0;
  const price = h('p', isDearer ? { class: 'note', role: 'note' } : {}, priceWords(change, options));
  const hasUnknown = moves.some(({ to, uses }) => to !== null && uses.some(({ outcome }) => outcome === 'not_known'));
  const step = (name: MigrationStep, text: string, kind?: 'secondary'): PageElement => ({
    ...h('button', { type: 'button', class: kind }, text),
    action: { type: 'migrate', step: name },
  });
  const buttons = [
    ...(count === 0
      ? []
      : [
          step('apply', count === 1 ? t('Migrate 1 File...') : t('Migrate {0} Files...', count)),
          step('changes', t('Show Changes'), 'secondary'),
        ]),
    ...(hasUnknown || options.allowUnknown
      ? [step('unknown', options.allowUnknown ? t('Leave What Is Not Known') : t('Include What Is Not Known'), 'secondary')]
      : []),
  ];
  return [
    count === 0 ? h('p', {}, t('There is nothing to write.')) : price,
    ...(buttons.length === 0 ? [] : [h('div', { class: 'actions' }, ...buttons)]),
  ];
}

type MigrationStep = Extract<PageAction, { type: 'migrate' }>['step'];

function moveSection(move: MigrationMove, options: MigrationPageOptions): PageElement {
  const t: Translate = options.t;
  const { shared, uses } = splitReasons(move);
  const facts = moveFacts(move, options.asOf, options);
  const title = visibleText(moveTitle(move, '→'));
  const places = move.places.map((place) => {
    const { file, pointer, notes } = place;
    const below = notes.length === 0 ? [] : [h('ul', {}, ...notes.map((note) => h('li', {}, visibleText(note))))];
    return h('li', {}, link(`${file}#${pointer}`, file, pointer), `: ${visibleText(placeWords(place, (path) => path, options))}`, ...below);
  });
  const heads = [t('agent'), ...useHeadings(options)].map((name) => h('th', { scope: 'col' }, capitalized(name)));
  const table = h(
    'table',
    { class: 'figures' },
    h('thead', {}, h('tr', {}, ...heads)),
    h('tbody', {}, ...uses.map((use) => useRow(use, options))),
  );
  return h(
    'section',
    {},
    h('h2', {}, title),
    ...(facts.length === 0 ? [] : [h('p', { class: 'muted' }, visibleText(`${facts.join('; ')}.`))]),
    ...shared.map((reason) => h('p', {}, visibleText(reason))),
    h('ul', {}, ...places),
    ...(uses.length === 0 ? [] : [h('div', { class: 'scroll', role: 'region', tabindex: 0, 'aria-label': title }, table)]),
  );
}

const marks = { fits: 'passed', does_not_fit: 'failed', not_known: 'unknown' } as const;

function useRow(use: MigrationUse, options: MigrationPageOptions): PageElement {
  const [outcome = '', ...cells] = useCells(use, options, '→');
  const why = [...use.reasons, ...use.notes].map((reason) => h('li', {}, visibleText(reason)));
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, visibleText(useName(use, options.environments)), ...(why.length === 0 ? [] : [h('ul', {}, ...why)])),
    h('td', {}, h('span', { class: marks[use.outcome] }, outcome)),
    ...cells.map((cell) => h('td', {}, cell)),
  );
}

function link(text: string, file: string, pointer = ''): PageNode {
  return { ...h('button', { type: 'button', class: 'link' }, visibleText(text)), action: { type: 'place', file, pointer } };
}
