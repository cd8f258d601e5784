import type { ForbiddenFlow } from '../generated/types.js';
import { matchesTool } from '../tools/allowedTools.js';
import { type Label, labels } from './labels.js';
import type { SubjectTool } from './subject.js';

/** What an answer may be, so that `from` may name it. */
export const sourceLabels: readonly Label[] = ['private', 'untrusted'];
/** What a call may do, so that `to` may name it. */
export const sinkLabels: readonly Label[] = labels.filter((label) => !sourceLabels.includes(label));

/** Whether both ends of a flow are something that they can be: an answer does not send. */
export function hasMeaning({ from, to }: ForbiddenFlow): boolean {
  return !(isLabel(from) && !sourceLabels.includes(from)) && !(isLabel(to) && !sinkLabels.includes(to));
}

export function isLabel(term: string): term is Label {
  return (labels as readonly string[]).includes(term);
}

/** Whether a tool is what a policy names: a label, or a tool by name or pattern. Undefined where labels are missing or only a run knows the tools. */
export function isMeant(term: string, tool: SubjectTool): boolean | undefined {
  if (isLabel(term)) return tool.labels.has[term];
  if (tool.open === undefined || tool.open === 'undeclared') return matchesTool(term, tool);
  const { client_id } = tool.origin as { readonly client_id: string };
  const server = term.includes('/') && tool.open === 'unlisted' ? term.slice(0, term.indexOf('/')) : undefined;
  return server === undefined || server.includes('*') || server === client_id ? undefined : false;
}
