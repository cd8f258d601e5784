import type { SyntaxFault } from '../jsonText/types.js';
import type { Rule } from './rule.js';

/** The rule that reports the faults of one code, as the parser words them. */
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
