import type { RelatedPlace } from '../finding.js';
import { groupBy } from '../groupBy.js';
import { assertionWords, flowAt } from '../permits/permitWords.js';
import type { AssertionVerdict, Offence } from '../permits/prove.js';
import { unknownsOf } from '../permits/unknowns.js';
import { wayWords } from '../permits/words.js';
import { listed } from '../words.js';
import { remedyOf } from './facts/flowChanges.js';
import { assertionPlace, type Permits, permitsNeedSchemas, permitsOf, placeOfTool } from './facts/permits.js';
import type { CheckArguments, Rule } from './rule.js';

/**
 * A call, or a flow of data to one, that the policy forbids: one finding for each assertion and place. Where only the code of a tool says whether it
 * asks for the approval that the policy wants, that is told as information.
 */
export const flowForbidden: Rule = {
  code: 'flow-forbidden',
  severity: 'error',
  kinds: ['agent', 'orchestration'],
  on: 'value',
  needsSchemas: permitsNeedSchemas,
  check(file, context, report) {
    const permits = permitsOf(file, context);
    if (permits === undefined) return;
    for (const verdict of permits.verdicts) {
      reportEach(
        { file, context, report },
        permits,
        verdict,
        verdict.offences.filter(({ isSure }) => isSure),
      );
      const unasked = verdict.offences.filter((offence) => {
        const unknowns = unknownsOf(permits.graph, permits.layered.policy, verdict.pointer, offence);
        return unknowns.length > 0 && unknowns.every(({ what }) => what === 'approval');
      });
      reportEach({ file, context, report }, permits, verdict, unasked);
    }
  },
};

function reportEach(
  { file, context, report }: CheckArguments,
  permits: Permits,
  { pointer: assertion }: AssertionVerdict,
  offences: readonly Offence[],
): void {
  const { graph, layered } = permits;
  const groups = groupBy(offences, ({ tool }) => placeOfTool(file, permits, tool, context).pointer);
  for (const [pointer, [offence, ...others]] of groups) {
    const { tool, way, isSure } = offence;
    const related: RelatedPlace[] = [...placeOfTool(file, permits, tool, context).related, ...assertionPlace(layered, assertion)];
    const source = way.length === 0 ? undefined : graph.nodes.get(way[0] as string);
    if (source?.type === 'answer' && source.tool.place !== undefined)
      related.push({ ...source.tool.place, message: `The data comes from ${source.tool.id}.` });
    const words = way.length === 0 ? tool.id : wayWords(graph, way, flowAt(layered.policy, assertion));
    const { edits, byHand } = remedyOf(file, permits, assertion, [offence, ...others], context);
    related.push(...(byHand?.related ?? []));
    const end = byHand === undefined ? '' : ` To end it, ${byHand.words}.`;
    const same = [...new Set(others.map((other) => other.tool.id))].filter((id) => id !== tool.id);
    const also = same.length === 0 ? '' : ` The same holds for ${listed(same, 'and', 4).replaceAll('"', '')}.`;
    report({
      pointer,
      ...(!isSure && { severity: 'info' }),
      related,
      message: `${sentence(offence, words, assertionWords(layered.policy, assertion))}${end}${also}`,
      data: { assertion, tools: [tool, ...others.map((other) => other.tool)].map(({ id }) => id), edits },
    });
  }
}

function sentence({ tool: { id }, way, isSure, isApprovable }: Offence, words: string, assertion: string): string {
  if (way.length === 0) return `The policy forbids this call (${assertion}): ${words}. A run denies it.`;
  if (!isSure)
    return `Only the code of ${id} says whether its calls ask for approval, as the policy wants (${assertion}): ${words}. Name it in only_after_approval.`;
  const remedy = isApprovable ? `${id} asks nobody: name it in only_after_approval.` : 'A run denies the call.';
  return `The policy forbids this flow (${assertion}): ${words}. ${remedy}`;
}
