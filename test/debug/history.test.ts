import { expect, test } from 'vitest';
import type { Stop } from '../../core/agent/gate.js';
import { History } from '../../core/debug/history.js';
import type { Message } from '../../core/llm/types.js';

const message = (content: string): Message => ({ role: 'user', content });
const moment = (messages: readonly Message[], isHit = false) => ({
  stop: { at: 'model', request: { messages } } as unknown as Stop,
  change: undefined,
  thread: 1,
  isHit,
  events: 0,
});
const contentsAt = (history: History, index: number) => {
  const { stop } = history.at(index)!;
  return stop.at === 'model' && stop.request.messages.map(({ content }) => content).join(' ');
};

test('requests that continue each other are as they were', () => {
  const history = new History();
  const [a, b, c, d] = [message('a'), message('b'), message('c'), message('d')] as const;
  history.add(moment([a]));
  history.add(moment([a, b, c]));
  // Something was left out.
  history.add(moment([a, c, d]));
  history.add(moment([a, c, d, a]));
  expect([0, 1, 2, 3].map((index) => contentsAt(history, index))).toEqual(['a', 'a b c', 'a c d', 'a c d a']);
});

test('the place before where the run stopped, and the one after', () => {
  const history = new History();
  for (const isHit of [true, false, true, false]) history.add(moment([], isHit));
  expect([0, 1, 2, 3].map((index) => history.hitBefore(index))).toEqual([undefined, 0, 0, 2]);
  expect([0, 1, 2, 3].map((index) => history.hitAfter(index))).toEqual([2, 2, undefined, undefined]);
});
