import type { Policy } from '../generated/types.js';
import { type Json, valueAt } from '../json.js';
import type { FlowGraph } from './flowGraph.js';
import type { Label } from './labels.js';
import { flowAt } from './permitWords.js';
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
export function unknownsOf(
  { nodes, edges }: Pick<FlowGraph, 'nodes' | 'edges'>,
  policy: Policy,
  pointer: string,
  { tool, way, isSure, isApprovable }: Offence,
): readonly Unknown[] {
  if (isSure) return [];
  const flow = flowAt(policy, pointer);
  if (flow === undefined) return [ofTerm(tool, String(valueAt(policy as unknown as Json, pointer)))];
  const source = nodes.get(way[0] ?? '');
  const unknowns: Unknown[] = [];
  if (source?.type === 'answer' && isMeant(flow.from, source.tool) === undefined) unknowns.push(ofTerm(source.tool, flow.from));
  for (const [index, id] of way.slice(1).entries()) {
    const [before, after] = [nodes.get(way[index] as string), nodes.get(id)];
    const isKnown = edges.get(way[index] as string)?.some((edge) => edge.to === id && edge.isSure);
    // Only what a store keeps depends on labels.
    if (isKnown === true) continue;
    if (before?.type === 'call') unknowns.push(unlessOpen(before.tool, before.tool.labels.has.changes === undefined ? 'changes' : 'sends'));
    if (after?.type === 'answer') unknowns.push(unlessOpen(after.tool, 'reads'));
  }
  if (isMeant(flow.to, tool) === undefined) unknowns.push(ofTerm(tool, flow.to));
  if (isApprovable && isApproved(tool, policy) === undefined) unknowns.push({ tool, what: 'approval' });
  return unknowns;
}

function ofTerm(tool: SubjectTool, term: string): Unknown {
  return isLabel(term) ? unlessOpen(tool, term) : { tool, what: 'tools' };
}

function unlessOpen(tool: SubjectTool, what: Label | 'reads'): Unknown {
  return { tool, what: tool.open === undefined || tool.open === 'undeclared' ? what : 'tools' };
}
