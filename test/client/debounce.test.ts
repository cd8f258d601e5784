import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { debounce } from '../../client/debounce.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('many events become one answer, each item once', async () => {
  const answers: (readonly string[])[] = [];
  const { add } = debounce<string>((items) => answers.push(items), 100, 1_000);
  for (const item of ['a', 'b', 'a']) add(item);
  await vi.advanceTimersByTimeAsync(99);
  expect(answers).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(answers).toEqual([['a', 'b']]);
});

test('what never comes to rest is answered all the same', async () => {
  const answers: number[] = [];
  const { add } = debounce<number>(() => answers.push(Date.now()), 100, 1_000);
  const start = Date.now();
  for (let time = 0; time < 2_050; time += 50) {
    add(time);
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(answers.map((time) => time - start)).toEqual([1_000, 2_000]);
});

test('what comes during an answer waits for the next one', async () => {
  const answers: (readonly string[])[] = [];
  let release: () => void = () => undefined;
  const { add } = debounce<string>((items) => {
    answers.push(items);
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  add('a');
  await vi.advanceTimersByTimeAsync(100);
  add('b');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(answers).toEqual([['a']]);
  release();
  await vi.advanceTimersByTimeAsync(100);
  expect(answers).toEqual([['a'], ['b']]);
});

test('nothing is answered after the end', async () => {
  const answers: (readonly string[])[] = [];
  const { add, dispose } = debounce<string>((items) => answers.push(items));
  add('a');
  dispose();
  add('b');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(answers).toEqual([]);
});
