import type { PlacedFinding } from '../../core/finding.js';
import { valueAt } from '../../core/json.js';
import type { RuleCode } from '../../core/ruleCodes.js';
import type { Fix, FixContext } from './quickFix.js';

/** The preferred fix of these findings cannot change what an agent does, so fix-all applies it. */
interface SafeFix {
  readonly why: string;
  /** Whether this finding is safe to fix. Default: always. */
  readonly isSafe?: (finding: PlacedFinding, context: FixContext) => boolean;
}

/**
 * All other fixes need review. A key without effect takes effect once it is moved or renamed; enums, prompts and schemas are sent to the
 * model; a parameter that one model ignores takes effect as soon as a call or a task selects another model.
 */
export const safeFixes: ReadonlyMap<RuleCode, SafeFix> = new Map<RuleCode, SafeFix>([
  ['json-syntax', { why: 'A file that is not JSON does nothing; preferred are only repairs that leave no choice.' }],
  ['json-comment', { why: 'A file with a comment is refused, so the comment has no effect.' }],
  ['trailing-comma', { why: 'A comma before a closing bracket adds nothing.' }],
  ['duplicate-key', { why: 'Preferred only where both values are written alike; the first is never read.' }],
  ['foreign-name', { why: 'Only names of the same meaning and unit.', isSafe: ({ data }) => data?.safe === true }],
  [
    'schema',
    {
      why: 'A number or a truth value in quotes loses them, digit for digit; a file with it is refused.',
      isSafe: ({ data, pointer }, { file }) => {
        const before = valueAt(file.value, pointer);
        return data?.keyword === 'type' && typeof before === 'string' && before.trim() === data.text;
      },
    },
  ],
]);

/** The fix that fix-all applies to a finding; undefined if there is none. */
export function safeFixOf(finding: PlacedFinding, context: FixContext, fixes: readonly Fix[]): Fix | undefined {
  const safe = safeFixes.get(finding.code);
  if (safe === undefined || safe.isSafe?.(finding, context) === false) return undefined;
  return fixes.find(({ preferred }) => preferred === true);
}
