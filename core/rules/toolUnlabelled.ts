import { lockedTools } from '../config/knownTools.js';
import { groupBy } from '../groupBy.js';
import type { Label } from '../permits/labels.js';
import { assertionWords } from '../permits/permitWords.js';
import type { SubjectTool } from '../permits/subject.js';
import { type Unknown, unknownsOf } from '../permits/unknowns.js';
import { listed } from '../words.js';
import { assertionPlace, permitsNeedSchemas, permitsOf, placeOfTool } from './facts/permits.js';
import type { Rule, RuleContext } from './rule.js';

/**
 * A tool without the label that decides whether the policy holds, so that a run denies what depends on it; tools that a server has not listed. What
 * a `${VAR}` brings only a run knows: that is information. Without a policy no label is missing.
 */
export const toolUnlabelled: Rule = {
  code: 'tool-unlabelled',
  severity: 'warning',
  kinds: ['agent', 'orchestration'],
  on: 'value',
  needsSchemas: permitsNeedSchemas,
  check(file, context, report) {
    const permits = permitsOf(file, context);
    if (permits === undefined) return;
    const { graph, layered, verdicts } = permits;
    const missing = verdicts.flatMap(({ pointer, offences }) =>
      offences.flatMap((offence) =>
        unknownsOf(graph, layered.policy, pointer, offence)
          .filter(({ tool, what }) => what !== 'approval' && tool.open !== 'missing' && !isChanged(tool, context))
          .map((unknown) => ({
            ...unknown,
            isApprovable: offence.isApprovable,
            assertion: pointer,
            place: placeOfTool(file, permits, unknown.tool, context),
          })),
      ),
    );
    // One finding a place: an entry of client_ids may bring many tools.
    for (const [pointer, [first, ...others]] of groupBy(missing, ({ place }) => place.pointer)) {
      const ids = [...new Set([first, ...others].filter(({ what }) => what !== 'tools').map(({ tool }) => tool.id))];
      const needs = assertionWords(layered.policy, first.assertion);
      report({
        pointer,
        ...(first.tool.open === 'variable' && { severity: 'info' }),
        related: [...first.place.related, ...assertionPlace(layered, first.assertion)],
        message: `${sentence(first, ids, needs)}`,
        data: { assertion: first.assertion, tools: toolsIn([first, ...others].map(({ tool }) => tool)) },
      });
    }
  },
};

/** `mcp-tool-drift` reports it: its labels count once the change is accepted. */
function isChanged({ origin }: SubjectTool, { project }: RuleContext): boolean {
  if (origin.type !== 'mcp') return false;
  return lockedTools(project, origin.client_id)?.find(({ name }) => name === origin.name)?.locked.changed !== undefined;
}

/** The tools of servers that can be labelled, each once. */
function toolsIn(tools: readonly SubjectTool[]): readonly { readonly server: string; readonly tool: string }[] {
  const labelled = tools.flatMap(({ origin, open, id }) =>
    origin.type === 'mcp' && open === undefined ? [[id, { server: origin.client_id, tool: origin.name }] as const] : [],
  );
  return [...new Map(labelled).values()];
}

function sentence(
  { tool, what, isApprovable }: Unknown & { readonly isApprovable: boolean },
  ids: readonly string[],
  assertion: string,
): string {
  const consequence = `Whether the policy holds is not known (${assertion}), and a run ${isApprovable ? 'asks before' : 'denies'} what depends on it.`;
  if (tool.open === 'variable') return `Which tools ${tool.id} brings only a run knows, and they have no labels. ${consequence}`;
  if (what === 'tools' && tool.origin.type === 'mcp')
    return `The tools of the server ${JSON.stringify(tool.origin.client_id)} have not been listed. ${consequence} List them with agent-stack tools ${tool.agent_name}.`;
  const names = listed(ids, 'and', 4).replaceAll('"', '');
  const remedy = tool.origin.type === 'mcp' ? '' : ' Say it in code, in defineTool({ labels }), or in agentstack.json under skills.';
  return `Nobody has said ${questionOf(what as Label | 'reads', names)}. ${consequence}${remedy}`;
}

function questionOf(what: Label | 'reads', names: string): string {
  switch (what) {
    case 'private':
      return `whether ${names} reads what is private`;
    case 'untrusted':
      return `whether strangers write what ${names} answers`;
    case 'sends':
      return `whether ${names} sends`;
    case 'changes':
      return `whether ${names} changes anything`;
    case 'destroys':
      return `whether ${names} destroys anything`;
    case 'runs_code':
      return `whether ${names} runs code`;
    case 'reads':
      return `what ${names} reads`;
  }
}
