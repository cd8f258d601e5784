import type { PlacedFinding } from '../../core/finding.js';
import { valueAt } from '../../core/json.js';
import type { RuleCode } from '../../core/rules/codes.js';
import type { Fix, FixContext } from './quickFix.js';

/** Of these findings the preferred fix cannot change what an agent does, so fix-all makes it without asking. */
interface SafeFix {
  readonly why: string;
  /** Whether it holds for this finding; default for every one. */
  readonly isSafe?: (finding: PlacedFinding, context: FixContext) => boolean;
}

/**
 * Everything else needs somebody to look: moving or renaming a key that nobody read makes it count, and enums, prompts and schemas are
 * what the model is told. A parameter that one model does not take counts again as soon as a call or a task names another model.
 */
export const safeFixes: ReadonlyMap<RuleCode, SafeFix> = new Map<RuleCode, SafeFix>([
  ['json-syntax', { why: 'A file that is no JSON does nothing; preferred are only repairs that leave no choice.' }],
  ['json-comment', { why: 'A comment says nothing to anybody but readers of the file, and no file with one is ever read.' }],
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

/** The fix that fix-all makes for a finding; undefined where there is none. */
export function safeFixOf(finding: PlacedFinding, context: FixContext, fixes: readonly Fix[]): Fix | undefined {
  const safe = safeFixes.get(finding.code);
  if (safe === undefined || safe.isSafe?.(finding, context) === false) return undefined;
  return fixes.find(({ preferred }) => preferred === true);
}
