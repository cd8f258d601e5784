import type { Stop } from '../agent/gate.js';
import { agentOf } from './describeStop.js';

/** `over`: what is called does not stop. `into`: any next stop. `out`: the next stop outside the agent or team. */
export type StepKind = 'over' | 'into' | 'out';

/** The frames of a stop, outermost first: a plan step for each caller, then the agent. Empty at a route, which is the orchestration's own. */
export function levelOf(stop: Stop): readonly string[] {
  if (stop.at === 'route') return [];
  return [...stop.callers.map((caller, index) => `${caller} ${stop.caller_steps[index] ?? ''}`), agentOf(stop)];
}

/**
 * Whether a step ends at a stop.
 *
 * @param isElsewhere the stop belongs to another task than the one stepped in, which is still running
 */
export function endsStep(kind: StepKind, from: Stop, to: Stop, isElsewhere: boolean): boolean {
  // A route comes when all tasks have ended, and everything after a route is outside its team.
  if (kind === 'into' || to.at === 'route') return true;
  if (isElsewhere) return false;
  const [start, end] = [levelOf(from), levelOf(to)];
  if (kind === 'over') return end.length <= start.length;
  return from.at === 'route' || !isSameTask(from, to) || !isInside(start, to);
}

/** The frame itself, or what it calls. */
function isInside(frame: readonly string[], stop: Exclude<Stop, { at: 'route' }>): boolean {
  const agents = [...stop.callers, agentOf(stop)];
  const outer = levelOf(stop).slice(0, frame.length - 1);
  return outer.every((each, index) => each === frame[index]) && agents[frame.length - 1] === frame.at(-1);
}

/** Whether a stop belongs to a call of the same agent run. @param step number of that call */
export function isCallOf(stop: Exclude<Stop, { at: 'route' }>, call: Exclude<Stop, { at: 'route' }>, step: number): boolean {
  return isSameTask(stop, call) && stop.step === step && levelOf(stop).join() === levelOf(call).join();
}

function isSameTask(a: Stop, b: Stop): boolean {
  return a.team === b.team && a.task === b.task && a.execution === b.execution;
}
