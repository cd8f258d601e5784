import { expect, test } from 'vitest';
import { flow, judges, tone } from '../../support/evalFixture.js';
import { actionsFor, filesAfter, openProject } from './support.js';

const parts = [tone, judges, flow].join('\n').split(/^--- (.+)\n/m);
const files = Object.fromEntries(parts.flatMap((path, index) => (index % 2 === 1 ? [[path, parts[index + 1] ?? '']] : [])));
const one = (entries: string) => `{ "input": {}, "expect": [${entries}] }`;

/** The text after a fix of the first finding of a code. */
async function fixed(owner: string, code: string, title: string, text: string): Promise<string | undefined> {
  const path = `config/payloads/${owner}/one.json`;
  const server = await openProject({ ...files, [path]: text });
  const actions = await actionsFor(server, path, code);
  const action = actions.find((candidate) => candidate.title === title);
  if (action === undefined) throw new Error(`No "${title}" among: ${actions.map((candidate) => candidate.title).join('; ')}`);
  return (await filesAfter(server, action))[path];
}

const impossible = 'expectation-impossible';
const unknown = 'expectation-unknown';

test.each([
  [
    unknown,
    'Tone',
    'Change to "tone"',
    one('{ "output_field": "tones", "operator": "exists" }'),
    one('{ "output_field": "tone", "operator": "exists" }'),
  ],
  [
    unknown,
    'Tone',
    'Change to "Fair@v1"',
    one('{ "judge": "Fiar@v1", "output_field": "why", "operator": "exists" }'),
    one('{ "judge": "Fair@v1", "output_field": "why", "operator": "exists" }'),
  ],
  [
    unknown,
    'Mute',
    'Compare the text of the answer ("text": true)',
    one('{ "output_field": "answer", "operator": "contains", "value": "a" }'),
    one('{ "text": true, "operator": "contains", "value": "a" }'),
  ],
  [
    unknown,
    'Tone',
    'Remove the expectation',
    one('{ "status": "success" }, { "route": true, "operator": "exists" }'),
    one('{ "status": "success" }'),
  ],
  [
    unknown,
    'Tone',
    'Remove the expectation',
    '{ "turns": [{ "input": {}, "expect": [{ "status": "success" }, { "route": true, "operator": "exists" }] }] }',
    '{ "turns": [{ "input": {}, "expect": [{ "status": "success" }] }] }',
  ],
  [
    unknown,
    'Tone',
    'Rename to "note"',
    '{ "turns": [{ "input": {}, "expected": { "notes": "x" } }] }',
    '{ "turns": [{ "input": {}, "expected": { "note": "x" } }] }',
  ],
  [unknown, 'Tone', 'Rename to "note"', '{ "input": {}, "expected": { "notes": "x" } }', '{ "input": {}, "expected": { "note": "x" } }'],
  [
    unknown,
    'Tone',
    'Remove "language"',
    '{ "cases": [{ "input": {}, "expected": { "language": "x", "score": 1 } }] }',
    '{ "cases": [{ "input": {}, "expected": { "score": 1 } }] }',
  ],
  [
    impossible,
    'Tone',
    'Change to "formal"',
    '{ "input": {}, "expected": { "tone": "formall" } }',
    '{ "input": {}, "expected": { "tone": "formal" } }',
  ],
  [
    impossible,
    'Tone',
    'Change to "b"',
    '{ "input": {}, "expected": { "tags": ["a", "c"] } }',
    '{ "input": {}, "expected": { "tags": ["a", "b"] } }',
  ],
  [
    impossible,
    'Tone',
    'Change to "direct"',
    one('{ "output_field": "tone", "operator": "in", "value": ["formal", "dirct"] }'),
    one('{ "output_field": "tone", "operator": "in", "value": ["formal", "direct"] }'),
  ],
  [
    impossible,
    'Tone',
    'Change to 3',
    one('{ "output_field": "score", "operator": "less_than", "value": "3" }'),
    one('{ "output_field": "score", "operator": "less_than", "value": 3 }'),
  ],
  [
    impossible,
    'Tone',
    'Change to "not_equals"',
    one('{ "output_field": "tone", "operator": "greater_than", "value": 3 }'),
    one('{ "output_field": "tone", "operator": "not_equals", "value": 3 }'),
  ],
  [
    impossible,
    'Tone',
    'Remove the expectation',
    one('{ "status": "failure" }, { "output_field": "tone", "operator": "exists" }'),
    one('{ "status": "failure" }'),
  ],
  [
    'case-duplicate',
    'Tone',
    'Add "name": "case_2"',
    '{ "cases": [{ "name": "2", "input": {} }, { "input": { "a": 1 } }] }',
    '{ "cases": [{ "name": "2", "input": {} }, { "input": { "a": 1 }, "name": "case_2" }] }',
  ],
  ['input-invalid', 'Tone', 'Rename to "input"', '{ "context": {} }', '{ "input": {} }'],
  ['input-invalid', 'flow', 'Rename to "context"', '{ "cases": [{ "input": {} }] }', '{ "cases": [{ "context": {} }] }'],
])('%s of %s: %s', async (code, owner, title, before, after) => {
  expect(await fixed(owner, code, title, before)).toBe(after);
});
