import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawPage, openPage, type Page } from '../support/pageDom.js';

let page: Page;
// The pages' types need a browser's.
const load = (name: string) => import(/* @vite-ignore */ new URL(`../../client/panels/page/${name}.ts`, import.meta.url).href);
let richText: (options: object) => Parameters<typeof drawPage>[0];
let createTextLinks: (post: (message: object) => void) => { receive(names: readonly string[], files: readonly string[]): void };
let element: (name: string, attributes: object, text: string) => object;

beforeAll(async () => {
  page = await openPage(async () => {
    ({ richText } = await load('richText'));
    ({ createTextLinks } = await load('textLinks'));
    ({ element } = await load('page'));
  });
});
afterAll(() => page.close());

/** What the page asks, and what it shows once it knows which of the names are files. */
function shown(text: string, files: readonly string[]) {
  const asked: object[] = [];
  const links = createTextLinks((message) => asked.push(message));
  const root = richText({ text, raw: () => element('span', {}, text), links });
  links.receive(
    asked.flatMap((message) => ('names' in message ? (message.names as string[]) : [])),
    files,
  );
  const drawn = drawPage(root).map((line) => line.trim());
  return { asked, links: drawn.filter((line) => /^<button .*"link( file)?"/.test(line)).map((line) => line.replace(/^.*?> /, '')) };
}

test('a name becomes a link where it is a file, and no name becomes an address', () => {
  const { asked, links } = shown('See README.md:3, none.md and www.example.md/a.', ['README.md']);
  expect(asked).toEqual([{ type: 'findFiles', names: ['README.md', 'none.md', 'www.example.md/a'] }]);
  expect(links).toEqual(['"README.md:3"']);
});

test('in Markdown, also the target of a link, and code', () => {
  expect(shown('**src/a.ts** and `src/b.ts` and [here](src/c.ts)', ['src/a.ts', 'src/b.ts', 'src/c.ts']).links).toEqual([
    '"src/a.ts"',
    '"src/b.ts"',
    '"src/c.ts"',
  ]);
});

test('an address stays one, whatever files there are', () => {
  const { asked, links } = shown('https://example.com/README.md and <b>README.md</b>', ['README.md', 'example.com/README.md']);
  expect(asked).toEqual([{ type: 'findFiles', names: ['README.md', '/b'] }]);
  expect(links).toEqual(['"https://example.com/README.md"', '"README.md"']);
});
