import { expect, test } from 'vitest';
import { diffPage } from '../../core/diff/diffPage.js';
import type { BehaviourDiff, DiffPlace } from '../../core/diff/types.js';
import { hasAction, type PageElement, type PageNode, toHtml } from '../../core/eval/report/page/pageElement.js';
import { everyChange, markup, noChange } from './fixtures/everyChange.js';

/** Every place that a result names: objects with a file, a pointer and a side. */
function placesIn(value: unknown): readonly DiffPlace[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'file' in value && 'pointer' in value && 'side' in value ? [value as DiffPlace] : [];
  return [...own, ...Object.values(value).flatMap(placesIn)];
}

/** The text of a page as one reads it, with a line for each block. */
function textOf(node: PageNode): string {
  if (typeof node === 'string') return node;
  const text = node.children.map(textOf).join('');
  return ['h1', 'h2', 'h3', 'p', 'li', 'pre'].includes(node.tag) ? `${text.trim()}\n` : text;
}

const headings = (page: PageElement, tag: string): readonly string[] =>
  page.children.flatMap((child) => (typeof child === 'string' ? [] : child.tag === tag ? [textOf(child).trim()] : headings(child, tag)));

const page = diffPage(everyChange);

test('every place of a result is behind a line', () => {
  const places = placesIn(everyChange);
  expect(places.length).toBeGreaterThan(14);
  const missing = places.filter(({ file, pointer, side }) => !hasAction(page, { type: 'place', file, pointer, side }));
  expect(missing).toEqual([]);
  for (const { causes, broken } of everyChange.subjects) {
    for (const { file, cause } of causes)
      if (file !== null)
        expect(hasAction(page, { type: 'place', file, pointer: '', side: cause === 'removed' ? 'before' : 'after' })).toBe(true);
    for (const { file, pointer } of broken?.findings ?? [])
      expect(hasAction(page, { type: 'place', file, pointer, side: broken?.side ?? 'before' })).toBe(true);
  }
});

test('the line on top comes first, then each subject, and what was not compared last', () => {
  expect(headings(page, 'h1')).toEqual([
    '6 agents and 1 orchestration change, 1 cannot run on one side, 1 breaks its contract, 1 may do more, 1 takes other routes, maximum cost +0.004 USD a run, 14 of 20 verdicts carried over',
  ]);
  expect(headings(page, 'h2')).toEqual([
    'Agent Broken@v1, in dev and prod',
    'Agent Fresh@v1 (new), in dev and prod',
    'Agent Gone@v1 (removed), in dev and prod',
    'Agent Named@v1 (was agent Called@v1), in dev and prod',
    'Agent Triage@v1, in dev and prod',
    'Agent Triage@v2 (new, compared with agent Triage@v1), in dev',
    'Orchestration intake, in prod',
    'Not compared',
  ]);
});

test('a subject has its parts in the order in which they are read', () => {
  const triage = page.children.find((child) => typeof child !== 'string' && textOf(child).startsWith('Agent Triage@v1,')) as PageElement;
  expect(headings(triage, 'h3')).toEqual([
    'Caused by',
    'What it sends',
    'What it costs',
    'What it takes and answers',
    'What it may do',
    'Verdicts',
  ]);
});

test('what is not known is said in words, not by a sign alone', () => {
  const text = textOf(page);
  for (const { effect, message } of everyChange.subjects.flatMap(({ contract }) => contract))
    expect(text).toContain({ breaking: `Breaking: ${message}`, unknown: `Not known: ${message}`, compatible: message }[effect]);
  for (const { direction, message } of everyChange.subjects.flatMap(({ permissions }) => permissions))
    expect(text).toContain(`${{ widened: 'More', narrowed: 'Less', unknown: 'Not known' }[direction]}: ${message}`);
});

test('removed and added words are marked, for screen readers too', () => {
  expect(toHtml(page)).toContain(
    '<del><span class="visually-hidden"> removed: </span>one word</del><ins><span class="visually-hidden"> added: </span>one sentence',
  );
});

test('nothing that a file says becomes markup, and nothing is reordered', () => {
  const html = toHtml(page);
  expect(html).toContain('&#60;img src=x');
  expect(html).not.toContain('<img');
  expect(textOf(page)).not.toContain('\u202e');
  expect(JSON.stringify(everyChange)).toContain(JSON.stringify(markup).slice(1, -1));
});

test('without a difference it says that nothing that is sent changes', () => {
  expect(textOf(diffPage(noChange))).toMatch(
    /^Nothing that is sent changes\n[\s\S]*14 compared: nothing that is sent changes, by equal hashes/,
  );
  const nothing: BehaviourDiff = { ...noChange, unchanged: 0, rewritten: 0, not_compared: everyChange.not_compared };
  expect(textOf(diffPage(nothing))).toMatch(/^Nothing was compared\n[\s\S]*Not compared\nagent Odd@v1/);
});

test('all of its own words can be translated', () => {
  const language = {
    t: (text: string, ...values: readonly (string | number)[]) => `«${text.replace(/\{(\d)\}/g, (_, at) => String(values[at]))}»`,
    language: 'de',
  };
  const translated = diffPage(everyChange, language);
  for (const tag of ['h1', 'h3']) for (const heading of headings(translated, tag)) expect(heading).toMatch(/^«/);
  expect(textOf(translated)).toContain('0,004');
});
