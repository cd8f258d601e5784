import { expect, test } from 'vitest';
import { lastText } from '../../client/views/tests/lastText.js';
import { inEnglish } from '../../core/words.js';

test.each([
  [{ passes: 9, judged: 10, simulated: false, replayed: false }, 'last 9/10'],
  [{ passes: 1, judged: 3, simulated: true, replayed: false }, 'last 1/3, simulated'],
  [{ passes: 5, judged: 5, simulated: false, replayed: true }, 'last 5/5, replayed'],
  [{ passes: 0, judged: 0, simulated: false, replayed: false }, 'last not judged'],
])('the lens says of %j: %s', (found, text) => {
  expect(lastText(found, inEnglish)).toBe(text);
});
