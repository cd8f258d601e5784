import { usdText } from '../amounts.js';
import { groupBy } from '../groupBy.js';
import { type Json, segmentsOf } from '../json.js';
import { isEqual } from '../jsonText/jsonCompare.js';
import { countText, tokensText } from '../llm/tokenText.js';
import { type WorstCase, worstCaseWords } from '../llm/worstCase.js';
import type { DiffCause } from '../snapshot/snapshotDiff.js';
import { capitalized, dotted, listed, plural } from '../words.js';
import { blameLines } from './blameLines.js';
import { subjectWords } from './subjects.js';
import { hasEffect } from './summary.js';
import type {
  BehaviourDiff,
  ChangeCause,
  CostChange,
  DiffHunk,
  DiffPlace,
  PromptChange,
  RouteExample,
  SubjectDiff,
  VerdictCounts,
} from './types.js';

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
  readonly hunks?: readonly DiffHunk[];
  readonly more_hunks?: number;
  readonly below?: readonly SectionLine[];
}

/** `2 agents change, 1 may do more, maximum cost +0.004 USD a run, 14 of 20 verdicts carried over`. */
export function topLine({
  summary,
  subjects,
  unchanged,
  rewritten,
}: Pick<BehaviourDiff, 'summary' | 'subjects' | 'unchanged' | 'rewritten'>): string {
  const { agents, orchestrations, broken, breaking, widened, routes, max_cost_change: cost, verdicts } = summary;
  if (subjects.length === 0) return unchanged + rewritten === 0 ? 'Nothing was compared' : 'Nothing that is sent changes';
  if (agents + orchestrations === 0) return 'No request, cost, contract, permission or route changes';
  const kinds = [
    ...(agents > 0 ? [plural(agents, 'agent')] : []),
    ...(orchestrations > 0 ? [plural(orchestrations, 'orchestration')] : []),
  ];
  return [
    `${kinds.join(' and ')} ${agents + orchestrations === 1 ? 'changes' : 'change'}`,
    ...(broken > 0 ? [`${broken} cannot run on one side`] : []),
    ...(breaking > 0 ? [`${breaking} ${breaking === 1 ? 'breaks its' : 'break their'} contract`] : []),
    ...(widened > 0 ? [`${widened} may do more`] : []),
    ...(routes > 0 ? [`${routes} ${routes === 1 ? 'takes' : 'take'} other routes`] : []),
    ...(cost === null || cost === 0 ? [] : [`maximum cost ${signedUsd(cost)} a run`]),
    ...(verdicts === null ? [] : [`${verdicts.carried} of ${plural(verdicts.total, 'verdict')} carried over`]),
  ].join(', ');
}

/** `main (3fa1b2c) compared with the working tree`. */
export function sourcesLine({ before, after }: Pick<BehaviourDiff, 'before' | 'after'>): string {
  const words = ({ title, commit }: BehaviourDiff['before']) => (commit === undefined ? title : `${title} (${commit.slice(0, 7)})`);
  // A name of a file or an agent stays as it is.
  const name = /^(?:the|run) /.test(after.title) ? capitalized(words(after)) : words(after);
  return `${name}, compared with ${words(before)}.`;
}

/** `38 others: nothing that is sent changes, by equal hashes. 2 are only written differently.` Empty if there are none. */
export function othersLine({ subjects, unchanged, rewritten }: Pick<BehaviourDiff, 'subjects' | 'unchanged' | 'rewritten'>): string {
  const who = (count: number) => (subjects.length === 0 ? `${countText(count)} compared` : plural(count, 'other'));
  return [
    ...(unchanged === 0 ? [] : [`${who(unchanged)}: nothing that is sent changes, by equal hashes.`]),
    ...(rewritten === 0 ? [] : [`${who(rewritten)}: only written differently, no part changes.`]),
  ].join(' ');
}

/** Subjects that one title names. */
const mostNames = 8;

