import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFacts } from '../../client/panels/run/transcript.js';
import { type drawPage, openPage, type Page } from '../support/pageDom.js';

let page: Page;
// The pages' types need a browser's.
const load = (path: string) => import(/* @vite-ignore */ new URL(`../../client/panels/${path}.ts`, import.meta.url).href);
let createTurn: (
  turn: object,
  number: number,
  actions: object,
) => { readonly root: Parameters<typeof drawPage>[0]; add(turn: object): void };
let createTextLinks: (post: (message: object) => void) => object;

beforeAll(async () => {
  page = await openPage(async () => {
    ({ createTurn } = await load('chat/page/turn'));
    ({ createTextLinks } = await load('page/textLinks'));
  });
});
afterAll(() => page.close());

const facts = newFacts({ agent: 'Guide', version: 'v1', project: 'sample', root: '/sample', status: 'running' });
const text = (words: string) => ({ type: 'text', place: '', text: words });
const retry = { type: 'retry', place: '', attempt: 1, wait_ms: 5, reason: 'server' };
const call = { type: 'tool_call', place: '', id: '1', name: 'find', origin: '', input: { part: 1, excerpt: '', text: '', units: 0 } };

/** The texts of the model in a turn. */
async function textsIn(events: readonly object[]): Promise<readonly string[]> {
  const turn = createTurn({ id: 1, facts, events: [] }, 1, { links: createTextLinks(() => undefined) });
  turn.add({ id: 1, facts, events });
  await Promise.resolve();
  return turn.root.querySelectorAll('.prose').map((region) => region.textContent);
}

test('another try begins the text anew, without the half of the first', async () => {
  expect(await textsIn([text('You asked f'), text('or'), retry, text('You asked for six.')])).toEqual(['You asked for six.']);
});

test('what is said before a tool is called stays', async () => {
  expect(await textsIn([text('I count.'), call, text('It is 42.')])).toEqual(['I count.', 'It is 42.']);
});
