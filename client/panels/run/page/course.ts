import { t } from '../../page/l10n.js';
import { element } from '../../page/page.js';
import { count } from '../../page/words.js';
import type { ViewFacts, ViewReason } from '../messages.js';

/** The last line of the trace: how smoothly the run went, and how that is computed. It rates the run, not its answer. */
export function createCourse(): { readonly root: HTMLElement; show(facts: ViewFacts): void } {
  const root = element('p', {
    class: 'course muted',
    title: t('It rates how the run went (turns, failed calls, repairs), not how good its answer is; docs/loops.md has the formula.'),
    hidden: true,
  });
  return {
    root,
    show({ smoothness }) {
      root.hidden = smoothness === null;
      if (smoothness === null) return;
      const why = smoothness.reasons.map(({ word, count: times }) => reasonWords(word, count(times))).join(', ');
      const text = t('Smoothness of the run: {0} %', count(Math.round(smoothness.value * 100)));
      root.textContent = why === '' ? text : `${text} (${why})`;
    },
  };
}

function reasonWords(reason: ViewReason['word'], times: string): string {
  switch (reason) {
    case 'iterations':
      return t('model calls: {0}', times);
    case 'calls':
      return t('successful tool calls: {0}', times);
    case 'failed':
      return t('failed tool calls: {0}', times);
    case 'contradictions':
      return t('contradictions: {0}', times);
    case 'rejected':
      return t('rejected answers: {0}', times);
    case 'repairs':
      return t('repairs: {0}', times);
  }
}
