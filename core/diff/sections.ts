import { usdText } from '../amounts.js';
import { groupBy } from '../groupBy.js';
import { type Json, segmentsOf } from '../json.js';
import { isEqual } from '../jsonText/jsonCompare.js';
import { countText } from '../llm/tokenText.js';
import { type WorstCase, worstCaseWords } from '../llm/worstCase.js';
import { dotted, quoted, type Translate } from '../words.js';
import { blameLines } from './blameLines.js';
import { carriedWords, type DiffLanguage, english, list, nameOf, signedUsd, subjectTitle } from './headings.js';
import { hasEffect } from './summary.js';
import type { ChangeCause, CostChange, DiffHunk, DiffPlace, PromptChange, RouteExample, SubjectDiff, VerdictCounts } from './types.js';

/** A part of what is told of a subject, the same for every face. Plain text, from files in part. */
export interface DiffSection {
  readonly title: string;
  readonly lines: readonly SectionLine[];
}

export interface SectionLine {
  /** For better, for worse, or not known; absent where that is not the question. */
  readonly mark?: '+' | '-' | '?' | '!';
  readonly text: string;
  readonly places?: readonly DiffPlace[];
  /** The place that the text itself names. */
  readonly opens?: DiffPlace;
  readonly hunks?: readonly DiffHunk[];
  readonly more_hunks?: number;
  readonly below?: readonly SectionLine[];
}

/** All subjects with their sections; what was told of a subject in another environment, or of its texts for another one, is not told again. */
export function describeSubjects(
  subjects: readonly SubjectDiff[],
  { t, language } = english,
): readonly { readonly title: string; readonly sections: readonly DiffSection[] }[] {
  const told: { readonly subject: SubjectDiff; readonly name: string; readonly section: DiffSection }[] = [];
  // Those without an effect are told once for each cause.
  const groups = groupBy(subjects, (subject) =>
    hasEffect(subject) || subject.blame !== undefined
      ? subject
      : JSON.stringify([subject.environments, subject.causes.map((cause) => causeLine(cause, t).text)]),
  );
  return [...groups.values()].map(([subject, ...others]) => {
    const name = nameOf(subject, t);
    const sections = sectionsOf(subject, { t, language }).map((section): DiffSection => {
      const hasTexts = section.lines.some(({ hunks }) => hunks !== undefined);
      const same = told.find(
        (other) =>
          (hasTexts || other.name === name) &&
          // Sections are JSON by construction.
          isEqual(section as unknown as Json, other.section as unknown as Json),
      );
      if (same === undefined) told.push({ subject, name, section });
      if (same === undefined) return section;
      const title =
        same.name === name
          ? t('{0}: as in {1}', section.title, list(same.subject.environments, t))
          : t('{0}: as for {1}', section.title, same.name);
      return { title, lines: [] };
    });
    return { title: subjectTitle(subject, others, t), sections };
  });
}

/** In the order in which they are read; parts in which nothing changes are left out. */
function sectionsOf(subject: SubjectDiff, { t, language }: DiffLanguage): readonly DiffSection[] {
  const { broken, causes, prompts, costs, contract, permissions, routes, verdicts, blame, state } = subject;
  const section = (title: string, lines: readonly SectionLine[]): readonly DiffSection[] => (lines.length === 0 ? [] : [{ title, lines }]);
  if (broken !== null) {
    const lines = broken.findings.map(
      ({ message, file, pointer }): SectionLine => ({ mark: '!', text: message, places: [{ file, pointer, side: broken.side }] }),
    );
    const title =
      broken.side === 'before'
        ? t('Cannot run before the change, so nothing else was compared')
        : t('Cannot run after the change, so nothing else was compared');
    return section(title, lines);
  }
  const whose = (instance: string, also: readonly string[]) => ofInstances(subject, [instance, ...also], t);
  const sections = [
    ...section(
      t('Caused by'),
      causes.map((cause) => causeLine(cause, t)),
    ),
    ...section(
      t('What it sends'),
      prompts.map((change) => promptLine(change, whose(change.instance, change.also), { t, language })),
    ),
    ...section(t('What it costs'), costs === null ? [] : costLines(costs, subject, { t, language })),
    ...section(
      t('What it takes and answers'),
      contract.map(({ effect, instance, also, message, place, readers }) => ({
        mark: ({ breaking: '!', compatible: '+', unknown: '?' } as const)[effect],
        text: `${{ breaking: `${t('Breaking:')} `, compatible: '', unknown: `${t('Not known:')} ` }[effect]}${message}${whose(instance, also)}`,
        places: place === null ? [] : [place],
        below: readers.map(({ words, place: where }) => ({ text: words, places: where === null ? [] : [where] })),
      })),
    ),
    ...section(
      t('What it may do'),
      permissions.map(({ direction, instance, also, message, place }) => ({
        mark: ({ widened: '+', narrowed: '-', unknown: '?' } as const)[direction],
        text: `${{ widened: t('More:'), narrowed: t('Less:'), unknown: t('Not known:') }[direction]} ${message}${whose(instance, also)}`,
        places: place === null ? [] : [place],
      })),
    ),
    ...section(
      t('Where a run goes'),
      routes.map(({ change, message, place, example }) => ({
        mark: ({ opened: '+', closed: '-', redirected: '!', endless: '!', unknown: '?' } as const)[change],
        text: message,
        places: place === null ? [] : [place],
        below: example === null ? [] : [{ text: exampleWords(example, change === 'closed', t) }],
      })),
    ),
    ...section(t('Verdicts'), verdicts === null ? [] : [{ text: verdictWords(verdicts, { t, language }) }]),
    ...section(t('What moved its verdicts'), blame === undefined ? [] : blameLines(blame)),
  ];
  const isTold = sections.length > (causes.length === 0 ? 0 : 1);
  if (isTold || state === 'added' || state === 'removed') return sections;
  const note =
    hasEffect(subject) && state !== 'moved'
      ? t('Its runs may differ by this, in what no part tells.')
      : t('No request, cost, contract, permission or route changes by it.');
  return [...sections, { title: state === 'moved' ? t('Otherwise equal') : t('What it does'), lines: [{ text: note }] }];
}

