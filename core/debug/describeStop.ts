import type { Stop } from '../agent/gate.js';
import { findingTitle } from './findings.js';

/** Where a run is stopped, for a person: `before call 2 of Tone@v1 (review/tone)`. @param isCalling the call is being made: `in call 2` */
export function describeStop(stop: Stop, isCalling = false): string {
  if (stop.at === 'route') {
    const by = stop.rule === null ? 'the default' : `rule ${stop.rule + 1}`;
    return `at the route of team ${stop.team}: ${by} ${stop.next_team === null ? 'ends the run' : `leads to ${stop.next_team}`}`;
  }
  const place = stop.team === undefined ? '' : ` (${stop.team}/${stop.task})`;
  return `${callWords(stop, isCalling)} of ${agentOf(stop)}${place}`;
}

/** The same without the agent: `before call 2`. */
export function callWords(stop: Exclude<Stop, { at: 'route' }>, isCalling: boolean): string {
  const call = stop.plan_step === undefined ? `call ${stop.step}` : `the call of step ${stop.plan_step}`;
  const before = isCalling ? 'in' : 'before';
  switch (stop.at) {
    case 'model':
      return `${before} ${call}`;
    case 'answer':
      return `after the answer of ${call}`;
    case 'tool':
      return `${before} the tool ${stop.call.name}`;
    case 'tool_answer':
      return `after the tool ${stop.call.name}`;
    case 'finding':
      return `at "${findingTitle(stop.finding)}" in call ${stop.step}`;
  }
}

/** `NAME@VERSION`. */
export function agentOf({ agent }: Exclude<Stop, { at: 'route' }>): string {
  const { agent_name, version } = agent.resolved.config;
  return `${agent_name}@${version}`;
}
