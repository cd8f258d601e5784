import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { daysBetween, isDay } from '../../core/day.js';
import { createModelTable, providersWithKnownModels } from '../../core/llm/modelTable.js';

const mostDays = 90;
const day = dayOfCheckout();

// An old release stays as good as it was, and a commit on top of stale facts fails. Without git there is no day to judge as of.
test.skipIf(day === undefined)(
  `no model is said to end on a day whose source was read more than ${mostDays} days before this commit`,
  () => {
    const table = createModelTable();
    for (const provider of providersWithKnownModels) {
      for (const name of table.names(provider)) {
        const { ends, read = '', ends_source } = table.find(name, provider) ?? {};
        if (ends === undefined) continue;
        expect(isDay(ends) && isDay(read), `${name} has two days`).toBe(true);
        // A provider may move a day that lies ahead. What had ended when it was read stays as it is.
        const isStale = ends > read && daysBetween(read, day ?? read) > mostDays;
        expect.soft(isStale, `${name}: read ${ends_source} again (last on ${read}), correct core/llm/modelFacts/ends.json`).toBe(false);
      }
    }
  },
);

function dayOfCheckout(): string | undefined {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%cs'], { encoding: 'utf8' });
  return isDay(stdout?.trim() ?? '') ? stdout.trim() : undefined;
}
