import { element } from '../../panels/page/page.js';
import type { ViewFacts } from '../../views/run/messages.js';
import { count, type Words } from './words.js';

/** The last line of the trace: how smoothly the run went, and what that is made of. It rates the run, not its answer. */
export function createCourse(words: Words): { readonly root: HTMLElement; show(facts: ViewFacts): void } {
  const root = element('p', { class: 'course muted', title: words('smoothnessHint'), hidden: true });
  return {
    root,
    show({ smoothness }) {
      root.hidden = smoothness === null;
      if (smoothness === null) return;
      const why = smoothness.reasons.map(({ word, count: times }) => words(word, count(times))).join(', ');
      const text = words('smoothness', count(Math.round(smoothness.value * 100)));
      root.textContent = why === '' ? text : `${text} (${why})`;
    },
  };
}
