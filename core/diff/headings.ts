import { usdText } from '../amounts.js';
import { countText } from '../llm/tokenText.js';
import { capitalized, inEnglish, type Translate } from '../words.js';
import type { BehaviourDiff, SubjectDiff, SubjectName, VerdictCounts } from './types.js';

/** The language of all that is told; what was found out (`message`, `why`) stays English. */
export interface DiffLanguage {
  readonly t: Translate;
  /** BCP 47, for numbers. */
  readonly language: string;
}

export const english: DiffLanguage = { t: inEnglish, language: 'en' };

/** `2 agents change, 1 may do more, maximum cost +0.004 USD a run, 14 of 20 verdicts carried over`. */
export function topLine(
  { summary, subjects, unchanged, rewritten }: Pick<BehaviourDiff, 'summary' | 'subjects' | 'unchanged' | 'rewritten'>,
  { t, language } = english,
): string {
  const { agents, orchestrations, broken, breaking, widened, routes, max_cost_change: cost, verdicts } = summary;
  if (subjects.length === 0) return unchanged + rewritten === 0 ? t('Nothing was compared') : t('Nothing that is sent changes');
  if (agents + orchestrations === 0) return t('No request, cost, contract, permission or route changes');
  const counted = (count: number, one: string, several: string) => (count === 0 ? [] : [count === 1 ? one : several]);
  return [
    ...(agents > 0 && orchestrations > 0
      ? [
          t(
            '{0} and {1} change',
            agents === 1 ? t('1 agent') : t('{0} agents', agents),
            orchestrations === 1 ? t('1 orchestration') : t('{0} orchestrations', orchestrations),
          ),
        ]
      : [
          ...counted(agents, t('1 agent changes'), t('{0} agents change', agents)),
          ...counted(orchestrations, t('1 orchestration changes'), t('{0} orchestrations change', orchestrations)),
        ]),
    ...(broken > 0 ? [t('{0} cannot run on one side', broken)] : []),
    ...counted(breaking, t('1 breaks its contract'), t('{0} break their contract', breaking)),
    ...counted(widened, t('1 may do more'), t('{0} may do more', widened)),
    ...counted(routes, t('1 takes other routes'), t('{0} take other routes', routes)),
    ...(cost === null || cost === 0 ? [] : [t('maximum cost {0} a run', signedUsd(cost, language))]),
    ...(verdicts === null ? [] : [carriedWords(verdicts, t)]),
  ].join(', ');
}

/** `The working tree, compared with main (3fa1b2c).` */
export function sourcesLine({ before, after }: Pick<BehaviourDiff, 'before' | 'after'>, { t } = english): string {
  const words = ({ title, commit }: BehaviourDiff['before']) => (commit === undefined ? title : `${title} (${commit.slice(0, 7)})`);
  // A name of a file or an agent stays as it is.
  const name = /^(?:the|run|agent|orchestration) /.test(after.title) ? capitalized(words(after)) : words(after);
  return t('{0}, compared with {1}.', name, words(before));
}

/** `38 others: nothing that is sent changes, by equal hashes. 2 are only written differently.` Empty if there are none. */
export function othersLine(
  { subjects, unchanged, rewritten }: Pick<BehaviourDiff, 'subjects' | 'unchanged' | 'rewritten'>,
  { t, language } = english,
): string {
  const who = (count: number) => {
    const counted = countText(count, language);
    if (subjects.length === 0) return t('{0} compared', counted);
    return count === 1 ? t('1 other') : t('{0} others', counted);
  };
  return [
    ...(unchanged === 0 ? [] : [t('{0}: nothing that is sent changes, by equal hashes.', who(unchanged))]),
    ...(rewritten === 0 ? [] : [t('{0}: only written differently, no part changes.', who(rewritten))]),
  ].join(' ');
}

/** Subjects that one title names. */
const mostNames = 8;

/** `agent Tone@v2 (new, compared with agent Tone@v1), in dev and prod`. */
export function subjectTitle(subject: SubjectDiff, others: readonly SubjectDiff[], t: Translate): string {
  const { state, compared_with, environments } = subject;
  if (others.length > 0) {
    const names = [subject, ...others].map((each) => nameOf(each, t));
    const more = names.length - mostNames;
    const all = more > 1 ? [...names.slice(0, mostNames), t('{0} others', more)] : names;
    return inEnvironments(list(all, t), environments, t);
  }
  const other = compared_with === undefined ? undefined : nameOf(compared_with, t);
  const what = {
    changed: other === undefined ? '' : t('compared with {0}', other),
    added: t('new'),
    removed: t('removed'),
    moved: t('was {0}', other ?? t('another name')),
    new_version: other === undefined ? t('new') : t('new, compared with {0}', other),
  }[state];
  return inEnvironments(`${nameOf(subject, t)}${what === '' ? '' : ` (${what})`}`, environments, t);
}

function inEnvironments(title: string, environments: readonly string[], t: Translate): string {
  return environments.length === 0 ? title : t('{0}, in {1}', title, list(environments, t));
}

export function nameOf({ kind, name, version }: SubjectName, t: Translate): string {
  const id = `${name}${version === undefined ? '' : `@${version}`}`;
  return kind === 'agent' ? t('agent {0}', id) : t('orchestration {0}', id);
}

export function list(names: readonly string[], t: Translate): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : t('{0} and {1}', names.slice(0, -1).join(', '), last);
}

export function signedUsd(amount: number, language: string): string {
  return `${amount < 0 ? '-' : '+'}${usdText(Math.abs(amount), language)}`;
}

export function carriedWords({ carried, total }: VerdictCounts, t: Translate): string {
  return total === 1 ? t('{0} of 1 verdict carried over', carried) : t('{0} of {1} verdicts carried over', carried, total);
}
