import type { LoadedIndex } from '../config/loadProjectIndex.js';
import { agentNames, compareNatural } from '../names.js';
import type { SubjectName, SubjectState } from './types.js';

/** What is compared with what. At least one side is set. */
export interface SubjectPair {
  readonly before: SubjectName | undefined;
  readonly after: SubjectName | undefined;
  readonly state: SubjectState;
}

/** Every agent version and orchestration of a project. */
export function subjectsOf(index: LoadedIndex): readonly SubjectName[] {
  const agents = [...agentNames(index)].flatMap((name) =>
    index.versions(name).map((version): SubjectName => ({ kind: 'agent', name, version })),
  );
  return [...agents, ...[...index.ids('orchestration').keys()].map((name): SubjectName => ({ kind: 'orchestration', name }))];
}

export function keyOf({ kind, name, version }: SubjectName): string {
  return JSON.stringify([kind, name, version ?? null]);
}

/** `agent Tone@v1`, `orchestration intake`. */
export function subjectWords({ kind, name, version }: SubjectName): string {
  return `${kind} ${name}${version === undefined ? '' : `@${version}`}`;
}

/**
 * Pairs the subjects of both sides: by name and version; what is new with what it was, by `movedFrom`; and a new version of an agent with the one
 * before it, else with the one after.
 *
 * @param movedFrom the subject of the other side that is the same but for its name or version
 */
export function pairSubjects(
  before: readonly SubjectName[],
  after: readonly SubjectName[],
  movedFrom: (subject: SubjectName) => SubjectName | undefined,
): readonly SubjectPair[] {
  const old = new Map(before.map((subject) => [keyOf(subject), subject]));
  const pairs: SubjectPair[] = [];
  const used = new Set<string>();
  for (const subject of after) {
    const same = old.get(keyOf(subject));
    const other = same ?? movedFrom(subject);
    if (other !== undefined) used.add(keyOf(other));
    if (same !== undefined) pairs.push({ before: same, after: subject, state: 'changed' });
    else if (other !== undefined) pairs.push({ before: other, after: subject, state: 'moved' });
    else {
      const earlier = versionBefore(subject, before);
      pairs.push({ before: earlier, after: subject, state: earlier === undefined ? 'added' : 'new_version' });
    }
  }
  for (const subject of before) if (!used.has(keyOf(subject))) pairs.push({ before: subject, after: undefined, state: 'removed' });
  return pairs;
}

function versionBefore({ kind, name, version = '' }: SubjectName, before: readonly SubjectName[]): SubjectName | undefined {
  if (kind === 'orchestration') return undefined;
  const versions = before.filter((other) => other.kind === 'agent' && other.name === name);
  const sorted = versions.sort((left, right) => compareNatural(left.version ?? '', right.version ?? ''));
  return sorted.findLast((other) => compareNatural(other.version ?? '', version) < 0) ?? sorted[0];
}
