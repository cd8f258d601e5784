import { errorKeyOf } from '../../../../core/errorTitles.js';
import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import type { ViewFacts, ViewIssue } from '../messages.js';
import { translatedErrors } from '../translatedErrors.js';

/** What went wrong: the error, what the schema refuses with a link to the place in the schema, and what of the run cannot be read. */
export interface Issues {
  readonly root: HTMLElement;
  show(facts: ViewFacts): void;
}

export function createIssues(open: (issue: ViewIssue) => void): Issues {
  const root = element('div', { class: 'issues' });
  let shownText = '';
  return {
    root,
    show({ error, problems, isKept }) {
      const now = JSON.stringify([error, problems, isKept]);
      if (now === shownText) return;
      shownText = now;
      root.replaceChildren();
      if (problems.length > 0) {
        const list = element('ul', {}, ...problems.map((problem) => element('li', {}, problem)));
        root.append(element('section', { class: 'problem' }, element('h2', {}, t('Not all of this run can be read')), list));
      }
      if (error === null) return;
      const code = error.reason === '' ? error.code : `${error.code}/${error.reason}`;
      const key = errorKeyOf(error.code, error.reason);
      const isCancelled = error.code === 'cancelled';
      const box = element(
        'section',
        { class: isCancelled ? 'problem error cancelled' : 'problem error' },
        element('h2', {}, key === undefined ? code : translatedErrors(t)[key]),
        key === undefined || isCancelled ? undefined : element('code', { class: 'code' }, code),
        element('p', { class: 'message' }, error.message),
      );
      const isLinked = error.code === 'output-invalid' && isKept;
      if (error.issues.length > 0) {
        const list = element(
          'ul',
          { 'aria-label': t('What the schema refuses') },
          ...error.issues.map((issue) => element('li', {}, toIssue(issue, isLinked))),
        );
        box.append(list);
      }
      root.append(box);
    },
  };

  function toIssue(issue: ViewIssue, isLinked: boolean): HTMLElement {
    const place = issue.path === '' ? t('the whole answer') : issue.path;
    const text = `${place}: ${issue.message}`;
    if (!isLinked) return element('span', {}, text);
    return button({ class: 'link', title: t('Show in the schema: {0}', place), onclick: () => open(issue) }, text);
  }
}
