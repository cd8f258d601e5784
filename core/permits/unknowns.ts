import type { ForbiddenFlow, Policy } from '../generated/types.js';
import { isObject, type Json, valueAt } from '../json.js';
import type { FlowGraph } from './flowGraph.js';
import type { Label } from './labels.js';
import { isLabel, isMeant } from './policyTerms.js';
import { isApproved, type Offence } from './prove.js';
import type { SubjectTool } from './subject.js';

/**
 * What is not known of a tool: a label, whether it reads, whether its calls ask for approval (only its code says so), or which tools an entry stands
 * for (only a run knows).
 */
export interface Unknown {
  readonly tool: SubjectTool;
  readonly what: Label | 'reads' | 'approval' | 'tools';
}

/** Why an offence is not sure; empty for one that is. @param pointer of the assertion, in the policy */
export function unknownsOf({ nodes }: Pick<FlowGraph, 'nodes'>, policy: Policy, pointer: string, offence: Offence): readonly Unknown[] {
  const { tool, way, isSure } = offence;
  if (isSure) return [];
  const assertion = valueAt(policy as unknown as Json, pointer);
  if (!isObject(assertion)) return [ofTerm(tool, String(assertion))];
  const { from, to } = assertion as unknown as ForbiddenFlow;
  const unknowns: Unknown[] = [];
  const [start, ...more] = way.flatMap((id) => nodes.get(id) ?? []);
  if (start?.type === 'answer' && isMeant(from, start.tool) === undefined) unknowns.push(ofTerm(start.tool, from));
  for (const [index, node] of more.entries()) {
    const before = index === 0 ? start : more[index - 1];
    if (node.type === 'store' && before?.type === 'call' && before.tool.labels.has.changes === undefined)
      unknowns.push(ofTerm(before.tool, 'changes'));
    if (node.type === 'answer' && before?.type === 'store' && node.tool.labels.reads === undefined)
      unknowns.push(node.tool.open === undefined ? { tool: node.tool, what: 'reads' } : { tool: node.tool, what: 'tools' });
  }
  if (isMeant(to, tool) === undefined) unknowns.push(ofTerm(tool, to));
  if (offence.isApprovable && isApproved(tool, policy) === undefined) unknowns.push({ tool, what: 'approval' });
  return unknowns;
}

function ofTerm(tool: SubjectTool, term: string): Unknown {
  return { tool, what: tool.open === undefined && isLabel(term) ? term : 'tools' };
}
