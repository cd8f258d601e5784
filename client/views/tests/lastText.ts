import type { CaseReport } from '../../../core/generated/types.js';
import type { Translate } from '../../../core/words.js';

/** The last eval's result of a case: `last 9/10`. */
export function lastText({ passes, judged, simulated }: Pick<CaseReport, 'passes' | 'judged' | 'simulated'>, t: Translate): string {
  if (judged === 0) return t('last not judged');
  return simulated ? t('last {0}/{1}, simulated', passes, judged) : t('last {0}/{1}', passes, judged);
}
