import fc from 'fast-check';
import { ruleCodes } from '../../core/ruleCodes.js';
import { filesOnPage } from '../support/rulePage.js';
import { corpus } from './corpus.js';
import { contentSlips, syntaxSlips } from './mutations.js';

/** Projects of all kinds of file: a whole one, and the examples of all rules. */
const projects: readonly Readonly<Record<string, string>>[] = [
  corpus,
  ...ruleCodes.flatMap((code) => [filesOnPage(code, 'Wrong'), filesOnPage(code, 'Right')]).filter((files) => Object.keys(files).length > 0),
];

const share = fc.noBias(fc.integer({ min: 0, max: 9_999 })).map((part) => part / 10_000);
const pick = fc.noBias(fc.nat({ max: 99_999 }));
const slip = (names: readonly string[]) => fc.record({ name: fc.constantFrom(...names), at: share, pick });

/** A project with slips in one of its files. */
export const faultyProjects = fc
  .record({
    project: fc.oneof({ arbitrary: fc.constant(0), weight: 1 }, { arbitrary: fc.noBias(fc.nat({ max: projects.length - 1 })), weight: 2 }),
    file: share,
    content: fc.array(slip(Object.keys(contentSlips)), { maxLength: 3 }),
    syntax: fc.option(slip(Object.keys(syntaxSlips)), { freq: 3 }),
  })
  .map(({ project, file, content, syntax }) => {
    const files = projects[project] as Readonly<Record<string, string>>;
    const paths = Object.keys(files);
    const path = paths[Math.floor(file * paths.length)] as string;
    let text = files[path] as string;
    for (const { name, at, pick: choice } of content) text = (contentSlips[name] as (typeof contentSlips)[string])(text, at, choice);
    if (syntax === null)
      return { files: { ...files, [path]: text }, path, meant: undefined, sound: content.length === 1 ? files : undefined, what: content };
    const broken = (syntaxSlips[syntax.name] as (typeof syntaxSlips)[string])(text, syntax.at, syntax.pick);
    return { files: { ...files, [path]: broken }, path, meant: text, sound: undefined, what: [...content, syntax] };
  });
