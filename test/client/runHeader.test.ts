import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFacts } from '../../client/panels/run/transcript.js';
import { type drawPage, openPage, type Page } from '../support/pageDom.js';

let page: Page;
let createHeader: (act: () => void) => { readonly root: Parameters<typeof drawPage>[0]; show(facts: object): void };

beforeAll(async () => {
  page = await openPage(async () => {
    // The pages' types need a browser's.
    ({ createHeader } = await import(/* @vite-ignore */ new URL('../../client/panels/run/page/header.ts', import.meta.url).href));
  });
});
afterAll(() => page.close());

test('a run of an agent with tools says what it may do, and one without says nothing', () => {
  const facts = newFacts({ agent: 'Triage', version: 'v1', project: 'p', root: '/p', status: 'running' });
  const header = createHeader(() => undefined);
  const text = () =>
    header.root
      .querySelectorAll('.facts')
      .map((list) => list.textContent)
      .join('');
  header.show(facts);
  expect(text()).toContain('Projectp');
  expect(text()).not.toContain('May');
  header.show({ ...facts, permits: 'read issues, send with mail after approval' });
  expect(text()).toContain('Mayread issues, send with mail after approval');
});
