import type { FileIdentity } from '../config/configFile.js';
import type { SyntaxFault } from '../jsonText/types.js';
import type { Rule } from './rule.js';

/**
 * A rule that reports the syntax faults of one code.
 *
 * @param wordsFor the message in a file. Default, also where it returns undefined: in the parser's words
 */
export function syntaxRule(code: SyntaxFault['code'], wordsFor?: (identity: FileIdentity) => string | undefined): Rule {
  return {
    code,
    severity: 'error',
    kinds: 'all',
    on: 'text',
    check(file, _context, report) {
      for (const fault of file.syntax) {
        if (fault.code !== code) continue;
        const { pointer, range, message, first } = fault;
        const related = first && [
          { file: file.path, pointer, target: 'key' as const, range: first, message: 'The key is first given here.' },
        ];
        report({ pointer, range, message: wordsFor?.(file.identity) ?? message, ...(related && { related }) });
      }
    },
  };
}
