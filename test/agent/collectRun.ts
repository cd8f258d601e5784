import { expect } from 'vitest';
import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import { validateEvent, validateResult } from '../support/validateRun.js';

/** All events of a run; each is checked against the schema, their numbers and the one final event at the end. */
export async function collectRun(run: AsyncIterable<AgentEvent>): Promise<{ events: AgentEvent[]; result: RunResult }> {
  const events: AgentEvent[] = [];
  for await (const event of run) events.push(event);
  return { events, result: checkRun(events) };
}

export function checkRun(events: readonly AgentEvent[]): RunResult {
  for (const event of events) expect(validateEvent(event)).toEqual([]);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
  expect(events.filter(({ final }) => final)).toHaveLength(1);
  const last = events.at(-1)!;
  if (last.type !== 'final') throw new Error(`The last event is ${last.type}`);
  expect(validateResult(last.result)).toEqual([]);
  return last.result;
}

export const typesOf = (events: readonly AgentEvent[]) => events.map(({ type }) => type).join(' ');
