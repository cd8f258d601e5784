import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { daysBetween, isDay } from '../../core/day.js';
import { sources } from '../../core/llm/modelFacts/table.js';
import { createModelTable, providersWithKnownModels } from '../../core/llm/modelTable.js';
import { knownServers } from '../../core/permits/catalogue/index.js';

const mostDays = 90;
const day = dayOfCheckout();

// An old release stays as good as it was, and a commit on top of stale facts fails. Without git there is no day to judge as of.
test.skipIf(day === undefined)(`no fact was read more than ${mostDays} days before this commit`, () => {
  expect(staleFacts(day ?? '')).toEqual([]);
});

test(`each fact is stale ${mostDays + 1} days after it was read, and not before`, () => {
  const facts = factsRead();
  expect(facts.length).toBeGreaterThan(10);
  for (const { what, read } of facts) {
    const isStale = (days: number) => staleFacts(dayAfter(read, days)).some((words) => words.startsWith(`${what}:`));
    expect([isStale(mostDays), isStale(mostDays + 1)], what).toEqual([false, true]);
  }
});

/** What is to be read again, and where it is written. */
function staleFacts(asOf: string): readonly string[] {
  return factsRead().flatMap(({ what, source, read, file }) =>
    daysBetween(read, asOf) > mostDays ? [`${what}: read ${source} again (last on ${read}), correct core/llm/modelFacts/${file}`] : [],
  );
}

interface ReadFact {
  readonly what: string;
  readonly source: string;
  readonly read: string;
  readonly file: string;
}

/** A provider may move a day that lies ahead; what had ended when it was read stays as it is. Packages are as old as their newest version. */
function factsRead(): readonly ReadFact[] {
  const table = createModelTable();
  const [, read = ''] = /, (\S+)$/.exec(sources.s ?? '') ?? [];
  expect(isDay(read)).toBe(true);
  const supplement = { what: 'supplement.json', source: 'each source in it', read, file: 'supplement.json' };
  const ends = [...providersWithKnownModels].flatMap((provider) =>
    table.names(provider).flatMap((name): readonly ReadFact[] => {
      const { ends, read = '', ends_source = '' } = table.find(name, provider) ?? {};
      if (ends === undefined) return [];
      expect(isDay(ends) && isDay(read), `${name} has two days`).toBe(true);
      return ends > read ? [{ what: name, source: ends_source, read, file: 'ends.json' }] : [];
    }),
  );
  return [supplement, ...ends];
}

function dayAfter(from: string, days: number): string {
  return new Date(Date.parse(`${from}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

test.skipIf(day === undefined)(`the tools of no known server were read more than ${mostDays} days before this commit`, () => {
  for (const { title, source, read } of knownServers) {
    const isStale = daysBetween(read, day ?? read) > mostDays;
    expect.soft(isStale, `${title}: read ${source} again (last on ${read}), correct core/permits/catalogue`).toBe(false);
  }
});

function dayOfCheckout(): string | undefined {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%cs'], { encoding: 'utf8' });
  return isDay(stdout?.trim() ?? '') ? stdout.trim() : undefined;
}
