import { expect, test } from 'vitest';
import { loadProjectIndex } from '../../../core/config/loadProjectIndex.js';
import { type ComparedProjects, compareProjects } from '../../../core/diff/compareProjects.js';
import type { ProjectFiles } from '../../support/changedProject.js';
import { memoryFiles } from '../../support/memoryFiles.js';
import { testPorts } from '../../support/testPorts.js';
import { deskProject, type PullRequest } from './project.js';
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

const mark = { widened: '+', narrowed: '-', unknown: '?' } as const;

/** What the product says of a pull request, in the words in which it is expected. */
function told({
  subjects,
  not_compared,
}: Pick<ComparedProjects, 'subjects' | 'not_compared'>): Required<Omit<PullRequest, 'before' | 'change'>> {
  const unique = (texts: readonly string[]) => [...new Set(texts)].sort();
  const namesOf = (matches: (subject: (typeof subjects)[number]) => boolean) => unique(subjects.filter(matches).map(({ name }) => name));
  const rise = ({ costs }: (typeof subjects)[number]) => {
    const [before, after] = [costs?.maximum_before?.limit, costs?.maximum_after?.limit];
    return typeof before === 'number' && typeof after === 'number' ? after - before : 0;
  };
  return {
    subjects: namesOf(() => true),
    sends: namesOf(({ prompts }) => prompts.length > 0),
    effects: unique(
      subjects.flatMap(({ name, permissions, routes }) => [
        ...permissions.map((change) => `${name} ${mark[change.direction]} ${change.subject} ${change.name}`),
        ...routes.map(({ change, from, to }) => `${name} ${change} ${from ?? 'start'} -> ${to ?? 'end'}`),
      ]),
    ),
    breaks: unique(
      subjects.flatMap(({ name, contract }) =>
        contract
          .filter(({ effect }) => effect !== 'compatible')
          .map(({ effect, side, field }) => `${name} ${effect === 'unknown' ? '? ' : ''}${side} ${field}`),
      ),
    ),
    dearer: namesOf((subject) => rise(subject) > 0),
    cheaper: namesOf((subject) => rise(subject) < 0),
    stops: unique(subjects.flatMap(({ name, broken }) => (broken === null ? [] : [`${name} ${broken.side}`]))),
    incomparable: unique(not_compared.map(({ what }) => what)),
  };
}

const sorted = (texts: readonly string[] = []) => [...texts].sort();

for (const [name, { before = {}, change, ...expected }] of Object.entries(pullRequests)) {
  test(name, async () => {
    const base = changed(deskProject, before);
    const compared = await compareProjects({ before: await stateOf(base), after: await stateOf(changed(base, change)) });
    expect(told(compared)).toEqual({
      subjects: sorted(expected.subjects),
      sends: sorted(expected.sends),
      effects: sorted(expected.effects),
      breaks: sorted(expected.breaks),
      dearer: sorted(expected.dearer),
      cheaper: sorted(expected.cheaper),
      stops: sorted(expected.stops),
      incomparable: sorted(expected.incomparable),
    });
  });
}
