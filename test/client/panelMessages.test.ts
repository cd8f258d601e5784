import { expect, test } from 'vitest';
import { dispatch, isBoolean, isCount, isMessage, isOneOf, isString, type MessageOf } from '../../client/panels/messages.js';

const declared = { close: {}, open: { path: isString, line: isCount }, show: { as: isOneOf('list', 'table'), isFolded: isBoolean } };

test.each([
  { type: 'close' },
  { type: 'open', path: '', line: 0 },
  { type: 'show', as: 'table', isFolded: false },
  { type: 'close', more: 'is ignored' },
])('a page may send what its panel declares: %j', (message) => {
  expect(isMessage(declared, message)).toBe(true);
});

test.each([
  null,
  'close',
  ['close'],
  {},
  { type: 'ready' },
  { type: 'toString' },
  { type: '__proto__' },
  { type: 'open', path: 'a' },
  { type: 'open', path: 'a', line: -1 },
  { type: 'open', path: 'a', line: 1.5 },
  { type: 'open', path: { length: 1 }, line: 1 },
  { type: 'show', as: 'tree', isFolded: false },
  { type: 'show', as: 'list', isFolded: 'yes' },
])('anything else is no message: %j', (message) => {
  expect(isMessage(declared, message)).toBe(false);
});

test('each message goes to the function of its type, and one of another type to none', async () => {
  const on = {
    close: () => 'closed',
    open: ({ path, line }: { path: string; line: number }) => `${path}:${line}`,
    show: () => 'shown',
  };
  const results = [{ type: 'open', path: 'a.json', line: 3 }, { type: 'close' }, { type: 'constructor' }, undefined].map((message) =>
    dispatch<MessageOf<typeof declared>>(on, message),
  );
  expect(results).toEqual(['a.json:3', 'closed', undefined, undefined]);
});
