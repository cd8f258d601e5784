import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exitCodeOf } from '../../cli/followRun.js';
import type { RunResult } from '../../core/index.js';
import * as core from '../../core/index.js';
import { root, textOf } from './pages.js';

// docs/errors.md lists exactly the codes there are.

const page = textOf('docs/errors.md');
const { properties, then } = JSON.parse(readFileSync(join(root, 'schemas/result.schema.json'), 'utf8')).definitions.run_error;

describe('the list of errors has', () => {
  const rows = rowsOf('Codes of runs');

  test('every code that a result can have', () => {
    expect(rows.map(([code]) => code).toSorted()).toEqual(properties.code.enum.toSorted());
  });

  test('the exit code of a run that ends with it', () => {
    for (const [code, , exit] of rows) expect(`${code} ${exit}`).toBe(`${code} ${exitCodeOf(endedBy(code!))}`);
  });

  test('every class of errors that the library exports', () => {
    const exported = Object.keys(core).filter((name) => name.endsWith('Error') && name !== 'AgentStackError');
    expect(exported.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
    const named = [...page.matchAll(/`(\w+Error)`/g)].map(([, name]) => name!);
    expect(named.filter((name) => !(name in core) && !['Error', 'TypeError'].includes(name))).toEqual([]);
  });

  test('every reason of a failed model call', () => {
    const reasons = readFileSync(join(root, 'core/llmError.ts'), 'utf8').match(/type LlmFailureReason =([^;]*);/)?.[1] ?? '';
    const names = [...reasons.matchAll(/'([\w-]+)'/g)].map(([, reason]) => reason);
    expect(rowsOf('Reasons of llm').map(([reason]) => reason)).toEqual(names);
    expect(then.properties.details.properties.reason.enum).toEqual(names);
  });

  test('every code of a command that fails otherwise', () => {
    const codes = new Set(rowsOf('Codes of commands').map(([code]) => code));
    const sources = ['cli/cli.ts', 'core/node/git.ts'].map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
    const types = [...sources.matchAll(/(?:GitBaseReason =|readonly code:) ([^;]*);/g)].flatMap(
      ([, union]) => union!.match(/'[\w-]+'/g) ?? [],
    );
    const used = types.map((name) => name.slice(1, -1)).filter((code) => !properties.code.enum.includes(code));
    expect(used.length).toBeGreaterThanOrEqual(5);
    expect([...codes].toSorted()).toEqual([...new Set([...used, 'storage', 'internal'])].toSorted());
  });
});

test('the pages of readers lead to the list', () => {
  const linking = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && textOf(`docs/${name}`).includes('(errors.md'));
  expect(linking).toEqual(expect.arrayContaining(['cli.md', 'library.md', 'observability.md']));
});

/** The first cells of the table below a heading, without their backticks. */
function rowsOf(heading: string): (string | undefined)[][] {
  const [, below = ''] = page.split(new RegExp(`^##+ ${heading}$`, 'm'));
  const table = below.split(/^##/m)[0]!;
  return [...table.matchAll(/^\| `([\w-]+)` \|(.*)\|$/gm)].map(([, code, rest]) => [code, ...rest!.split('|').map((cell) => cell.trim())]);
}

function endedBy(code: string): RunResult {
  const status = code === 'cancelled' ? 'cancelled' : 'failed';
  return { status, error: { code, message: '', recoverable: false }, metadata: { iterations: 0, tools_used: [] } } as unknown as RunResult;
}
