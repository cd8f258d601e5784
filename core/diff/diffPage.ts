import { h, type PageElement, type PageNode } from '../eval/report/page/pageElement.js';
import { visibleLines, visibleText } from '../visibleText.js';
import { capitalized, inEnglish, type Translate } from '../words.js';
import { type DiffLanguage, othersLine, sourcesLine, topLine } from './headings.js';
import { describeSubjects, placeWords, type SectionLine, withBreaks } from './sections.js';
import type { BehaviourDiff, DiffHunk, DiffPlace } from './types.js';

/** The page for an editor: each line leads to its place. */
export function diffPage(diff: BehaviourDiff, language: DiffLanguage = { t: inEnglish, language: 'en' }): PageElement {
  const t: Translate = language.t;
  const others = othersLine(diff, language);
  const missing = diff.not_compared.map(({ what, why, place }) => h('li', {}, link(`${what}: ${why}`, place)));
  return h(
    'main',
    {},
    h('h1', {}, visibleText(topLine(diff, language))),
    h('p', { class: 'muted' }, visibleText(sourcesLine(diff, language))),
    ...describeSubjects(diff.subjects, language).map(({ title, sections }) =>
      h(
        'section',
        {},
        h('h2', {}, visibleText(capitalized(title))),
        ...sections.flatMap((part) => [h('h3', {}, visibleText(part.title)), ...linesList(part.lines, language)]),
      ),
    ),
    ...(others === '' ? [] : [h('p', {}, others)]),
    ...(missing.length === 0 ? [] : [h('section', {}, h('h2', {}, t('Not compared')), h('ul', {}, ...missing))]),
  );
}

function linesList(lines: readonly SectionLine[], language: DiffLanguage): readonly PageElement[] {
  return lines.length === 0 ? [] : [h('ul', {}, ...lines.map((line) => lineItem(line, language)))];
}

const marks = { '+': 'more', '-': 'less', '?': 'unknown', '!': 'failed' } as const;

/** A line with one place is the link to it; with several, they follow. */
function lineItem(
  { mark, text, places = [], opens, hunks = [], more_hunks = 0, below = [] }: SectionLine,
  language: DiffLanguage,
): PageElement {
  const t: Translate = language.t;
  const place = opens ?? (places.length === 1 ? places[0] : undefined);
  const links = place === undefined ? places.flatMap((each) => [' ', link(placeWords(each), each)]) : [];
  return h(
    'li',
    { class: mark === undefined ? undefined : 'marked' },
    ...(mark === undefined ? [] : [h('span', { class: `mark ${marks[mark]}`, 'aria-hidden': 'true' }, mark), ' ']),
    link(text, place),
    ...links,
    ...(hunks.length === 0 ? [] : [h('pre', { class: 'words' }, ...hunksText(hunks, t))]),
    ...(more_hunks === 0 ? [] : [h('p', { class: 'muted' }, t('{0} more changes are not shown.', more_hunks))]),
    ...linesList(below, language),
  );
}

function hunksText(hunks: readonly DiffHunk[], t: Translate): readonly PageNode[] {
  return hunks.flatMap(({ words }, index) => [
    ...(index === 0 ? [] : ['\n…\n']),
    ...words.map(({ mark, text }, at): PageNode => {
      if (mark === ' ') return visibleLines(at === 0 ? text.replace(/^\n+/, '') : text);
      const marked = withBreaks(visibleLines(text));
      const spoken = h('span', { class: 'visually-hidden' }, ` ${mark === '-' ? t('removed:') : t('added:')} `);
      return h(mark === '-' ? 'del' : 'ins', {}, spoken, marked);
    }),
  ]);
}

function link(text: string, place: DiffPlace | undefined): PageNode {
  const label = visibleText(text);
  if (place === undefined) return label;
  const { file, pointer, side } = place;
  return { ...h('button', { type: 'button', class: 'link' }, label), action: { type: 'place', file, pointer, side } };
}
