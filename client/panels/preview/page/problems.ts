import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import { createStateLine } from '../../page/stateLine.js';
import { count } from '../../page/words.js';
import type { ErrorView, Post, ProblemsView, ToPage } from '../messages.js';

type Stale = Omit<Extract<ToPage, { type: 'stale' }>, 'type'>;
type Errors = Pick<ProblemsView, 'errors' | 'more'>;

/** Whether the prompt is up to date, and what would stop a run. */
export function createProblems(post: Post, onStale: (isStale: boolean) => void) {
  const state = createStateLine('errors', { open: t('Show All') });
  let stale: Stale = { reason: null, hasPrompt: true };
  /** Undefined until the files have been checked. */
  let problems: Errors | undefined;

  function update(): void {
    const { errors, more } = problems ?? { errors: [], more: 0 };
    const isStale = stale.reason !== null;
    state.show(isStale || errors.length > 0, JSON.stringify([stale, problems]), () => {
      onStale(isStale);
      const items = errors.map((error, index) => [
        toLink(error, index),
        ` ${error.message} `,
        element('span', { class: 'muted' }, error.code),
      ]);
      if (more > 0) items.push([element('span', { class: 'muted' }, t('and {0} more', count(more)))]);
      return { kind: isStale ? 'stale' : errors.length > 0 ? 'errors' : 'fine', line: lineOf(stale, problems), items };
    });
  }

  function lineOf({ reason, hasPrompt }: Stale, checked: Errors | undefined): readonly (Node | string)[] {
    const { errors, more } = checked ?? { errors: [], more: 0 };
    const [first] = errors;
    const total = errors.length + more;
    const line: (Node | string)[] = [];
    if (reason !== null) line.push(element('strong', {}, hasPrompt ? t('Last good state.') : t('No prompt yet.')), ' ');
    else if (total > 0)
      line.push(element('strong', {}, total === 1 ? t('1 error would stop a run:') : t('{0} errors would stop a run:', count(total))), ' ');
    else if (checked !== undefined) line.push(t('No errors.'));
    if (first !== undefined) line.push(toLink({ ...first, place: first.place.slice(first.place.lastIndexOf('/') + 1) }, 0), ' ');
    // What is wrong with the file is its first error too.
    const text = reason ?? first?.message;
    return text === undefined ? line : [...line, text];
  }

  const toLink = ({ place }: ErrorView, index: number) =>
    button({ class: 'link', onclick: () => post({ type: 'openError', index }) }, place);

  return {
    element: state.root,
    /** Another agent is shown, whose state is reported at once. */
    restart(): void {
      problems = undefined;
      state.restart();
    },
    showStale(now: Stale): void {
      stale = now;
      update();
    },
    show(now: Errors): void {
      problems = now;
      update();
    },
  };
}
