import { usdText } from '../amounts.js';
import type { Migration, MigrationMove, MigrationPlace, MigrationSide, MigrationUse } from '../generated/types.js';
import { endWords } from '../llm/modelEnd.js';
import { inEnglish, type Translate } from '../words.js';

/** The language of sentences and headings. The reasons and notes of a plan stay English. */
export interface MigrationLanguage {
  readonly t: Translate;
  /** BCP 47, for numbers. */
  readonly language: string;
}

export const english: MigrationLanguage = { t: inEnglish, language: 'en' };

/** `gpt-4o -> gpt-5.4-mini (openai)` */
export function moveTitle({ from, to, provider }: MigrationMove, arrow: '->' | '→' = '->'): string {
  return `${from} ${arrow} ${to ?? '?'} (${provider})`;
}

/** `gpt-4o ends on 2027-01-14, in 48 days`, `its provider names the successor`. @param asOf today */
export function moveFacts({ from, ends, chosen_by }: MigrationMove, asOf: string, { t } = english): readonly string[] {
  const end = ends === null ? undefined : endWords({ ends }, asOf, t);
  return [...(end === undefined ? [] : [`${from} ${end}`]), ...(chosen_by === 'provider' ? [t('its provider names the successor')] : [])];
}

/** How a place is written. @param shown a project path as the reader knows it */
export function placeWords({ write, why, new_file }: MigrationPlace, shown: (path: string) => string, { t } = english): string {
  if (write === 'in_place') return t('in place');
  return write === 'left' ? t('left, {0}', why ?? '') : t('new version {0}, since {1}', shown(new_file ?? ''), why ?? '');
}

export function outcomeWord(outcome: MigrationUse['outcome'], { t } = english): string {
  return { fits: t('fits'), does_not_fit: t('does not fit'), not_known: t('not known') }[outcome];
}

/** The columns of the table of agents, that of the agent aside. */
export function useHeadings({ t } = english): readonly string[] {
  return [t('outcome'), t('USD per 1M tokens in, out'), t('typical run'), t('at most'), t('strict'), t('window'), t('cache from')];
}

/** `Reviewer@v1`, with the environments unless the agent uses the model in all of them. @param all how many were compared */
export function useName({ subject, environments }: MigrationUse, all: number): string {
  return environments.length === all ? subject : `${subject} (${environments.join(', ')})`;
}

/** What is compared of an agent, by `useHeadings`. What is the same on both sides is written once. */
export function useCells({ outcome, before, after }: MigrationUse, words = english, arrow: '->' | '→' = '->'): readonly string[] {
  const { t, language } = words;
  const both = (textOf: (side: MigrationSide) => string) => {
    const [old, now] = [textOf(before), after === null ? undefined : textOf(after)];
    return now === undefined || old === now ? old : `${old} ${arrow} ${now}`;
  };
  const number = (value: number) => value.toLocaleString(language, { maximumFractionDigits: 12 });
  const usd = (amount: number | null) => (amount === null ? '?' : usdText(amount, language).replace(' USD', ''));
  const count = (tokens: number | null, none: string) => (tokens === null ? none : number(tokens));
  const separator = number(0.5).includes(',') ? '; ' : ', ';
  return [
    outcomeWord(outcome, words),
    both(({ price }) => (price === null ? '?' : [price.input, price.output].map(number).join(separator))),
    both(({ typical_cost_usd }) => usd(typical_cost_usd)),
    both(({ maximum_cost_usd }) => usd(maximum_cost_usd)),
    both(({ strict_schema }) => (strict_schema === null ? '-' : strict_schema ? t('yes') : t('no'))),
    both(({ context_window }) => count(context_window, '?')),
    both(({ cache_minimum }) => count(cache_minimum, '-')),
  ];
}

/** The reasons that all agents of a move share, and its agents with the other ones. */
export function splitReasons({ uses }: MigrationMove): { readonly shared: readonly string[]; readonly uses: readonly MigrationUse[] } {
  const shared = uses.length < 2 ? [] : (uses[0]?.reasons ?? []).filter((reason) => uses.every(({ reasons }) => reasons.includes(reason)));
  return { shared, uses: uses.map((use) => ({ ...use, reasons: use.reasons.filter((reason) => !shared.includes(reason)) })) };
}

export function countOutcomes(moves: readonly MigrationMove[]): Migration['counts'] {
  const uses = moves.flatMap((move) => move.uses);
  const count = (wanted: MigrationUse['outcome']) => uses.filter(({ outcome }) => outcome === wanted).length;
  return { fits: count('fits'), does_not_fit: count('does_not_fit'), not_known: count('not_known') };
}

/** `12 agents: 10 fit, 1 does not fit, 1 is not known.` */
export function countWords({ fits, does_not_fit, not_known }: Migration['counts'], { t } = english): string {
  const total = fits + does_not_fit + not_known;
  if (total === 0) return t('No agent uses it now.');
  const parts = [fits === 1 ? t('1 fits') : t('{0} fit', fits)];
  if (does_not_fit > 0) parts.push(does_not_fit === 1 ? t('1 does not fit') : t('{0} do not fit', does_not_fit));
  if (not_known > 0) parts.push(not_known === 1 ? t('1 is not known') : t('{0} are not known', not_known));
  return `${total === 1 ? t('1 agent') : t('{0} agents', total)}: ${parts.join(', ')}.`;
}

/** `Prices rise by at most 12.5 %.` @param change a share; null where a price is not known */
export function priceWords(change: number | null, { t, language } = english): string {
  if (change === null) return t('How prices change is not known.');
  const percent = Math.round(change * 1000) / 10;
  if (percent === 0) return t('No price rises.');
  const size = Math.abs(percent).toLocaleString(language);
  return percent < 0 ? t('Every price falls, by at least {0} %.', size) : t('Prices rise by at most {0} %.', size);
}
