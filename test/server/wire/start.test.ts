import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../dist/commands');

/** Files that are loaded before `initialize` can be answered: `server.cjs` and whatever it requires other than inside a promise. */
function loadedFirst(name = 'server.cjs', found = new Map<string, number>()): ReadonlyMap<string, number> {
  const text = readFileSync(join(folder, name), 'utf8');
  found.set(name, text.length);
  const lazy = /Promise\.resolve\(\)\.then\(\(\)\s*=>\s*[^;]*?require\("\.{1,2}\/[^"]+"\)/g;
  for (const [, other] of text.replace(lazy, '').matchAll(/require\("(\.{1,2}\/[^"]+)"\)/g)) {
    const path = posix.join(posix.dirname(name), other!);
    if (!found.has(path)) loadedFirst(path, found);
  }
  return found;
}

test('the reply to initialize waits for little code: features load what is heavy when they are asked', () => {
  const files = loadedFirst();
  expect(files.size).toBeGreaterThan(1);
  expect([...files.keys()].filter((name) => name.includes('session'))).toEqual([]);
  // The transport is 93 KB of it. When this fails, a file in server/features imports statically what belongs behind `await import()`.
  const total = [...files.values()].reduce((sum, size) => sum + size, 0);
  expect(total, JSON.stringify(Object.fromEntries(files))).toBeLessThan(200_000);
});
