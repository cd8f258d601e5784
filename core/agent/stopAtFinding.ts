import { AgentPromptValidationError, type Issue } from '../errors.js';
import type { StreamPart } from '../llm/types.js';
import { costLeft } from './checkBudget.js';
import type { RunError } from './events.js';
import type { FindingStop, Gate } from './gate.js';
import { toRunError } from './runResult.js';
import { passing, stopOf, stoppingOf, waitAt } from './stopRun.js';
import type { Turn } from './turn.js';

const locked = 'What was found cannot be changed.';

/** Stops at something that was found, unless the run repeats what an earlier process has done. @throws the signal's reason */
export async function stopAtFinding(turn: Turn, gate: Gate, step: number, finding: FindingStop['finding']): Promise<void> {
  const stopping = stoppingOf(turn, gate);
  if (gate === passing || stopping.steps?.earlier?.isAhead()) return;
  await waitAt(stopping, { at: 'finding', ...stopOf(turn, step), finding, locked, check: () => [] });
}

/** Stops at an answer that was repaired. */
export function stopAtRepairs(turn: Turn, gate: Gate, step: number, issues: readonly Issue[], answer: string): Promise<void> {
  return stopAtFinding(turn, gate, step, { kind: 'repair', message: issues.map(({ message }) => message).join(' '), issues, answer });
}

/** Stops at an answer that is refused, whether or not another one is asked for. */
export function stopAtRefusal(turn: Turn, gate: Gate, step: number, error: unknown, answer: string): Promise<void> {
  const { code, message } = toRunError(error);
  const issues = error instanceof AgentPromptValidationError ? { issues: error.issues } : {};
  return stopAtFinding(turn, gate, step, { kind: 'refused', code, message, ...issues, answer });
}

/** Stops at an error that ends the run of the agent. */
export function stopAtError(turn: Turn, gate: Gate, error: unknown): Promise<void> {
  const { step, steps } = turn.record.trace;
  return stopAtFinding(turn, gate, step || (steps.at(-1)?.step ?? 0), errorFinding(toRunError(error)));
}

export function errorFinding({ code, message, details }: RunError): FindingStop['finding'] {
  return { kind: 'error', code, message, ...(typeof details?.reason === 'string' && { reason: details.reason }) };
}

/** The same parts, with a stop at each retry, before it waits. */
export async function* stopAtRetries(turn: Turn, gate: Gate, step: number, parts: AsyncIterable<StreamPart>): AsyncGenerator<StreamPart> {
  for await (const part of parts) {
    if (part.type === 'retry') {
      const { reason, message = reason } = part;
      await stopAtFinding(turn, gate, step, { kind: 'retry', code: 'llm', reason, message });
    }
    yield part;
  }
}

/** The part of a budget after which a run may stop. */
const nearlySpent = 0.8;

/** Stops after the call with which most of the budget is spent. @param before USD spent before it; null: not known */
export async function stopAtBudget(turn: Turn, gate: Gate, step: number, before: number | null): Promise<void> {
  const { cost } = turn.record.usage;
  const left = costLeft(turn);
  if (left === undefined || cost === null) return;
  const limit = nearlySpent * (cost + left);
  if ((before ?? 0) >= limit || cost < limit) return;
  const message = `${Math.round((cost / (cost + left)) * 100)} % of the budget is spent.`;
  await stopAtFinding(turn, gate, step, { kind: 'budget', message });
}
