import { DeniedError } from '../errors.js';
import { type AllowedTools, isAllowed } from './allowedTools.js';
import type { PolicyReason, ToolDeeds, ToolRequest } from './types.js';

/** `never untrusted -> sends: web/fetch (untrusted) -> A -> mail/send (sends) (config/system.json#/policy/never/0)`. */
export function reasonWords({ words, place, isSure }: PolicyReason): string {
  return `${words} (${place}${isSure ? '' : '; not all of these tools are labelled'})`;
}

const deedWords = {
  private: 'reads private data',
  untrusted: 'may answer with what strangers wrote',
  sends: 'sends',
  changes: 'changes data',
  destroys: 'destroys data',
  runs_code: 'runs code',
} as const;

/** `reads private data, sends`; `not labelled`. */
export function deedsWords({ labels, isWhole }: ToolDeeds): string {
  if (labels.length === 0) return isWhole ? 'reads and changes nothing outside' : 'not labelled';
  return [...labels.map((label) => deedWords[label]), ...(isWhole ? [] : ['the rest is not labelled'])].join(', ');
}

/** Whether a call may be made without asking: what a policy wants approved is asked about each time, whatever allows the tool. */
export function isPreapproved(allowed: AllowedTools, { tool, policy }: Pick<ToolRequest, 'tool' | 'policy'>): boolean {
  return policy === undefined && isAllowed(allowed, tool);
}

/** Ends a run that has nobody to approve what its policy wants approved. */
export function nobodyToApprove({ name }: Pick<ToolRequest, 'name'>, policy: PolicyReason): DeniedError {
  return new DeniedError(
    `The policy wants this call of "${name}" approved, and there is nobody to ask: ${reasonWords(policy)}. ` +
      '--allow-tools and trusted tools do not count for it. Run it where somebody can answer, take the tool from the agent, or change the policy.',
  );
}
