import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorKeyOf, errorTitle, errorTitles } from '../../core/errorTitles.js';
import { findTexts, readBundle } from '../../scripts/l10n.mjs';

test('the panel translates the titles that the command line prints', () => {
  const translated = findTexts().filter(({ place }) => place.startsWith('client/panels/run/translatedErrors.ts'));
  expect(translated.map(({ text }) => text)).toEqual(Object.values(errorTitles));
  const german = readBundle('bundle.l10n.de.json');
  expect(Object.values(errorTitles).filter((title) => !Object.hasOwn(german, title))).toEqual([]);
});

test('docs/errors.md has every title', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
  expect(Object.values(errorTitles).filter((title) => !page.includes(`*${title}*`))).toEqual([]);
});

test('a title has its code behind it, and an unknown code is its own title', () => {
  expect(errorTitle('llm', 'auth')).toBe('The key was refused (llm/auth)');
  expect(errorTitle('timeout', null)).toBe('The time limit was reached (timeout)');
  expect([errorTitle('llm', 'new-reason'), errorTitle('new-code', null)]).toEqual(['llm/new-reason', 'new-code']);
  expect(errorKeyOf('constructor', null)).toBeUndefined();
});
