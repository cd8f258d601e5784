import type { SyntaxFault } from '../jsonText/types.js';
import type { Rule } from './rule.js';

/** A rule that reports the syntax faults of one code, in the parser's words. */
export function syntaxRule(code: SyntaxFault['code']): Rule {
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
        report({ pointer, range, message, ...(related && { related }) });
      }
    },
  };
}
