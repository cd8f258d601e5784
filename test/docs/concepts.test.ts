import { expect, test } from 'vitest';
import { rootKeys } from '../../core/generated/keys.js';
import { blocksOf, textOf } from './pages.js';

const most = 9;

test(`the tutorial takes at most ${most} concepts to the first run of an own agent`, () => {
  const page = textOf('docs/tutorial.md');
  const first = page.indexOf('config/agents/TicketRouter/v1.json\n{');
  const run = page.indexOf('agent-stack run', first);
  expect([first, run].every((place) => place > 0)).toBe(true);
  const before = page.slice(0, page.indexOf('\n## ', run));
  const words = before
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/\]\([^)]*\)/g, ']')
    .toLowerCase();
  const terms = glossary().filter((term) => new RegExp(`\\b${term.toLowerCase()}s?\\b`).test(words));
  const agent = blocksOf('docs/tutorial.md').find(({ file }) => file === 'config/agents/TicketRouter/v1.json');
  const fields = Object.keys(JSON.parse(agent!.text)).filter((field) => rootKeys.agent?.includes(field));
  expect([...terms, ...fields].slice(0, most)).toEqual([...terms, ...fields]);
  expect(fields.length).toBeGreaterThan(0);
});

function glossary(): readonly string[] {
  const terms = [...textOf('docs/glossary.md').matchAll(/^\| ([^|]+) \|/gm)].map(([, term = '']) => term);
  return terms.filter((term) => !/^(?:term|-+)$/.test(term));
}
