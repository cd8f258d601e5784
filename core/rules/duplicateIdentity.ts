import type { Rule } from './rule.js';

/**
 * Two files whose names differ in letter case only: on the file systems of Windows and macOS they are one file, so a checkout loses one of
 * them, and which is chance.
 */
export const duplicateIdentity: Rule = {
  code: 'duplicate-identity',
  severity: 'error',
  kinds: 'all',
  on: 'text',
  check(file, { project }, report) {
    const twins = project.twins(file.identity.kind, file.identity.id);
    if (twins.length === 0) return;
    report({
      pointer: '',
      message: `${twins.join(' and ')} ${twins.length === 1 ? 'differs' : 'differ'} from this file in letter case only: where case does not count they are one file. Rename one.`,
      related: twins.map((twin) => ({ file: twin, pointer: '', message: 'The other file is here.' })),
      data: { twins },
    });
  },
};
