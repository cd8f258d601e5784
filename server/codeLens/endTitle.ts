import * as l10n from '@vscode/l10n';
import { daysLeft } from '../../core/llm/modelEnd.js';
import { findModelUse } from '../../core/rules/facts/modelUse.js';
import type { FeatureContext } from '../feature.js';
import { type FileView, viewOf } from '../names/fileView.js';
import { number } from '../texts.js';

/** Days before the end from which a lens says it. */
const soon = 90;

/** `ends in 15 days`, if the agent or llm profile names a model that ends soon or has ended. Undefined where a lower layer names the model. */
export function endTitle({ file, project: { ruleContext } }: Pick<FileView, 'file' | 'project'>): string | undefined {
  const use = findModelUse(file, ruleContext);
  const { asOf } = ruleContext;
  if (use?.facts?.ends === undefined || asOf === undefined || use.model.fragment.file !== file.path) return undefined;
  const days = daysLeft(use.facts, asOf) ?? soon + 1;
  if (days > soon) return undefined;
  if (days < 0) return l10n.t('ended on {0}', use.facts.ends);
  if (days === 0) return l10n.t('ends today');
  return days === 1 ? l10n.t('ends tomorrow') : l10n.t('ends in {0} days', number(days));
}

/** The same of a document, which may be gone. */
export function endTitleAt(uri: string, { workspace }: FeatureContext): string | undefined {
  const document = workspace.document(uri);
  const project = workspace.projectOf(uri);
  const view = document && project && viewOf(document, project);
  return view && endTitle(view);
}
