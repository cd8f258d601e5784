import type { BehaviourDiff } from '../../../core/diff/types.js';
import type { PullRequest } from './project.js';

export type Expected = Required<Omit<PullRequest, 'before' | 'change' | 'missed'>>;
const mark = { widened: '+', narrowed: '-', unknown: '?' } as const;

/** What the product tells of a pull request, in the words in which it is expected. */
export function told({ subjects, not_compared }: Pick<BehaviourDiff, 'subjects' | 'not_compared'>): Expected {
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

/** What a pull request states, in the same words. */
export function expectedOf({ before: _before, change: _change, missed: _missed, ...expected }: PullRequest): Expected {
  return {
    subjects: sorted(expected.subjects),
    sends: sorted(expected.sends),
    effects: sorted(expected.effects),
    breaks: sorted(expected.breaks),
    dearer: sorted(expected.dearer),
    cheaper: sorted(expected.cheaper),
    stops: sorted(expected.stops),
    incomparable: sorted(expected.incomparable),
  };
}
