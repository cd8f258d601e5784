import { expect, test } from 'vitest';
import { checkProject } from '../../core/check/checkProject.js';
import { loadProjectIndex } from '../../core/config/loadProjectIndex.js';
import { findingsOf } from '../support/checkRule.js';
import { caseOf, flow, judges, tone } from '../support/evalFixture.js';
import { memoryFiles } from '../support/memoryFiles.js';

const nested = (depth: number, before: string, after: string) =>
  `${before.repeat(depth)}{ "output_field": "tone", "operator": "equals", "value": "rude" }${after.repeat(depth)}`;

/** What rules must survive in a payload; each still gets its findings of form. */
const hostile: readonly (readonly [string, string])[] = [
  ['expect as an object', '{ "input": {}, "expect": { "output_field": "tone" } }'],
  ['expect as a text', '{ "input": {}, "expect": "tone" }'],
  [
    'entries of every type',
    '{ "input": {}, "expect": [null, 1, "a", true, [], {}, [null], { "any": null }, { "any": [null] }, { "not": null }] }',
  ],
  ['cases as an object', '{ "cases": { "a": { "input": {} } } }'],
  ['cases of every type', '{ "cases": [null, 1, "a", [], {}, { "name": 3, "input": [] }, { "expect": {} }] }'],
  [
    'subjects of every type',
    '{ "input": {}, "expect": [{ "judge": 1, "output_field": [] }, { "tool": {} }, { "task": [] }, { "route": "a", "value": 1 }, { "measure": null }] }',
  ],
  [
    'names of an object',
    '{ "input": {}, "expect": [{ "output_field": "__proto__.constructor", "operator": "exists" }, { "tool": "__proto__", "operator": "equals", "value": 1 }, { "judge": "constructor", "output_field": "toString", "operator": "exists" }] }',
  ],
  ['a path of a thousand parts', `{ "input": {}, "expect": [{ "output_field": "${'a.'.repeat(1_000)}b", "operator": "exists" }] }`],
  [
    'a route of a thousand teams',
    `{ "input": {}, "expect": [{ "route": true, "operator": "equals", "value": [${'"write", '.repeat(1_000)}"write"] }] }`,
  ],
  ['any within any, a thousand deep', `{ "input": {}, "expect": [${nested(1_000, '{ "any": [', '] }')}] }`],
  ['not within not, ten thousand deep', `{ "input": {}, "expect": [${nested(10_000, '{ "not": ', ' }')}] }`],
  ['lists within lists', `{ "input": {}, "expect": [${nested(10_000, '[', ']')}] }`],
];

test.each(hostile)('a payload with %s is checked, for an agent and an orchestration', async (_title, text) => {
  for (const owner of ['Tone', 'flow']) {
    const files = [tone, judges, flow, `--- config/payloads/${owner}/one.json\n${text}`].join('\n');
    const findings = await findingsOf(files);
    expect(findings.some(({ file }) => file.startsWith('config/payloads'))).toBe(true);
  }
});

test('a schema that contains itself is followed as far as the path goes', async () => {
  const agent = `--- config/agents/Tree/v1.json
{
  "agent_name": "Tree", "version": "v1",
  "output_schema": {
    "type": "object", "required": ["root"], "properties": { "root": { "$ref": "#/$defs/node" }, "loop": { "$ref": "#/$defs/loop" } },
    "$defs": {
      "node": { "type": "object", "required": ["kind"], "properties": { "kind": { "enum": ["leaf", "branch"] }, "next": { "$ref": "#/$defs/node" } } },
      "loop": { "$ref": "#/$defs/loop" }
    }
  }
}`;
  const entries = [
    '{ "output_field": "root.next.next.kind", "operator": "equals", "value": "twig" }',
    '{ "output_field": "root.next.next.sort", "operator": "exists" }',
    '{ "output_field": "loop.any", "operator": "exists" }',
  ];
  const findings = await findingsOf([agent, caseOf('Tree', entries.join())].join('\n'), ['expectation-unknown', 'expectation-impossible']);
  expect(findings.map(({ code, pointer }) => `${code} ${pointer}`).toSorted()).toEqual([
    'expectation-impossible /expect/0/value',
    'expectation-unknown /expect/1/output_field',
  ]);
});

/** Files of a project with a data set of so many cases. */
function dataSet(count: number): ReadonlyMap<string, string> {
  const parts = [tone, judges].join('\n').split(/^--- (.+)\n/m);
  const files = parts.flatMap((path, index): [string, string][] => (index % 2 === 1 ? [[path, parts[index + 1] ?? '']] : []));
  const cases = Array.from({ length: count }, (_, index) => ({
    name: `case ${index}`,
    input: { index },
    expect: [
      { output_field: 'tone', operator: 'equals', value: index % 2 === 0 ? 'formal' : 'direct' },
      { output_field: 'note', operator: 'contains', value: `word ${index}` },
      { judge: 'Fair@v1', output_field: 'verdict', operator: 'equals', value: index === count - 1 ? 'fine' : 'good' },
    ],
  }));
  return new Map([...files, ['config/payloads/Tone/set.json', JSON.stringify({ cases })]]);
}

test('ten thousand cases are checked in time that grows with their number', async () => {
  const timeOf = async (count: number) => {
    const files = memoryFiles(dataSet(count));
    const index = await loadProjectIndex(files);
    const start = performance.now();
    const { findings } = await checkProject({ files, index, variables: { get: () => undefined } });
    const time = performance.now() - start;
    expect(
      findings.filter(({ code }) => code.startsWith('expectation-') || code === 'case-duplicate').map(({ pointer }) => pointer),
    ).toEqual([`/cases/${count - 1}/expect/2/value`]);
    return time;
  };
  await timeOf(100);
  const small = await timeOf(2_500);
  const large = await timeOf(10_000);
  // Four times as many; quadratic would be sixteen.
  expect(large).toBeLessThan(10 * Math.max(small, 100));
}, 120_000);
