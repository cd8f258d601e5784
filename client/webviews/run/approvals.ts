import { element } from '../../panels/page/page.js';
import type { Decision, ViewApproval } from '../../views/run/messages.js';
import { showLongText } from './longText.js';
import { originWord } from './toolCall.js';
import type { Words } from './words.js';

/** The tool calls that wait for approval, each with its effect and the possible answers. */
export interface Approvals {
  readonly root: HTMLElement;
  show(approvals: readonly ViewApproval[]): void;
}

const decisions: readonly { readonly decision: Decision; readonly word: string; readonly kind: string }[] = [
  { decision: 'once', word: 'allowOnce', kind: 'primary' },
  { decision: 'run', word: 'allowRun', kind: 'secondary' },
  { decision: 'always', word: 'allowAlways', kind: 'secondary' },
  { decision: 'deny', word: 'deny', kind: 'secondary' },
];

export function createApprovals(words: Words, decide: (id: number, decision: Decision) => void): Approvals {
  const root = element('div', { class: 'approvals' });
  const boxes = new Map<number, HTMLElement>();
  return {
    root,
    show(approvals) {
      let hadFocus = false;
      for (const [id, box] of boxes) {
        if (approvals.some((approval) => approval.id === id)) continue;
        hadFocus ||= box.contains(document.activeElement);
        box.remove();
        boxes.delete(id);
      }
      for (const approval of approvals) {
        if (boxes.has(approval.id)) continue;
        const box = toBox(approval);
        boxes.set(approval.id, box);
        root.append(box);
      }
      // After an answer, the focus moves to the next question.
      const next = hadFocus ? boxes.values().next().value : undefined;
      next?.querySelector('button')?.focus();
    },
  };

  function toBox({ id, tool, origin, agent, place, description, input }: ViewApproval): HTMLElement {
    const title = element('h2', { id: `approval${id}` }, words('approvalTitle', tool));
    const buttons = decisions.map(({ decision, word, kind }) =>
      element('button', { type: 'button', class: kind, title: words(`${word}Hint`), onclick: () => decide(id, decision) }, words(word)),
    );
    return element(
      'section',
      { class: 'approval', 'aria-labelledby': title.id },
      title,
      ...(place === '' ? [] : [element('p', { class: 'asker' }, words('approvalIn', place, agent))]),
      ...(place !== '' || agent === '' ? [] : [element('p', { class: 'asker' }, words('approvalBy', agent))]),
      element('p', {}, words(origin === 'skill' ? 'approvalSkill' : 'approvalServer', originWord(origin, words))),
      ...(description === '' ? [] : [element('p', { class: 'muted description' }, words('approvalSays', description))]),
      showLongText(words('toolInputOf', tool), input),
      element('div', { class: 'toolbar', role: 'group', 'aria-label': words('approvalAnswers', tool) }, ...buttons),
    );
  }
}
