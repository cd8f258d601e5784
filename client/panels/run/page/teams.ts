import { t } from '../../page/l10n.js';
import { element } from '../../page/page.js';
import { count, dollars, duration, statusWord } from '../../page/words.js';
import type { ViewEvent } from '../messages.js';
import { createFold, type Fold } from './fold.js';
import type { WholeTexts } from './wholeTexts.js';

type Of<Type extends ViewEvent['type']> = Extract<ViewEvent, { type: Type }>;

/** The teams of a run as a tree: what each task did is in its task, what came next is below the tasks. */
export interface Teams {
  /** The list for events of a place; undefined outside of all teams. */
  listOf(place: string): HTMLElement | undefined;
  /** Takes in an event of a team, task or route. @returns what is new at the top, to be put there */
  add(event: Of<'team' | 'task' | 'task_end' | 'route' | 'team_end'>): HTMLElement | undefined;
  clear(): void;
  /** The run is over: tasks that are still open will never end. */
  end(): void;
  fold(isOpen: boolean): void;
}

interface Part {
  readonly fold: Fold;
  readonly sign: HTMLElement;
  readonly announced: HTMLElement;
  readonly digest: HTMLElement;
  readonly list: HTMLElement;
  readonly name: string;
}

const signs = { running: '◌', completed: '✓', failed: '✗', cancelled: '⊘' } as const;

export function createTeams(texts: WholeTexts): Teams {
  /** Current activity, by place. */
  const teams = new Map<string, Part>();
  const tasks = new Map<string, Part>();
  /** How the tasks of the current team that did not complete have ended. */
  const failed = new Set<'failed' | 'cancelled'>();
  const folds: Fold[] = [];
  let newest: Part | undefined;

  function part(kind: 'team' | 'task', name: string, digest: string): Part {
    const sign = element('span', { class: 'sign', 'aria-hidden': 'true' });
    const announced = element('span', { class: 'visually-hidden' });
    const level = kind === 'team' ? 'h3' : 'h4';
    const spent = element('span', { class: 'muted spent' }, digest);
    const list = element('ol', { class: 'steps' });
    const fold = createFold(kind, [
      sign,
      element(level, {}, kind === 'team' ? t('Team {0}', name) : t('Task {0}', name)),
      announced,
      ' ',
      spent,
    ]);
    fold.body.append(list);
    fold.set(true);
    folds.push(fold);
    const newPart: Part = { fold, sign, announced, digest: spent, list, name };
    setState(newPart, 'running');
    return newPart;
  }

  function setState({ fold, sign, announced: said }: Part, state: keyof typeof signs): void {
    sign.textContent = signs[state];
    said.textContent = ` ${statusWord(state)}`;
    fold.root.dataset.state = state;
  }

  function endTask(event: Of<'task_end'>): void {
    const task = tasks.get(event.place);
    if (task === undefined) return;
    setState(task, event.status);
    const { duration_ms, tokens, cost } = event;
    const spent = [
      duration_ms === null ? undefined : duration(duration_ms),
      tokens === null || tokens === 0 ? undefined : t('{0} tokens', count(tokens)),
      cost === null ? undefined : dollars(cost),
    ];
    task.digest.textContent = spent.filter((text) => text !== undefined).join(' · ');
    if (event.error !== '') task.fold.body.append(element('p', { class: 'warning' }, event.error));
    const { output } = event;
    if (output !== null) {
      const label = t('Result of {0}', task.name);
      const line = [element('span', {}, t('Result')), element('span', { class: 'short answered' }, output.excerpt)];
      task.fold.body.append(createFold('fold output', line, (body) => body.append(texts.showRich(output, label))).root);
    }
    if (event.status !== 'completed') failed.add(event.status);
    tasks.delete(event.place);
  }

  function route({ place, rule, next, updates, notes }: Of<'route'>): void {
    const won = rule === null ? t('No rule matched') : t('Rule {0}', rule + 1);
    const leads = next === null ? t('the run ends') : t('next team: {0}', next);
    const box = element(
      'div',
      { class: 'route' },
      element('p', {}, element('span', { 'aria-hidden': 'true' }, '→ '), `${won}: `, element('strong', {}, leads)),
    );
    if (updates !== '') box.append(element('p', { class: 'muted mono' }, t('Changes the context: {0}', updates)));
    if (notes.length > 0) box.append(element('ul', { class: 'hints muted' }, ...notes.map((note) => element('li', {}, note))));
    teams.get(place)?.fold.body.append(box);
  }

  return {
    listOf: (place) => (tasks.get(place) ?? teams.get(place))?.list,
    add(event) {
      switch (event.type) {
        case 'team': {
          const number = event.execution > 0 ? t('Team {0} of the run', event.execution) : '';
          const teamPart = part(
            'team',
            event.team,
            [number, event.isNewContext ? t('again, with a changed context') : ''].filter(Boolean).join(' · '),
          );
          // The newest team is the one that is read.
          if (newest !== undefined && !newest.fold.isTouched) newest.fold.set(false);
          newest = teamPart;
          teams.set(event.place, teamPart);
          failed.clear();
          return element('li', {}, teamPart.fold.root);
        }
        case 'task': {
          const taskPart = part('task', event.task, '');
          const team = teams.get(event.team);
          tasks.set(event.place, taskPart);
          const item = element('li', {}, taskPart.fold.root);
          if (team === undefined) return item;
          team.list.append(item);
          return undefined;
        }
        case 'task_end':
          endTask(event);
          return undefined;
        case 'route':
          route(event);
          return undefined;
        case 'team_end': {
          const team = teams.get(event.place);
          if (team !== undefined) setState(team, failed.has('failed') ? 'failed' : failed.has('cancelled') ? 'cancelled' : 'completed');
          teams.delete(event.place);
          return undefined;
        }
      }
    },
    clear() {
      teams.clear();
      tasks.clear();
      failed.clear();
      folds.length = 0;
      newest = undefined;
    },
    end() {
      for (const part of [...teams.values(), ...tasks.values()]) setState(part, 'cancelled');
      teams.clear();
      tasks.clear();
    },
    fold(isOpen) {
      for (const fold of folds) fold.set(isOpen);
    },
  };
}
