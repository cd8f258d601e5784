import * as vscode from 'vscode';
import { runStrings } from '../run/runStrings.js';

/** The words of the chat panel: those of a run, which each turn is, and its own. */
export function chatStrings(): Readonly<Record<string, string>> {
  const { t } = vscode.l10n;
  return {
    ...runStrings(),
    conversation: t('Conversation'),
    turn: t('Turn {0}'),
    you: t('You'),
    empty: t('Write a message to begin the conversation.'),
    messageTo: t('Message to {0}'),
    messageHint: t('Enter sends, Shift+Enter begins a new line.'),
    isJson: t('JSON'),
    optional: t('optional'),
    send: t('Send'),
    stop: t('Stop'),
    stopped: t('Stopped.'),
    newConversation: t('New Conversation'),
    copyConversation: t('Copy Conversation'),
    copyAnswer: t('Copy Answer'),
    edit: t('Edit and Ask Again'),
    editing: t('You edit turn {0}: the conversation goes on from there, without the turns after it. They stay in the history.'),
    cancelEdit: t('Keep as It Was'),
    openRun: t('Open Run'),
    preparing: t('Checking the agent...'),
    answering: t('{0} is answering.'),
    answered: t('{0} has answered: {1}'),
    total: t('{0} in, {1} out, {2}'),
    totalAtLeast: t('at least {0} in, {1} out, {2}'),
    totalUnpriced: t('{0} in, {1} out, price not known'),
    totalSimulated: t('simulated: no model was asked'),
    totalLabel: t('The conversation so far'),
  };
}
