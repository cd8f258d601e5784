import { isObject } from '../../core/json.js';
import { assertionWords, flowWords, permitSentences } from '../../core/permits/permitWords.js';
import { subjectPermits } from '../../core/permits/subjectPermits.js';
import { subjectOf } from '../../core/rules/facts/permits.js';
import { policyOf } from '../../core/snapshot/policy.js';
import type { FileView } from '../names/fileView.js';
import { type Block, line, list, type Part } from './hoverText.js';

const mostFlows = 5;

/** What an agent or orchestration may do, where what it reads may go, and what the policy says. Nothing of one without tools. */
export async function permitBlocks({ file, document, project }: FileView): Promise<readonly Block[]> {
  if (document.config === undefined || !isObject(document.config.value)) return [];
  // Which routes can be taken may need the schema compiler, which the rules load.
  await project.findings(file.path);
  const subject = subjectOf(document.config, project.ruleContext);
  if (subject === undefined) return [];
  const { policy = {} } = policyOf(project.index) ?? {};
  const permits = subjectPermits(subject, policy);
  if (permits.graph.tools.length === 0) return [];
  const flows = permits.flows.flatMap((flow) => (flow.isSure ? [flowWords(flow, permits.graph)] : []));
  const verdicts = permits.policy.map(({ pointer, outcome }): Part[] => [
    `Policy, ${assertionWords(policy, pointer)}: ${outcome === 'not_known' ? 'not known' : outcome}`,
  ]);
  const more = flows.length > mostFlows ? [[`and ${flows.length - mostFlows} more flows`]] : [];
  return [
    list(permitSentences(permits).map((sentence) => [sentence])),
    ...(flows.length === 0 ? [] : [list([...flows.slice(0, mostFlows).map((words) => [words]), ...more])]),
    ...(verdicts.length === 0 ? [] : [list(verdicts)]),
    line('As far as labels are right, and those who approve calls read them.'),
  ];
}
