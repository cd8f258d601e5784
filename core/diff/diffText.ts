import { visibleLines } from '../visibleText.js';
import { plural } from '../words.js';
import { othersLine, sourcesLine, topLine } from './headings.js';
import { describeSubjects, placeWords, type SectionLine, withBreaks } from './sections.js';
import type { BehaviourDiff, DiffHunk } from './types.js';

type Style = (text: string) => string;

export interface DiffTextOptions {
  readonly styles: { readonly bold: Style; readonly dim: Style; readonly red: Style; readonly green: Style; readonly yellow: Style };
  readonly columns: number;
}

/** Lines of one hunk that are shown. */
const mostLines = 30;

/** The page for a terminal. */
export function diffText(diff: BehaviourDiff, { styles, columns }: DiffTextOptions): string {
  const { bold, dim, red, green, yellow } = styles;
  const isPlain = red('-') === '-';
  const lines: string[] = [];
  const none: Style = (text) => text;
  const say = (text: string, indent: number, style: Style = none, hanging = indent) =>
    void lines.push(...wrapped([{ text: visibleLines(text), style }], indent, hanging, columns));

  say(topLine(diff), 0, bold);
  say(sourcesLine(diff), 0, dim);
  for (const { title, sections } of describeSubjects(diff.subjects)) {
    lines.push('');
    say(title, 0, bold);
    for (const section of sections) {
      say(section.title, 2);
      for (const line of section.lines) sayLine(line, 4);
    }
  }
  const others = othersLine(diff);
  if (others !== '') {
    lines.push('');
    say(others, 0);
  }
  if (diff.not_compared.length > 0) {
    lines.push('');
    say('Not compared', 0, bold);
    for (const { what, why, place } of diff.not_compared)
      say(`${what}: ${why}${place === undefined ? '' : ` (${placeWords(place)})`}`, 2, none, 4);
  }
  return lines.join('\n');

  function sayLine({ mark, text, places = [], hunks = [], more_hunks = 0, below = [] }: SectionLine, indent: number): void {
    const style = mark === undefined ? none : { '+': none, '-': none, '?': yellow, '!': red }[mark];
    say(`${mark === undefined ? '' : `${mark} `}${text}`, indent, style, indent + (mark === undefined ? 0 : 2));
    for (const place of places) say(placeWords(place), indent + 2, dim);
    for (const hunk of hunks) sayHunk(hunk, indent + 2);
    if (more_hunks > 0) say(`${plural(more_hunks, 'more change')} not shown`, indent + 2, dim);
    for (const line of below) sayLine(line, indent + 2);
  }

  function sayHunk({ words }: DiffHunk, indent: number): void {
    const parts = words.map(({ mark, text }): Part => {
      if (mark === ' ') return { text: visibleLines(text), style: none };
      const marked = withBreaks(visibleLines(text));
      if (!isPlain) return { text: marked, style: mark === '-' ? red : green };
      return { text: mark === '-' ? `[-${marked}-]` : `{+${marked}+}`, style: none };
    });
    const all = wrapped(parts, indent + 2, indent + 2, columns).filter(
      (line, index, { length }) => line.trim() !== '' || (index > 0 && index < length - 1),
    );
    const hiddenLines = all.length > mostLines + 1 ? all.length - mostLines : 0;
    const [first = '', ...others] = hiddenLines === 0 ? all : all.slice(0, mostLines);
    lines.push(`${' '.repeat(indent)}${dim('·')} ${first.slice(indent + 2)}`, ...others);
    if (hiddenLines > 0) say(`(${plural(hiddenLines, 'more line')})`, indent + 2, dim);
  }
}

interface Part {
  readonly text: string;
  readonly style: Style;
}

/** The lines of a text in parts, broken between words where they are too long. */
function wrapped(parts: readonly Part[], indent: number, hanging: number, columns: number): readonly string[] {
  const room = Math.max(20, columns);
  const lines: string[] = [];
  let line: Part[] = [];
  let used = indent;
  const flush = () => {
    const start = ' '.repeat(lines.length === 0 ? indent : hanging);
    lines.push(`${start}${line.map(({ text, style }) => (text === '' ? '' : style(text))).join('')}`.trimEnd());
    line = [];
    used = hanging;
  };
  for (const { text, style } of parts) {
    let run = '';
    const take = () => {
      if (run !== '') line.push({ text: run, style });
      run = '';
    };
    for (const word of text.match(/\n|[^\S\n]+|\S{1,60}/g) ?? []) {
      if (word === '\n' || (used + word.length > room && used > hanging)) {
        take();
        flush();
        if (/^\s/.test(word)) continue;
      }
      run += word;
      used += word.length;
    }
    take();
  }
  if (line.length > 0) flush();
  return lines;
}
