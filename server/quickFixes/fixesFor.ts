import type { AnyFinding, PlacedFinding } from '../../core/finding.js';
import { mayHoldSecret } from '../../core/secrets/secretPatterns.js';
import { quickFixes } from './index.js';
import type { Fix, FixContext } from './quickFix.js';

const byCode: ReadonlyMap<string, (typeof quickFixes)[number]> = new Map(quickFixes.map((fix) => [fix.code, fix]));

/** Whether there are fixes for some findings of its rule. */
export function isFixable(finding: AnyFinding): finding is PlacedFinding {
  return byCode.has(finding.code);
}

/** Findings quote secrets in masked form, and masked text must not be written back. */
function isMasked({ code, data }: PlacedFinding, { file }: FixContext): boolean {
  return code !== 'secret-in-plain-text' && /…|\*{4}/.test(JSON.stringify(data ?? {})) && mayHoldSecret(file.text);
}

/** The fixes of a finding, likeliest first; of fixes with the same title, only the first. */
export function fixesFor(finding: PlacedFinding, context: FixContext): readonly Fix[] {
  if (isMasked(finding, context)) return [];
  const fixes = byCode.get(finding.code)?.fixes(finding, context) ?? [];
  return [...new Map([...fixes].reverse().map((fix) => [fix.title, fix])).values()].reverse();
}
