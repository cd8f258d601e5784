import { loadSchemaCompiler } from '../schema/schemaCompiler.js';
import { createSide, type FrozenSource } from './comparedSide.js';
import { compareSides, isDifferent } from './compareSides.js';
import { summaryOf } from './summary.js';
import type { BehaviourDiff, SubjectDiff, SubjectName } from './types.js';

export interface TitledSource extends FrozenSource {
  readonly title: string;
}

/** What differs between two frozen configs: of two versions, environments, snapshot files or runs. Readers outside of them are not known. */
export async function compareSnapshots(before: TitledSource, after: TitledSource): Promise<BehaviourDiff> {
  const schemas = await loadSchemaCompiler();
  const [old, current] = [before.value, after.value];
  const nameOf = ({ kind, name, version }: typeof old): SubjectName => ({ kind, name, ...(version !== undefined && { version }) });
  const isRenamed = old.name !== current.name || old.version !== current.version;
  const parts = await compareSides(createSide('before', before, schemas), createSide('after', after, schemas));
  const subject: SubjectDiff = {
    ...nameOf(current),
    state: 'changed',
    ...(isRenamed && { compared_with: nameOf(old) }),
    environments: [...new Set([old.environment, current.environment])],
    hash_before: before.hash,
    hash_after: after.hash,
    broken: null,
    ...parts,
    verdicts: null,
  };
  const isEqual = before.hash === after.hash;
  const subjects = isDifferent(parts) ? [subject] : [];
  return {
    before: { title: before.title },
    after: { title: after.title },
    subjects,
    unchanged: isEqual ? 1 : 0,
    rewritten: isEqual ? 0 : 1 - subjects.length,
    summary: summaryOf(subjects),
    not_compared: [{ what: 'readers', why: 'What other files read of it is compared between a git revision and the working tree only.' }],
  };
}
