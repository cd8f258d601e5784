import { isObject } from '../../core/json.js';
import { permitSummary } from '../../core/permits/permitWords.js';
import { subjectPermits } from '../../core/permits/subjectPermits.js';
import { subjectOf } from '../../core/rules/facts/permits.js';
import type { FeatureContext } from '../feature.js';
import type { FileView } from '../names/fileView.js';
import { translate } from '../texts.js';

/** Whether an agent, or one of an orchestration, has tools: the others have no lens, which would stay empty. */
export function hasTools({ file, project: { ruleContext } }: FileView): boolean {
  if (!isObject(file.value)) return false;
  const agents = file.identity.kind === 'agent' ? [ruleContext.effective(file)] : [...ruleContext.orchestration(file).agents.values()];
  return agents.some(({ config, tools, unlisted }) => tools.length + unlisted.length > 0 || config.execution_plan !== undefined);
}

/** `may: read github, send with mail after approval`. */
export async function permitTitle(uri: string, { workspace }: FeatureContext): Promise<string | undefined> {
  const file = workspace.document(uri)?.config;
  const project = workspace.projectOf(uri);
  if (project === undefined || file === undefined) return undefined;
  // Which routes can be taken may need the schema compiler, which the rules load.
  await project.findings(file.path);
  const subject = subjectOf(file, project.ruleContext);
  return subject && permitSummary(subjectPermits(subject), translate);
}
