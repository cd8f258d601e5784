import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadProjectIndex } from '../../../core/config/loadProjectIndex.js';
import { compareProjects } from '../../../core/diff/compareProjects.js';
import { summaryOf } from '../../../core/diff/summary.js';
import type { ProjectFiles } from '../../support/changedProject.js';
import { memoryFiles } from '../../support/memoryFiles.js';
import { testPorts } from '../../support/testPorts.js';
import { validateBehaviourDiff } from '../../support/validateRun.js';
import { deskProject, type PullRequest } from './project.js';
import { type Expected, expectedOf, told } from './told.js';
import { withEffect } from './withEffect.js';
import { withoutEffect } from './withoutEffect.js';

const pullRequests: Readonly<Record<string, PullRequest>> = { ...withoutEffect, ...withEffect };

async function stateOf(files: ProjectFiles) {
  const texts = Object.entries(files).flatMap(([path, value]) =>
    value === null ? [] : [[path, typeof value === 'string' ? value : JSON.stringify(value, null, 2)]],
  );
  const ports = { ...testPorts(), files: memoryFiles(Object.fromEntries(texts)), environment: { get: () => undefined } };
  return { index: await loadProjectIndex(ports.files), ports };
}

/** A path that is removed takes what is below it along. */
function changed(files: ProjectFiles, change: ProjectFiles): ProjectFiles {
  const removed = Object.keys(change).filter((path) => change[path] === null);
  const left = Object.entries(files).filter(([path]) => !removed.some((gone) => path === gone || path.startsWith(`${gone}/`)));
  return { ...Object.fromEntries(left), ...change };
}

const results = new Map<string, Promise<Expected>>();
function resultOf(name: string): Promise<Expected> {
  const { before = {}, change } = pullRequests[name] as PullRequest;
  const compare = async () => {
    const base = changed(deskProject, before);
    const diff = await compareProjects({ before: await stateOf(base), after: await stateOf(changed(base, change)) });
    const whole = { before: { title: 'main' }, after: { title: 'the working tree' }, ...diff, summary: summaryOf(diff.subjects) };
    expect(validateBehaviourDiff(whole)).toEqual([]);
    return told(diff);
  };
  const result = results.get(name) ?? compare();
  results.set(name, result);
  return result;
}

test.each(Object.entries(pullRequests))('%s', async (name, pullRequest) => {
  expect(await resultOf(name)).toEqual(expectedOf(pullRequest));
});

test('half of them have no effect', () => {
  expect([withoutEffect, withEffect].map((half) => Object.keys(half).length)).toEqual([25, 25]);
  const { subjects, incomparable, ...none } = Object.values(withoutEffect).reduce<{ readonly [part: string]: readonly string[] }>(
    (all, pullRequest) => {
      const expected = Object.entries(expectedOf(pullRequest));
      return Object.fromEntries(expected.map(([part, texts]) => [part, [...(all[part] ?? []), ...texts]]));
    },
    {},
  );
  expect(Object.values(none).flat()).toEqual([]);
  // An agent of another name is told as such.
  expect([subjects, incomparable]).toEqual([['Reply'], ['environment stage']]);
});

test('docs/diff.md has the figures', async () => {
  const kinds: Readonly<Record<string, (result: Expected) => readonly string[]>> = {
    'may do more': ({ effects }) => effects.filter((effect) => effect.includes(' + ')),
    'may do less': ({ effects }) => effects.filter((effect) => effect.includes(' - ')),
    'breaking changes': ({ breaks }) => breaks.filter((change) => !change.includes(' ? ')),
    'opened routes': ({ effects }) => effects.filter((effect) => effect.includes(' opened ')),
    'closed routes': ({ effects }) => effects.filter((effect) => effect.includes(' closed ')),
    'other requests': ({ sends }) => sends,
    'maximum cost up or down': ({ dearer, cheaper }) => [...dearer, ...cheaper],
    'cannot run any more': ({ stops }) => stops,
  };
  const all = await Promise.all(
    Object.entries(pullRequests).map(async ([name, pullRequest]) => ({
      expected: expectedOf({ ...pullRequest, effects: [...(pullRequest.effects ?? []), ...(pullRequest.missed ?? [])] }),
      result: await resultOf(name),
    })),
  );
  const rows = Object.entries(kinds).map(([kind, textsOf]) => {
    const count = (countOf: (stated: readonly string[], found: readonly string[]) => readonly string[]) =>
      all.reduce((sum, { expected, result }) => sum + countOf(textsOf(expected), textsOf(result)).length, 0);
    const stated = count((texts) => texts);
    const found = count((texts, found) => texts.filter((text) => found.includes(text)));
    const invented = count((texts, found) => found.filter((text) => !texts.includes(text)));
    return `| ${kind} | ${stated} | ${found} | ${invented} |`;
  });
  const compared = all.filter(({ result }) => result.incomparable.length === 0).length;
  const page = readFileSync('docs/diff.md', 'utf8');
  expect(page).toContain(['| | stated | found | invented |', '|---|---|---|---|', ...rows].join('\n'));
  expect(page).toContain(`**${compared} of ${all.length}** are compared in full`);
});
