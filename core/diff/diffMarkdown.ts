import { escapeComment } from '../escape.js';
import { visibleLines, visibleText } from '../visibleText.js';
import { plural, shorten } from '../words.js';
import { othersLine, sourcesLine, topLine } from './headings.js';
import { type DiffSection, describeSubjects, placeWords, type SectionLine, withBreaks } from './sections.js';
import type { BehaviourDiff, DiffHunk } from './types.js';

/** Characters of all that has no fixed length: GitHub refuses a comment of more than 65,536. */
const mostCharacters = 56_000;
/** Of the hunks of one part of a request. */
const mostOfPart = 6_000;
/** Of a line and of a place. */
const mostOfLine = 1_000;
/** Less is not worth a try. */
const leastRoom = 200;
/** Subjects are folded if there are more. */
const mostOpen = 3;

/** How much of a subject is shown. */
interface Detail {
  /** Of each section. */
  readonly lines: number;
  readonly withHunks: boolean;
}

/** As much as there is room for: first each subject with its name, then all with more of what is told of them. */
const details: readonly Detail[] = [
  { lines: 0, withHunks: false },
  { lines: 8, withHunks: false },
  { lines: 60, withHunks: false },
  { lines: 60, withHunks: true },
];

/** The page for a comment on a pull request: below 60,000 characters, and nothing that a prompt says in it becomes markup, a link or a mention. */
export function diffMarkdown(diff: BehaviourDiff): string {
  const { not_compared } = diff;
  const subjects = describeSubjects(diff.subjects);
  const room = { left: mostCharacters };
  const fits = (text: string, shown = ''): boolean => {
    const isFitting = text.length - shown.length <= room.left;
    if (isFitting) room.left -= text.length - shown.length;
    return isFitting;
  };
  const isFolded = subjects.length > mostOpen;
  const texts = subjects.map(() => '');
  const [names, ...more] = details as [Detail, ...Detail[]];
  for (const [index, subject] of subjects.entries()) {
    const text = subjectText(subject, names, isFolded);
    if (fits(text)) texts[index] = text;
  }
  const notes = not_compared.map(
    ({ what, why, place }) => `- ${escaped(`${what}: ${why}`)}${place === undefined ? '' : ` ${code(placeWords(place))}`}`,
  );
  const notesThatFit = notes.filter((note) => fits(note));
  for (const detail of more) {
    for (const [index, subject] of subjects.entries()) {
      if (room.left < leastRoom) break;
      const [text, shown = ''] = [subjectText(subject, detail, isFolded), texts[index]];
      if (shown !== '' && fits(text, shown)) texts[index] = text;
    }
  }
  const others = othersLine(diff);
  const fittingTexts = texts.filter((text) => text !== '');
  return [
    `## ${escaped(topLine(diff))}`,
    escaped(sourcesLine(diff)),
    ...fittingTexts,
    ...missing(subjects.length - fittingTexts.length, 'more subject'),
    ...(others === '' ? [] : [escaped(others)]),
    ...(notes.length === 0 ? [] : [`**Not compared**\n\n${notesThatFit.join('\n')}`]),
    ...missing(notes.length - notesThatFit.length, 'more reason'),
  ].join('\n\n');
}

function missing(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`There is no room for ${plural(count, what)}: \`agent-stack diff\` shows all.`];
}

interface Described {
  readonly title: string;
  readonly sections: readonly DiffSection[];
}

function subjectText({ title, sections }: Described, { lines: most, withHunks }: Detail, isFolded: boolean): string {
  if (most === 0) return `### ${escaped(title)}`;
  const body = sections.flatMap((section) => [`**${escaped(section.title)}**`, ...blocksOf(section.lines, most, withHunks)]);
  if (!isFolded) return [`### ${escaped(title)}`, ...body].join('\n\n');
  return [`<details><summary>${escaped(title)}</summary>`, ...body, '</details>'].join('\n\n');
}

/** A list; a line with hunks is a paragraph, followed by them. */
function blocksOf(lines: readonly SectionLine[], most: number, withHunks: boolean): readonly string[] {
  if (lines.length === 0) return [];
  const listed = lines.slice(0, most);
  const more = lines.length > most ? [`- and ${lines.length - most} more`] : [];
  const isList = listed.every(({ hunks }) => hunks === undefined);
  if (isList) return [[...listed.map((line) => listItem(line)), ...more].join('\n')];
  return [
    ...listed.flatMap(({ text, places = [], hunks = [], more_hunks = 0 }) => {
      const count = hunks.length + more_hunks;
      const line = `${escaped(text)}${placesText(places)}`;
      return withHunks && hunks.length > 0 ? [line, hunksText(hunks, more_hunks)] : [`${line}, ${plural(count, 'change')}`];
    }),
    ...more,
  ];
}

function listItem({ text, places = [], below = [] }: SectionLine): string {
  return [`- ${escaped(text)}${placesText(places)}`, ...below.map((line) => `  ${listItem(line)}`)].join('\n');
}

function placesText(places: NonNullable<SectionLine['places']>): string {
  return places.map((place) => ` ${code(placeWords(place))}`).join('');
}

/** `<pre>` at the start of a line begins a block in which no Markdown is read, up to its end. */
function hunksText(hunks: readonly DiffHunk[], more: number): string {
  let text = '';
  let count = 0;
  for (const hunk of hunks) {
    const next = `${text === '' ? '' : '\n…\n'}${hunkText(hunk)}`;
    if (text !== '' && text.length + next.length > mostOfPart) break;
    text += next;
    count += 1;
  }
  const hiddenHunks = hunks.length - count + more;
  return `<pre>\n${text}${hiddenHunks === 0 ? '' : `\n(${plural(hiddenHunks, 'more change')})`}\n</pre>`;
}

function hunkText({ words }: DiffHunk): string {
  const most = Math.max(200, Math.floor(mostOfPart / words.length / 2));
  const text = words.map(({ mark, text: written }) => {
    const safe = visibleLines(shorten(written, most)).replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
    if (mark === ' ') return safe;
    const tag = mark === '-' ? 'del' : 'ins';
    return `<${tag}>${withBreaks(safe)}</${tag}>`;
  });
  return text.join('').replace(/^\n+|\n+$/g, '');
}

function code(text: string): string {
  return `\`${visibleText(shorten(text, mostOfLine)).replaceAll('`', "'")}\``;
}

function escaped(text: string): string {
  return escapeComment(shorten(text, mostOfLine));
}
