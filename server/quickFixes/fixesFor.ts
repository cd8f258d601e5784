import type { PlacedFinding } from '../../core/finding.js';
import { quickFixes } from './index.js';
import type { Fix, FixContext } from './quickFix.js';

const byCode: ReadonlyMap<string, (typeof quickFixes)[number]> = new Map(quickFixes.map((fix) => [fix.code, fix]));

/** What can be done about a finding, the likeliest first; of several fixes with one title the first. */
export function fixesFor(finding: PlacedFinding, context: FixContext): readonly Fix[] {
  const fixes = byCode.get(finding.code)?.fixes(finding, context) ?? [];
  return [...new Map([...fixes].reverse().map((fix) => [fix.title, fix])).values()].reverse();
}