/** `agent Tone@v2 (new, compared with agent Tone@v1), in dev and prod`. */
function subjectTitle(subject: SubjectDiff, others: readonly SubjectDiff[]): string {
  const { state, compared_with, environments } = subject;
  if (others.length > 0) {
    const names = [subject, ...others].map(subjectWords);
    const all = names.length > mostNames + 1 ? [...names.slice(0, mostNames), `${names.length - mostNames} others`] : names;
    return `${list(all)}${inEnvironments(environments)}`;
  }
  const other = compared_with === undefined ? undefined : subjectWords(compared_with);
  const what = {
    changed: other === undefined ? '' : `compared with ${other}`,
    added: 'new',
    removed: 'removed',
    moved: `was ${other ?? 'another name'}`,
    new_version: `new, compared with ${other ?? 'nothing'}`,
  }[state];
  return `${subjectWords(subject)}${what === '' ? '' : ` (${what})`}${inEnvironments(environments)}`;
}

function inEnvironments(environments: readonly string[]): string {
  return environments.length === 0 ? '' : `, in ${list(environments)}`;
}

/** All subjects with their sections; what was told of a subject in another environment, or of its texts for another one, is not told again. */
export function describeSubjects(
  subjects: readonly SubjectDiff[],
): readonly { readonly title: string; readonly sections: readonly DiffSection[] }[] {
  const told: { readonly subject: SubjectDiff; readonly section: DiffSection }[] = [];
  // Those without an effect are told once for each cause.
  const groups = groupBy(subjects, (subject) =>
    hasEffect(subject) || subject.blame !== undefined
      ? subject
      : JSON.stringify([subject.environments, subject.causes.map((cause) => causeLine(cause).text)]),
  );
  return [...groups.values()].map(([subject, ...others]) => {
    const name = subjectWords(subject);
    const sections = sectionsOf(subject).map((section): DiffSection => {
      const hasTexts = section.lines.some(({ hunks }) => hunks !== undefined);
      const same = told.find(
        (other) =>
          (hasTexts || subjectWords(other.subject) === name) &&
          // Sections are JSON by construction.
          isEqual(section as unknown as Json, other.section as unknown as Json),
      )?.subject;
      if (same === undefined) told.push({ subject, section });
      if (same === undefined) return section;
      const where = subjectWords(same) === name ? `in ${list(same.environments)}` : `for ${subjectWords(same)}`;
      return { title: `${section.title}: as ${where}`, lines: [] };
    });
    return { title: subjectTitle(subject, others), sections };
  });
}

/** In the order in which they are read; parts in which nothing changes are left out. */
function sectionsOf(subject: SubjectDiff): readonly DiffSection[] {
  const { broken, causes, prompts, costs, contract, permissions, routes, verdicts, blame, state } = subject;
  const section = (title: string, lines: readonly SectionLine[]): readonly DiffSection[] => (lines.length === 0 ? [] : [{ title, lines }]);
  if (broken !== null) {
    const lines = broken.findings.map(
      ({ message, file, pointer }): SectionLine => ({ mark: '!', text: message, places: [{ file, pointer, side: broken.side }] }),
    );
    return section(`Cannot run ${broken.side === 'before' ? 'before' : 'after'} the change, so nothing else was compared`, lines);
  }
  const whose = (instance: string, also: readonly string[]) => ofInstances(subject, instance, also);
  const sections = [
    ...section('Caused by', causes.map(causeLine)),
    ...section(
      'What it sends',
      prompts.map((change) => promptLine(change, whose(change.instance, change.also))),
    ),
    ...section('What it costs', costs === null ? [] : costLines(costs, subject)),
    ...section(
      'What it takes and answers',
      contract.map(({ effect, instance, also, message, place, readers }) => ({
        mark: ({ breaking: '!', compatible: '+', unknown: '?' } as const)[effect],
        text: `${effect === 'compatible' ? '' : `${effect === 'breaking' ? 'Breaking' : 'Not known'}: `}${message}${whose(instance, also)}`,
        places: place === null ? [] : [place],
        below: readers.map(({ words, place: where }) => ({ text: words, places: where === null ? [] : [where] })),
      })),
    ),
    ...section(
      'What it may do',
      permissions.map(({ direction, instance, also, message, place }) => ({
        mark: ({ widened: '+', narrowed: '-', unknown: '?' } as const)[direction],
        text: `${{ widened: 'More: ', narrowed: 'Less: ', unknown: 'Not known: ' }[direction]}${message}${whose(instance, also)}`,
        places: place === null ? [] : [place],
      })),
    ),
    ...section(
      'Where a run goes',
      routes.map(({ change, message, place, example }) => ({
        mark: ({ opened: '+', closed: '-', redirected: '!', endless: '!', unknown: '?' } as const)[change],
        text: message,
        places: place === null ? [] : [place],
        below: example === null ? [] : [{ text: `${change === 'closed' ? 'Was taken' : 'Taken'} ${exampleWords(example)}` }],
      })),
    ),
    ...section('Verdicts', verdicts === null ? [] : [{ text: verdictWords(verdicts) }]),
    ...section('What moved its verdicts', blame === undefined ? [] : blameLines(blame)),
  ];
  const isTold = sections.some(({ title }) => title !== 'Caused by');
  if (isTold || state === 'added' || state === 'removed') return sections;
  const note =
    hasEffect(subject) && state !== 'moved'
      ? 'Its runs may differ by this, in what no part tells.'
      : 'No request, cost, contract, permission or route changes by it.';
  return [...sections, { title: state === 'moved' ? 'Otherwise equal' : 'What it does', lines: [{ text: note }] }];
}

