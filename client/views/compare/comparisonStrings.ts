import * as vscode from 'vscode';
import { translatedErrors } from '../run/translatedErrors.js';
import { stateWord } from '../runs/treeFilter.js';
import type { ComparisonWords } from './comparedLines.js';

/** The words of the page. */
export function comparisonStrings(): Readonly<Record<string, string>> {
  const { t } = vscode.l10n;
  return {
    title: t('Comparison of {0} Runs'),
    table: t('Compare Runs'),
    field: t('Field'),
    differs: t('differs'),
    onlyDifferences: t('Only what differs'),
    differences: t('{0} of {1} fields differ.'),
    asTexts: t('Compare as Text'),
    nothing: t('not said'),
    openRun: t('Open Run'),
    usage: t('Used'),
    output: t('Answer'),
    input: t('Input'),
  };
}

export function comparisonWords(): ComparisonWords {
  const { t } = vscode.l10n;
  return {
    language: vscode.env.language,
    fields: {
      agent: t('Agent'),
      case: t('Saved input'),
      profile: t('Profile'),
      model: t('Model'),
      environment: t('Environment'),
      started: t('Started'),
      status: t('Status'),
      error: t('Error'),
      duration: t('Time'),
      cost: t('Cost'),
      prompt_tokens: t('Tokens in'),
      completion_tokens: t('Tokens out'),
      model_calls: t('Model calls'),
      tools: t('Tools'),
      repairs: t('Repairs'),
    },
    stateWord,
    errors: translatedErrors(),
    simulated: t('simulated'),
    atLeast: (text) => t('at least {0}', text),
  };
}
