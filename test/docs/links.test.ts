import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { pages, root, textOf } from './pages.js';

test('every link leads to a file, and to a heading that is there', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page).flatMap(([target, fragment]) => {
      // The page of the extension is staged at the top of its package.
      const folder = page === 'client/README.md' ? '.' : posix.dirname(page);
      const file = target === '' ? page : posix.join(folder, target);
      if (!existsSync(`${root}/${file}`)) return [`${page} -> ${file}`];
      const isFound = fragment === undefined || (file.endsWith('.md') && headingsOf(file).has(fragment));
      return isFound ? [] : [`${page} -> ${file}#${fragment}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('every standard has its version, source and date, and tests that are there', () => {
  const rows = [...textOf('docs/standards.md').matchAll(/^\| (?!standard|-)(.*) \|$/gm)].map(([, row = '']) => row.split(' | '));
  expect(rows.length).toBeGreaterThan(9);
  for (const [standard = '', version, source, read, tests = ''] of rows) {
    const files = [...tests.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file);
    expect([version, source, files[0]], standard).not.toContain(undefined);
    expect(read, standard).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(files.filter((file) => !existsSync(`${root}/${file}`))).toEqual([]);
  }
});

function linksOf(page: string): (readonly [string, string | undefined])[] {
  const prose = textOf(page).replace(/^( *)```[\s\S]*?^\1```$/gm, '');
  const targets = [...prose.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)].map(([, target]) => target!.split('#'));
  return targets.map(([target = '', fragment]) => [target, fragment]);
}

/** Anchors as GitHub makes them. */
function headingsOf(page: string): ReadonlySet<string> {
  const prose = textOf(page).replace(/^( *)```[\s\S]*?^\1```$/gm, '');
  const texts = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading!.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, ''));
  return new Set(texts.map((text) => text.replaceAll(' ', '-')));
}