/** ` (one/a and 39 others)`; empty for the subject itself. */
function ofInstances({ name }: SubjectDiff, [instance = '', ...also]: readonly string[], t: Translate): string {
  if (also.length === 0) return instance === name ? '' : ` (${instance})`;
  return ` (${also.length === 1 ? list([instance, ...also], t) : t('{0} and {1} others', instance, also.length)})`;
}

const mostFields = 4;

function causeLine({ file, layer, cause, pointers, count }: ChangeCause, t: Translate): SectionLine {
  const fields = [...groupBy(pointers, fieldOf).keys()];
  const names = fields.slice(0, mostFields).join(', ');
  const what =
    count > pointers.length
      ? t('{0} and more', names)
      : fields.length > mostFields
        ? t('{0} and {1} more', names, fields.length - mostFields)
        : names;
  const builtIn = layer === 'default' ? t('A built-in default') : layer === 'call' ? t('The call') : t('The snapshot');
  const who = file ?? builtIn;
  const text = {
    value: t('{0} changes {1}', who, what),
    'other-file': t('{0} takes the place of another file for {1}', who, what),
    'layer-wins': t('{0} now decides {1}', who, what),
    'layer-gone': t('{0} no longer decides {1}', who, what),
    added: t('{0} adds {1}', who, what),
    removed: t('{0} no longer has {1}', who, what),
    order: t('{0} lists {1} in another order', who, what),
  }[cause];
  return { text, ...(file !== null && { opens: { file, pointer: '', side: cause === 'removed' ? 'before' : 'after' } }) };
}

/** The field of an agent or connection, else the field with its server, tool or team. Members of lists and schemas are not named. */
function fieldOf(pointer: string): string {
  const segments = segmentsOf(pointer);
  const [part = ''] = segments;
  const inside = part === 'agents' || part === 'llms' ? segments.slice(2) : segments;
  const deepest = { agents: 2, llms: 2, servers: 3, skills: 2 }[part] ?? 4;
  return dotted(inside.slice(0, deepest).filter((segment, index) => index === 0 || !/^\d+$/.test(segment)));
}

function promptLine(change: PromptChange, whose: string, { t, language }: DiffLanguage): SectionLine {
  const { part, hunks, more_hunks, places, tokens_before, tokens_after } = change;
  const name = {
    system: t('System prompt'),
    user: t('User message'),
    response_format: t('Response format'),
    tools: t('Tools'),
    settings: t('Settings'),
  }[part];
  const difference = tokens_after - tokens_before;
  const signed = `${difference < 0 ? '-' : '+'}${tokenWords(Math.abs(difference), { t, language })}`;
  const tokens =
    part === 'settings'
      ? ''
      : difference === 0
        ? `, ${t('{0} as before', tokenWords(tokens_after, { t, language }))}`
        : `, ${t('{0}, {1} before', signed, countText(tokens_before, language))}`;
  return { text: `${name}${whose}${tokens}`, places, hunks, more_hunks };
}

