import { isObject } from '../../json.js';
import { labelsOf, labels as order } from '../../permits/labels.js';
import type { ResolvedAgent } from '../../snapshot/types.js';
import type { PolicyReason, Tool, ToolDeeds } from '../../tools/types.js';
import type { Agent } from '../types.js';

/** What a policy objects to in a call. `ask`: it may be made if somebody approves this very call. */
export interface Objection {
  readonly outcome: 'ask' | 'deny';
  readonly reason: PolicyReason;
}

/** Holds the calls of one run to the policy of its snapshot. */
export interface PolicyDoor {
  /** Undefined if the call may be made. */
  judge(tool: Tool): Promise<Objection | undefined>;
  /** After calls whose answers the agent will read. */
  called(tools: readonly Tool[]): Promise<void>;
}

/**
 * @param hasSession whether the run continues a conversation in which tools were called
 * @returns undefined without a policy
 */
export function createPolicyDoor({ monitor: start, resolved, snapshot }: Agent, hasSession: boolean): PolicyDoor | undefined {
  if (snapshot.value.policy === undefined) return undefined;
  if (start === undefined) throw new Error('The agent has a policy, but nothing that enforces it.');
  let started: ReturnType<typeof start> | undefined;
  const monitor = () => {
    started ??= start(hasSession);
    return started;
  };
  return {
    async judge(tool) {
      const judgement = (await monitor()).judge(tool);
      if (judgement.outcome === 'allow') return undefined;
      const { outcome, assertion, words, isSure } = judgement;
      const { file = null, pointer = assertion } = resolved.policy?.origins.get(assertion) ?? {};
      const place = file === null ? pointer : `${file}#${pointer}`;
      return { outcome, reason: { words, place, isSure } };
    },
    async called(tools) {
      for (const tool of tools) (await monitor()).called(tool);
    },
  };
}

/** What an approval of a tool grants. Undefined where a snapshot without a policy does not have the labels. */
export function deedsOf({ tools, servers, policy, sources }: ResolvedAgent, { name, origin, labels }: Tool): ToolDeeds | undefined {
  const listed = tools.find((tool) => tool.name === name && tool.origin.type === origin.type);
  const server = origin.type === 'mcp' ? servers[origin.client_id] : undefined;
  const known = labelsOf(listed ?? { name, origin, ...(labels && { labels }) }, isObject(server) ? server : undefined);
  if (known.source === 'none' && policy === undefined && sources === undefined) return undefined;
  return {
    // What destroys also changes.
    labels: order.filter((label) => known.has[label] === true && !(label === 'changes' && known.has.destroys === true)),
    isWhole: order.every((label) => known.has[label] !== undefined),
  };
}
