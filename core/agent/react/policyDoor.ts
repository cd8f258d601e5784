import type { PolicyReason, Tool } from '../../tools/types.js';
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
