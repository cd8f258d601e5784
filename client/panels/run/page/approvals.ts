import { t } from '../../page/l10n.js';
import { button, element } from '../../page/page.js';
import { originWord } from '../../page/words.js';
import type { Decision, ViewApproval } from '../messages.js';
import { showLongText } from './longText.js';

/** The tool calls that wait for approval, each with its effect and the possible answers. */
export interface Approvals {
  readonly root: HTMLElement;
  show(approvals: readonly ViewApproval[]): void;
}

const decisions = [
  { decision: 'once', kind: 'primary', text: () => t('Allow Once'), hint: () => t('Allow this call') },
  {
    decision: 'run',
    kind: 'secondary',
    text: () => t('Allow for This Run'),
    hint: () => t('Allow all calls of this tool until the run ends'),
  },
  {
    decision: 'always',
    kind: 'secondary',
    text: () => t('Always for This Tool'),
    hint: () => t('Allow this tool in this project from now on, until its description or parameters change'),
  },
  {
    decision: 'deny',
    kind: 'secondary',
    text: () => t('Deny'),
    hint: () => t('Tell the model that the call is not allowed; the run continues'),
  },
] as const satisfies readonly { readonly decision: Decision; readonly [name: string]: unknown }[];

export function createApprovals(decide: (id: number, decision: Decision) => void): Approvals {
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

  function toBox({ id, tool, origin, agent, place, description, deeds, policy, input }: ViewApproval): HTMLElement {
    const title = element('h2', { id: `approval${id}` }, t('Allow a call of {0}?', tool));
    const offered = policy === '' ? decisions : decisions.filter(({ decision }) => decision === 'once' || decision === 'deny');
    const buttons = offered.map(({ decision, text, hint, kind }) =>
      button({ class: kind, title: hint(), onclick: () => decide(id, decision) }, text()),
    );
    return element(
      'section',
      { class: 'approval', 'aria-labelledby': title.id },
      title,
      ...(place === '' ? [] : [element('p', { class: 'asker' }, t('Asked for in {0} by {1}.', place, agent))]),
      ...(place !== '' || agent === '' ? [] : [element('p', { class: 'asker' }, t('Asked for by {0}.', agent))]),
      element('p', {}, origin === 'skill' ? t('A skill of the project.') : t('Offered by the MCP server {0}.', originWord(origin))),
      ...(description === '' ? [] : [element('p', { class: 'muted description' }, t('It says of itself: {0}', description))]),
      ...(deeds === null ? [] : [element('p', {}, t('By its labels: {0}.', deedWords(deeds)))]),
      ...(policy === '' ? [] : [element('p', {}, t('The policy wants each such call approved: {0}', policy))]),
      showLongText(t('Input of {0}', tool), input),
      element('div', { class: 'toolbar', role: 'group', 'aria-label': t('Answers for {0}', tool) }, ...buttons),
    );
  }
}

/** What an approval grants: `reads private data, sends`. */
function deedWords({ labels, isWhole }: NonNullable<ViewApproval['deeds']>): string {
  const words: Record<(typeof labels)[number], string> = {
    private: t('reads private data'),
    untrusted: t('may answer with what strangers wrote'),
    sends: t('sends'),
    changes: t('changes data'),
    destroys: t('destroys data'),
    runs_code: t('runs code'),
  };
  if (labels.length === 0) return isWhole ? t('reads and changes nothing outside') : t('not labelled');
  return [...labels.map((label) => words[label]), ...(isWhole ? [] : [t('the rest is not labelled')])].join(', ');
}
