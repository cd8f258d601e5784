import type { CaseReport } from '../../../core/generated/types.js';
import type { Translate } from '../../../core/words.js';

/** The last eval's result of a case: `last 9/10`. */
export function lastText(
  { passes, judged, simulated, replayed }: Pick<CaseReport, 'passes' | 'judged' | 'simulated' | 'replayed'>,
  t: Translate,
): string {
  if (judged === 0) return t('last not judged');
  if (replayed && !simulated) return t('last {0}/{1}, replayed', passes, judged);
  return simulated ? t('last {0}/{1}, simulated', passes, judged) : t('last {0}/{1}', passes, judged);
}
