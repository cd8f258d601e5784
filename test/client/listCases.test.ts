import { expect, test, vi } from 'vitest';

vi.mock('vscode', () => {
  const Position = class {
    readonly line: number;
    readonly character: number;
    constructor(line: number, character: number) {
      [this.line, this.character] = [line, character];
    }
  };
  const Range = class {
    readonly start: unknown;
    readonly end: unknown;
    constructor(start: unknown, end: unknown) {
      [this.start, this.end] = [start, end];
    }
  };
  return { Position, Range };
});

const { listCases } = await import('../../client/views/tests/listCases.js');

const turns = `"turns": [
  { "input": {} },
  { "input": {}, "expect": [{ "text": true }, { "status": "success" }] }
]`;

/** The text of the only case of a file at a place. */
async function placesIn(text: string, ...pointers: readonly string[]): Promise<readonly (string | undefined)[]> {
  const listed = await listCases('file', text, async () => undefined);
  const lines = text.split('\n');
  return pointers.map((pointer) => {
    const range = listed?.cases[0]?.rangeOf(pointer);
    return range && lines[range.start.line]?.slice(range.start.character, range.end.character);
  });
}

test('an expectation of a turn is found at its place, and so is the turn', async () => {
  const second = '{ "input": {}, "expect": [{ "text": true }, { "status": "success" }] }';
  expect(await placesIn(`{ ${turns} }`, '/turns/1/expect/1', '/turns/1')).toEqual(['{ "status": "success" }', second]);
  const set = `{ "expect": [{ "measure": "steps", "operator": "exists" }],\n"cases": [{ "name": "one", "input": {} }, { ${turns} }] }`;
  const listed = await listCases('file', set, async () => undefined);
  const range = listed?.cases[1]?.rangeOf('/cases/1/turns/1/expect/0');
  expect(set.split('\n')[range?.start.line ?? 0]?.slice(range?.start.character, range?.end.character)).toBe('{ "text": true }');
  expect(await placesIn(set, '/expect/0')).toEqual(['{ "measure": "steps", "operator": "exists" }']);
});

test('a conversation that expects nothing is no test', async () => {
  const listed = await listCases('file', '{ "turns": [{ "input": {} }, { "input": { "expect": [1] } }] }', async () => undefined);
  expect(listed?.cases).toEqual([]);
});
