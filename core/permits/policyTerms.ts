import { matchesTool } from '../tools/allowedTools.js';
import { type Label, labels } from './labels.js';
import type { SubjectTool } from './subject.js';

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
