import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('baseline-invalid');
const key = '0'.repeat(64);

test('the older of two verdicts on one thing is marked, and so are more passes than repeats', () =>
  check(`{}
--- config/baselines/A2.json
{ "format": 2, "verdicts": [
{ "case": "first", "version": "v1", "passes": 1, "repeats": 1, "date": "2026-05-04", "key": "${key}", "test": "${key}" },
{ "case": "first", "version": "v1", "passes": 0, "repeats": 1, "date": "2026-05-01", "key": "${key}", "test": "${key}" },
//        ^^^^^^^ baseline-invalid There are two verdicts on the case "first" of v1, and this is the older one. Remove it.
{ "case": "first", "version": "v2", "passes": 1, "repeats": 1, "date": "2026-05-04", "key": "${key}", "test": "${key}" },
{ "case": "first", "version": "v1", "llm": "main", "passes": 1, "repeats": 1, "date": "2026-05-04", "key": "${key}", "test": "${key}" },
{ "case": "second", "version": "v1", "passes": 0, "repeats": 1, "date": "2026-05-01", "key": "${key}", "test": "${key}" },
//        ^^^^^^^^ baseline-invalid
{ "case": "second", "version": "v1", "passes": 1, "repeats": 1, "date": "2026-05-04", "key": "${key}", "test": "${key}" },
{ "case": "third", "passes": 6, "repeats": 5, "date": "2026-05-01", "key": "${key}", "test": "${key}" }
//                           ^ baseline-invalid 6 of 5 repeats cannot have passed.
] }
`));

test('a baseline of another format, or with a field that is not a verdict, is the concern of the schema', async () => {
  const texts = ['{ "format": 1, "verdicts": [] }', '{ "verdicts": [{ "case": "a", "key": "b" }] }', '[]', '{"format":2,"verdicts":[]'];
  for (const text of texts) {
    const findings = await findingsOf(`{}\n--- config/baselines/A2.json\n${text}\n`);
    const own = findings.filter(({ file }) => file === 'config/baselines/A2.json');
    expect(own.length, text).toBeGreaterThan(0);
    expect(own.map(({ code }) => code)).not.toContain('baseline-invalid');
  }
});

test('a hash is no secret', async () => {
  const verdict = `{ "case": "first", "passes": 1, "repeats": 1, "date": "2026-05-04", "key": "0f5c1b2c9a1de3b6f44a4b1b34c7a2c6d5f2a7b8c9d0e1f2a3b4c5d6e7f80912", "test": "7a1d40c95e2b8f6634d0a9c1e7b25f88d3c6411f0e9a72b5c8d64f3a1b0e9d27" }`;
  const findings = await findingsOf(`{ "agent_name": "A2" }\n--- config/baselines/A2.json\n{ "format": 2, "verdicts": [${verdict}] }\n`);
  expect(findings.filter(({ code }) => code === 'secret-in-plain-text')).toEqual([]);
});
