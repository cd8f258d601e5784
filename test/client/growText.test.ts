import { expect, test } from 'vitest';
import { growText, type Region } from '../../client/panels/run/page/growText.js';

/** A region of 100 lines' height that notes in `log` what is asked of its layout, and what changes it. */
function region(name: string, log: string[]) {
  const lineHeight = 20;
  const clientHeight = 100 * lineHeight;
  let text = '';
  let scrollTop = 0;
  const scrollHeight = () => Math.max(clientHeight, text.length * lineHeight);
  const root: Region = {
    get scrollHeight() {
      log.push(`${name} read`);
      return scrollHeight();
    },
    clientHeight,
    get scrollTop() {
      return scrollTop;
    },
    set scrollTop(top) {
      log.push(`${name} scrolled`);
      scrollTop = Math.min(top, scrollHeight() - clientHeight);
    },
  };
  const append = growText(root, (added) => {
    log.push(`${name} written`);
    text += added;
  });
  return { root, append, text: () => text, isAtEnd: () => scrollTop === scrollHeight() - clientHeight };
}

test('20,000 chunks of one frame, in two regions, are written at once, and no layout is read between two changes', async () => {
  const log: string[] = [];
  const [first, second] = [region('first', log), region('second', log)];
  for (let chunk = 0; chunk < 10_000; chunk++) {
    first.append('a');
    second.append('b');
  }
  await Promise.resolve();
  expect([first.text(), second.text()]).toEqual(['a'.repeat(10_000), 'b'.repeat(10_000)]);
  expect(log).toEqual([
    'first read',
    'second read',
    'first written',
    'second written',
    'first read',
    'first scrolled',
    'second read',
    'second scrolled',
  ]);
});

test('the end stays in view, except for a reader who has scrolled back', async () => {
  const { root, append, isAtEnd } = region('text', []);
  const frame = async () => {
    append('x'.repeat(50));
    await Promise.resolve();
  };
  await frame();
  await frame();
  await frame();
  expect(isAtEnd()).toBe(true);
  root.scrollTop = 10;
  await frame();
  expect(root.scrollTop).toBe(10);
  root.scrollTop = Number.MAX_SAFE_INTEGER;
  await frame();
  expect(isAtEnd()).toBe(true);
});
