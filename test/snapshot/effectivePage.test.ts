import { describe, expect, test } from 'vitest';
import type { PlacedFinding } from '../../core/finding.js';
import { effectivePage } from '../../core/snapshot/effectivePage.js';

const error: PlacedFinding = {
  code: 'schema',
  severity: 'error',
  message: 'temperature\nmust be <= 2',
  file: 'config/agents/A/v1.json',
  pointer: '/temperature',
  range: { start: 0, end: 1 },
  line: 3,
  column: 5,
  end_line: 3,
  end_column: 6,
};
const content = { value: { kind: 'agent', name: 'A' }, origins: new Map() };
const textOf = (...args: Parameters<typeof effectivePage>) => effectivePage(...args).map(({ text }) => text);

describe('the page of an effective config', () => {
  test('has a head of comments, and the config below it', () => {
    expect(textOf({ name: 'A@v1', environment: 'dev', hash: 'abc', notes: ['At most 1 call.'], errors: [], content })).toEqual([
      '// Effective configuration of A@v1, environment dev',
      '// SHA-256 abc',
      '// At most 1 call.',
      '{',
      '  "kind": "agent",',
      '  "name": "A"',
      '}',
    ]);
  });

  test('tells of errors on top, each on one line', () => {
    const lines = effectivePage({ name: 'A@v1', environment: 'dev', hash: undefined, notes: [], errors: [error, error], content });
    expect(lines.slice(1, 5).map(({ text }) => text)).toEqual([
      '// Not frozen: no hash',
      '// 2 errors: they stop a run',
      '//   config/agents/A/v1.json:3:5 schema: temperature must be <= 2',
      '//   config/agents/A/v1.json:3:5 schema: temperature must be <= 2',
    ]);
    expect(lines[3]?.error).toBe(error);
    expect(textOf({ name: 'A', environment: 'dev', hash: undefined, notes: [], errors: new Array(70).fill(error), content })).toContain(
      '//   and 20 more',
    );
  });

  test('keeps names of files with line breaks within its comments', () => {
    const odd = { ...error, file: 'config/agents/A\n"x/v1.json' };
    const lines = textOf({ name: 'A\n{', environment: 'dev', hash: undefined, notes: [], errors: [odd], content: undefined });
    expect(lines.slice(0, -1).filter((line) => !line.startsWith('//') || line.includes('\n'))).toEqual([]);
  });

  test('is never blank', () => {
    expect(
      textOf({
        name: 'A@v1',
        environment: 'dev',
        hash: undefined,
        notes: [],
        errors: [error],
        stale: 'It is not JSON.',
        content: undefined,
      }),
    ).toEqual([
      '// Effective configuration of A@v1, environment dev',
      '// Not frozen: no hash',
      '// 1 error: it stops a run',
      '//   config/agents/A/v1.json:3:5 schema: temperature must be <= 2',
      '// Nothing is known yet: It is not JSON.',
      '{}',
    ]);
    expect(
      textOf({ name: 'A@v1', environment: 'dev', hash: undefined, notes: [], errors: [], stale: 'It is not JSON.', content }),
    ).toContain('// Last good state: It is not JSON.');
  });
});
