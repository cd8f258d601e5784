import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import { ruleCodes } from '../../../core/ruleCodes.js';
import { quickFixes } from '../../../server/quickFixes/index.js';
import { mayBring } from '../../fuzz/mayBring.js';
import { filesOnPage } from '../../support/rulePage.js';
import { actionsFor, diagnosticsOf, filesAfter, movedFrom, openProject } from './support.js';

test('every rule has a quick fix, but for those that only an author can mend, as their pages say', () => {
  const fixed = quickFixes.map(({ code }) => code);
  expect(new Set(fixed).size).toBe(fixed.length);
  const byHand = ruleCodes.filter((code) => readFileSync(`docs/rules/${code}.md`, 'utf8').includes('\n## Fix\n\nBy hand: '));
  expect(ruleCodes.filter((code) => !fixed.includes(code))).toEqual(byHand);
});

// Findings about changes need a git base, and what a tool does only the user knows, whom a command asks: these have tests of their own.
const onPages = quickFixes.filter(({ code }) => code !== 'schema-changed-in-place' && code !== 'tool-unlabelled');

describe.each(onPages.map(({ code }) => code))('the wrong example of %s', (code) => {
  const files = filesOnPage(code, 'Wrong');

  test(`of ${code} can be fixed, and no fix leaves the finding or brings another`, async () => {
    const server = await openProject(files);
    const all: { path: string; codes: readonly (string | undefined)[] }[] = [];
    for (const path of Object.keys(files))
      all.push({ path, codes: (await diagnosticsOf(server, path)).map(({ code: found }) => found?.toString()) });
    const path = all.find(({ codes }) => codes.includes(code))!.path;
    const actions = await actionsFor(server, path, code);
    const fixes = actions.filter(({ title }) => !title.startsWith('Ignore '));
    expect(fixes.length, 'number of fixes').toBeGreaterThan(0);
    expect(new Set(fixes.map(({ title }) => title)).size).toBe(fixes.length);
    expect(fixes.filter(({ isPreferred }) => isPreferred).length).toBeLessThanOrEqual(1);
    const isJson = JSON.stringify(files[path]) !== undefined && !['json-syntax', 'json-comment', 'trailing-comma'].includes(code);
    const about = keyOf((await diagnosticsOf(server, path)).find((item) => item.code === code)!);
    const before = new Set(all.flatMap(({ codes }) => codes));
    const drawn: string[] = [];
    for (const action of actions) {
      const after = await filesAfter(server, action);
      const gone = await movedFrom(server, action);
      drawn.push(drawChange(action, files, after, gone));
      const fixed = Object.fromEntries(Object.entries({ ...files, ...after }).filter(([file]) => !gone.includes(file) || file in after));
      const recheck = await openProject(fixed);
      const found: { code: string; key: string }[] = [];
      for (const file of Object.keys(fixed))
        for (const item of await diagnosticsOf(recheck, file)) found.push({ code: String(item.code), key: keyOf(item) });
      expect(
        found.map(({ key }) => key),
        `${action.title}: ${JSON.stringify(after)}`,
      ).not.toContain(about);
      // A file that becomes JSON is looked at by all other rules for the first time.
      const isMore = (one: string) => !before.has(one) && !(mayBring[code] ?? []).includes(one);
      if (isJson) expect(found.map(({ code: one }) => one).filter(isMore), `${action.title}: ${JSON.stringify(after)}`).toEqual([]);
    }
    await expect(drawn.join('\n')).toMatchFileSnapshot(`../../fixtures/quickFixes/${code}.txt`);
  });
});

/** The finding itself, wherever an edit has moved it to. */
function keyOf({ code, message }: Diagnostic): string {
  return `${code}: ${message}`;
}

/** A fix as lines that go and lines that come, file by file. */
function drawChange(
  { title, isPreferred }: CodeAction,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
  gone: readonly string[],
): string {
  const lines = [`${title}${isPreferred === true ? ' (preferred)' : ''}`];
  for (const [path, text] of Object.entries(after)) {
    const from =
      gone[
        Object.keys(after)
          .filter((one) => !(one in before))
          .indexOf(path)
      ];
    const [old, now] = [(before[path] ?? before[from ?? ''] ?? '').split('\n'), text.split('\n')];
    let start = 0;
    while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1;
    let end = 0;
    while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
    lines.push(`  ${from === undefined ? path : `${from} -> ${path}`}`);
    for (const line of old.slice(start, old.length - end)) lines.push(`  - ${line}`);
    for (const line of now.slice(start, now.length - end)) lines.push(`  + ${line}`);
  }
  return `${lines.join('\n')}\n`;
}
