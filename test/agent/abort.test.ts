import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { followingController, followSignal } from '../../core/abort.js';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('all who follow a signal are called when it aborts, in order, and it has one listener', () => {
  const { signal, abort } = controllerOf();
  const called: number[] = [];
  for (let follower = 0; follower < 20; follower++) followSignal(signal, () => called.push(follower));
  expect(listeners(signal)).toBe(1);
  abort();
  expect(called).toEqual(Array.from({ length: 20 }, (_, follower) => follower));
});

test('whoever no longer follows is not called, and the last one takes the listener away', () => {
  const { signal, abort } = controllerOf();
  const called: string[] = [];
  const add = () => called.push('both');
  const unfollow = [followSignal(signal, add), followSignal(signal, add)];
  unfollow[0]?.();
  unfollow[0]?.();
  expect(listeners(signal)).toBe(1);
  unfollow[1]?.();
  expect(listeners(signal)).toBe(0);
  followSignal(signal, () => called.push('later'));
  unfollow[1]?.();
  abort();
  expect(called).toEqual(['later']);
});

test('a signal that has aborted calls at once', () => {
  const called: string[] = [];
  followSignal(AbortSignal.abort(), () => called.push('at once'))();
  expect(called).toEqual(['at once']);
});

test('a controller that follows aborts for the same reason, or alone', () => {
  const { signal, abort } = controllerOf();
  const [follower, alone] = [followingController(signal), followingController(signal)];
  alone.abort('done');
  expect([signal.aborted, follower.signal.aborted]).toEqual([false, false]);
  abort();
  expect([follower.signal.reason, alone.signal.reason]).toEqual(['over', 'done']);
});

function controllerOf() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort('over') };
}