/** ` (one/a and 39 others)`; empty for the subject itself. */
function ofInstances({ name }: SubjectDiff, instance: string, also: readonly string[]): string {
  if (also.length === 0) return instance === name ? '' : ` (${instance})`;
  return ` (${also.length === 1 ? `${instance} and ${also[0]}` : `${instance} and ${also.length} others`})`;
}

function list(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

const causeWords: Readonly<Record<DiffCause, string>> = {
  value: 'changes',
  'other-file': 'takes the place of another file for',
  'layer-wins': 'now decides',
  'layer-gone': 'no longer decides',
  added: 'adds',
  removed: 'no longer has',
  order: 'lists in another order',
};
const mostFields = 4;

function causeLine({ file, layer, cause, pointers, count }: ChangeCause): SectionLine {
  const fields = [...groupBy(pointers, fieldOf).keys()];
  const rest = count > pointers.length ? ' and more' : fields.length > mostFields ? ` and ${fields.length - mostFields} more` : '';
  const who = file === null ? (layer === 'default' ? 'A built-in default' : layer === 'call' ? 'The call' : 'The snapshot') : file;
  return { text: `${who} ${causeWords[cause]} ${fields.slice(0, mostFields).join(', ')}${rest}` };
}

/** The field of an agent or connection, whichever of them has it, else with the server, tool or team. Members of lists and schemas are not told one by one. */
function fieldOf(pointer: string): string {
  const segments = segmentsOf(pointer);
  const [part = ''] = segments;
  const inside = part === 'agents' || part === 'llms' ? segments.slice(2) : segments;
  const deepest = { agents: 2, llms: 2, servers: 3, skills: 2 }[part] ?? 4;
  return dotted(inside.slice(0, deepest).filter((segment, index) => index === 0 || !/^\d+$/.test(segment)));
}

const partWords: Readonly<Record<PromptChange['part'], string>> = {
  system: 'System prompt',
  user: 'User message',
  response_format: 'Response format',
  tools: 'Tools',
  settings: 'Settings',
};

function promptLine({ part, hunks, more_hunks, places, tokens_before, tokens_after }: PromptChange, whose: string): SectionLine {
  const difference = tokens_after - tokens_before;
  const signed = `${difference < 0 ? '-' : '+'}${tokensText(Math.abs(difference))}, ${countText(tokens_before)} before`;
  const tokens = part === 'settings' ? '' : difference === 0 ? `, ${tokensText(tokens_after)} as before` : `, ${signed}`;
  return { text: `${partWords[part]}${whose}${tokens}`, places, hunks, more_hunks };
}

function costLines(costs: CostChange, subject: SubjectDiff): readonly SectionLine[] {
  const { maximum_before, maximum_after, typical_before, typical_after, prompt_tokens_before, prompt_tokens_after, prefixes } = costs;
  const lines: SectionLine[] = [];
  const [most, mostBefore] = [maximumWords(maximum_after), maximumWords(maximum_before)];
  const more = difference(maximum_before?.limit, maximum_after?.limit);
  // The same words are another amount where the rounded one hides the difference.
  if (most !== mostBefore || more !== '')
    lines.push({ text: `A run: ${most}${most === mostBefore ? '' : `; before ${mostBefore}`}${more}` });
  if (typical_before?.usd !== typical_after?.usd) {
    const words = (cost: typeof typical_before) => (cost === null ? 'not known' : usdText(cost.usd));
    lines.push({
      text: `Typically: ${words(typical_after)}; before ${words(typical_before)}${difference(typical_before?.usd, typical_after?.usd)}`,
    });
  }
  if (prompt_tokens_before !== prompt_tokens_after && prompt_tokens_before !== null && prompt_tokens_after !== null)
    lines.push({ text: `First request: ${tokensText(prompt_tokens_after)}; before ${countText(prompt_tokens_before)}` });
  for (const { instance, stable_tokens_before, stable_tokens_after, cached_tokens_before, cached_tokens_after } of prefixes) {
    const cached = cached_tokens_after === 0 ? 'none of them cached' : `${countText(cached_tokens_after)} of them cached`;
    const earlier = cached_tokens_before === cached_tokens_after ? 'as before' : `before ${countText(cached_tokens_before)}`;
    const text = `Equal in every call: the first ${tokensText(stable_tokens_after)}; before ${countText(stable_tokens_before)}. ${capitalized(cached)}, ${earlier}${ofInstances(subject, instance, [])}`;
    lines.push({ text });
  }
  return lines;
}

function maximumWords(worst: WorstCase | null): string {
  return worst === null ? 'not known' : worstCaseWords(worst);
}

/** ` (+0.004 USD)`; empty where a side is not known. */
function difference(before: number | null | undefined, after: number | null | undefined): string {
  if (typeof before !== 'number' || typeof after !== 'number' || before === after) return '';
  return ` (${signedUsd(after - before)})`;
}

function signedUsd(amount: number): string {
  return `${amount < 0 ? '-' : '+'}${usdText(Math.abs(amount))}`;
}

function verdictWords({ total, carried, changed, test_changed, new: fresh, stale, worst_case }: VerdictCounts): string {
  const parts = [
    `${carried} of ${plural(total, 'verdict')} carried over`,
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(test_changed > 0 ? [`${test_changed} with another test`] : []),
    ...(fresh > 0 ? [`${fresh} new`] : []),
    ...(stale > 0 ? [`${stale} too old or with too few repeats`] : []),
  ];
  return `${parts.join(', ')}${carried === total ? '' : `; asking again: ${worstCaseWords(worst_case)}`}`;
}

/** `config/agents/Tone/v1.json#/system_text`, with the side where it is gone. */
export function placeWords({ file, pointer, side }: DiffPlace): string {
  return `${file}${pointer === '' ? '' : `#${pointer}`}${side === 'before' ? ' (before)' : ''}`;
}

/** What comes or goes, with a mark for each line break where there is nothing else to be seen. */
export function withBreaks(text: string): string {
  return text.trim() === '' ? text.replaceAll('\n', '↵\n') : text;
}

/** `with {"sort":{"label":"bug"}}, where "tone" fails`. */
function exampleWords({ outputs, failed = [], context }: RouteExample): string {
  const parts = [
    ...(Object.keys(outputs).length > 0 ? [`with ${JSON.stringify(outputs)}`] : []),
    ...(failed.length > 0 ? [`where ${listed(failed)} ${failed.length === 1 ? 'fails' : 'fail'}`] : []),
    ...(context === undefined ? [] : [`in the context ${JSON.stringify(context)}`]),
  ];
  return parts.length === 0 ? 'always' : parts.join(', ');
}
