import * as vscode from 'vscode';
import type { AskUnfinished } from '../../../core/durable.js';
import { shorten } from '../../../core/words.js';

/** Characters of an input that fit into a question. */
const longest = 1_500;

/** Asks what to do about a call that was in progress when the run was interrupted. Undefined when the user cancels: the run stops there. */
export const askUnfinished: AskUnfinished = async ({ tool, input, team, task }) => {
  const { t } = vscode.l10n;
  const where = [team, task].filter((part) => part !== undefined).join(' / ');
  const message = t('It is unknown whether the call of {0} happened.', tool);
  const text = JSON.stringify(input, null, 2);
  const detail = [
    where === ''
      ? t('It had begun when the run was interrupted, and doing it twice may do harm.')
      : t('It had begun in {0} when the run was interrupted, and doing it twice may do harm.', where),
    shorten(text, longest),
    t('Cancel stops the run here; it can be resumed again.'),
  ].join('\n\n');
  const repeat = t('Call Again');
  const skip = t('Treat It as Failed');
  // The first is what Enter says: that must not be what may do harm.
  const answer = await vscode.window.showWarningMessage(message, { modal: true, detail }, skip, repeat);
  return answer === repeat ? 'repeat' : answer === skip ? 'skip' : undefined;
};
