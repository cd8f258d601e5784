import { describe, expect, test } from 'vitest';
import { isObject } from '../../../core/json.js';
import { startServer } from '../../support/lspClient.js';
import { wireFixtures } from './fixtures/index.js';

describe('every capability of the reply to initialize', () => {
  test('has a fixture over the wire', async () => {
    const { initialized } = await startServer({ files: {} });
    const announced = capabilitiesIn(initialized.capabilities as never);
    const covered = new Set(wireFixtures.flatMap(({ covers }) => covers));
    expect(announced).toContain('textDocumentSync.openClose');
    expect(
      announced.filter((path) => !covered.has(path)),
      'without a fixture in test/server/wire/fixtures',
    ).toEqual([]);
    expect(
      [...covered].filter((path) => !announced.includes(path)),
      'with a fixture, but not announced',
    ).toEqual([]);
  });

  test.each(wireFixtures)('$name: an answer, and the right one after an edit', async ({ files, open, ask, edit, ...fixture }) => {
    const client = await startServer({ files });
    for (const path of open) client.open(path);
    const answer = await ask(client);
    expect(isEmpty(answer), `empty: ${JSON.stringify(answer)}`).toBe(false);
    fixture.expect(answer, client);
    edit(client);
    const after = await ask(client);
    expect(isEmpty(after), `empty after the edit: ${JSON.stringify(after)}`).toBe(false);
    expect(after).not.toEqual(answer);
    fixture.expectAfter(after, client);
    expect(client.logs).toEqual([]);
  });
});

/** What says how something is done rather than that it can be. */
const details = new Set(['positionEncoding', 'textDocumentSync.change', 'semanticTokensProvider.legend']);

/** Paths of all that is announced: every member of the reply that is not false, and below it every `true` and every command. */
function capabilitiesIn(capabilities: Readonly<Record<string, unknown>>, prefix = ''): readonly string[] {
  return Object.entries(capabilities).flatMap(([key, value]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    if (details.has(path) || value === false) return [];
    if (key === 'commands' && Array.isArray(value)) return value.map((command) => `${prefix}.${command}`);
    if (isObject(value)) return [path, ...capabilitiesIn(value, path)];
    return value === true || prefix === '' ? [path] : [];
  });
}

/** Nothing, an empty list, or an object whose lists are all empty. */
function isEmpty(answer: unknown): boolean {
  if (answer === null || answer === undefined) return true;
  if (Array.isArray(answer)) return answer.length === 0;
  if (!isObject(answer)) return false;
  const lists = Object.values(answer).filter((item) => Array.isArray(item));
  return Object.keys(answer).length === 0 || (lists.length > 0 && lists.every((list) => Array.isArray(list) && list.length === 0));
}
