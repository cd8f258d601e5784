import { durationText, usdText } from '../../../../core/amounts.js';
import { countText } from '../../../../core/llm/tokenText.js';
import { t } from '../../page/l10n.js';
import type { ViewEvent, ViewStatus } from '../messages.js';

export function statusWord(status: ViewStatus): string {
  switch (status) {
    case 'running':
      return t('Running');
    case 'completed':
      return t('Completed');
    case 'partial':
      return t('Partial');
    case 'failed':
      return t('Failed');
    case 'cancelled':
      return t('Cancelled');
    case 'open':
      return t('Not ended');
    case 'broken':
      return t('Cannot be read');
  }
}

/** A span of time as the user's language writes it. */
export function duration(milliseconds: number): string {
  return durationText(milliseconds, language());
}

/** The same for something in progress: `2 s`, `1 min 5 s`. */
export function elapsed(milliseconds: number): string {
  return milliseconds < 60_000 ? `${Math.floor(milliseconds / 1_000)} s` : duration(milliseconds);
}

export function dollars(usd: number): string {
  return usdText(usd, language());
}

export function count(value: number): string {
  return countText(value, language());
}

function language(): string {
  return document.documentElement.lang || 'en';
}

/** A model call that failed, and when it is made again. */
export function retryWords({ attempt, reason, wait_ms }: Extract<ViewEvent, { type: 'retry' }>): string {
  return t('Try {0} failed ({1}), next in {2}', attempt, reason, duration(wait_ms));
}