function costLines(costs: CostChange, subject: SubjectDiff, { t, language }: DiffLanguage): readonly SectionLine[] {
  const { maximum_before, maximum_after, typical_before, typical_after, prompt_tokens_before, prompt_tokens_after, prefixes } = costs;
  const lines: SectionLine[] = [];
  const count = (tokens: number) => countText(tokens, language);
  const maximum = (worst: WorstCase | null) => (worst === null ? t('not known') : worstCaseWords(worst, t, language));
  const difference = (before: number | null | undefined, after: number | null | undefined) =>
    typeof before !== 'number' || typeof after !== 'number' || before === after ? '' : ` (${signedUsd(after - before, language)})`;
  const [most, mostBefore] = [maximum(maximum_after), maximum(maximum_before)];
  const more = difference(maximum_before?.limit, maximum_after?.limit);
  // The same words are another amount where the rounded one hides the difference.
  if (most !== mostBefore) lines.push({ text: `${t('A run: {0}; before {1}', most, mostBefore)}${more}` });
  else if (more !== '') lines.push({ text: `${t('A run: {0}', most)}${more}` });
  if (typical_before?.usd !== typical_after?.usd) {
    const words = (cost: typeof typical_before) => (cost === null ? t('not known') : usdText(cost.usd, language));
    lines.push({
      text: `${t('Typically: {0}; before {1}', words(typical_after), words(typical_before))}${difference(typical_before?.usd, typical_after?.usd)}`,
    });
  }
  if (prompt_tokens_before !== prompt_tokens_after && prompt_tokens_before !== null && prompt_tokens_after !== null)
    lines.push({
      text: t('First request: {0}; before {1}', tokenWords(prompt_tokens_after, { t, language }), count(prompt_tokens_before)),
    });
  for (const { instance, stable_tokens_before, stable_tokens_after, cached_tokens_before, cached_tokens_after } of prefixes) {
    const isSame = cached_tokens_before === cached_tokens_after;
    const [cached, before] = [count(cached_tokens_after), count(cached_tokens_before)];
    const cache = [
      t('Equal in every call: the first {0}; before {1}.', tokenWords(stable_tokens_after, { t, language }), count(stable_tokens_before)),
      cached_tokens_after === 0
        ? isSame
          ? t('None of them cached, as before')
          : t('None of them cached, before {0}', before)
        : isSame
          ? t('{0} of them cached, as before', cached)
          : t('{0} of them cached, before {1}', cached, before),
    ];
    lines.push({ text: `${cache.join(' ')}${ofInstances(subject, [instance], t)}` });
  }
  return lines;
}

function tokenWords(tokens: number, { t, language }: DiffLanguage): string {
  return tokens === 1 ? t('1 token') : t('{0} tokens', countText(tokens, language));
}

function verdictWords(counts: VerdictCounts, { t, language }: DiffLanguage): string {
  const { total, carried, changed, test_changed, new: fresh, stale, worst_case } = counts;
  const parts = [
    carriedWords(counts, t),
    ...(changed > 0 ? [t('{0} changed', changed)] : []),
    ...(test_changed > 0 ? [t('{0} with another test', test_changed)] : []),
    ...(fresh > 0 ? [t('{0} new', fresh)] : []),
    ...(stale > 0 ? [t('{0} too old or with too few repeats', stale)] : []),
  ].join(', ');
  return carried === total ? parts : t('{0}; asking again: {1}', parts, worstCaseWords(worst_case, t, language));
}

/** `config/agents/Tone/v1.json#/system_text`, with the side where it is gone. */
export function placeWords({ file, pointer, side }: DiffPlace): string {
  return `${file}${pointer === '' ? '' : `#${pointer}`}${side === 'before' ? ' (before)' : ''}`;
}

/** What comes or goes, with a mark for each line break where there is nothing else to be seen. */
export function withBreaks(text: string): string {
  return text.trim() === '' ? text.replaceAll('\n', '↵\n') : text;
}

/** `Taken with {"sort":{"label":"bug"}}, where "tone" fails`. */
function exampleWords({ outputs, failed = [], context }: RouteExample, isClosed: boolean, t: Translate): string {
  const names = list(failed.map(quoted), t);
  const parts = [
    ...(Object.keys(outputs).length > 0 ? [t('with {0}', JSON.stringify(outputs))] : []),
    ...(failed.length > 0 ? [failed.length === 1 ? t('where {0} fails', names) : t('where {0} fail', names)] : []),
    ...(context === undefined ? [] : [t('in the context {0}', JSON.stringify(context))]),
  ];
  const when = parts.length === 0 ? t('always') : parts.join(', ');
  return isClosed ? t('Was taken {0}', when) : t('Taken {0}', when);
}
