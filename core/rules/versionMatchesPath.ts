import { isObject } from '../json.js';
import type { Rule } from './rule.js';

/** A version is asked for by file name: a file that calls itself another version is never what was asked for. */
export const versionMatchesPath: Rule = {
  code: 'version-matches-path',
  severity: 'error',
  kinds: ['agent', 'prompt'],
  on: 'value',
  check(file, _context, report) {
    const expected = file.identity.version;
    if (expected === undefined || !isObject(file.value)) return;
    const { version } = file.value;
    // A missing or mistyped version is the schema rule's.
    if (typeof version !== 'string' || version === expected) return;
    report({
      pointer: '/version',
      message: `version is ${JSON.stringify(version)}, but the file is called ${JSON.stringify(`${expected}.json`)}. Make them equal.`,
      data: { field: 'version', expected, found: version },
    });
  },
};
