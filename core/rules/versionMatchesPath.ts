import { isObject } from '../json.js';
import type { Rule } from './rule.js';

/** A file whose `version` differs from its name. Versions are looked up by file name, so the reference would get another version. */
export const versionMatchesPath: Rule = {
  code: 'version-matches-path',
  severity: 'error',
  kinds: ['agent', 'prompt'],
  on: 'value',
  check(file, _context, report) {
    const expected = file.identity.version;
    if (expected === undefined || !isObject(file.value)) return;
    const { version } = file.value;
    // A mistyped version is reported by the rule `schema`; without one, the path says it.
    if (typeof version !== 'string' || version === expected) return;
    report({
      pointer: '/version',
      message: `version is ${JSON.stringify(version)}, but the file is called ${JSON.stringify(`${expected}${file.path.slice(file.path.lastIndexOf('.'))}`)}. Make them equal.`,
      data: { field: 'version', expected, found: version },
    });
  },
};
