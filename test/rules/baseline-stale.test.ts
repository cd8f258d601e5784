import { expect, test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('baseline-stale');
const key = '0'.repeat(64);
const rest = `"passes": 1, "repeats": 1, "date": "2026-05-01", "key": "${key}", "test": "${key}"`;
const others = `--- config/payloads/A2/first.json
{ "input": {} }
--- config/payloads/A2/set.json
{ "cases": [{ "name": "one", "input": {} }, { "input": {} }] }
--- config/payloads/A2/torn.json
{ "cases": [{
--- config/payloads/flow/checkout.json
{ "context": {} }
--- config/llms/main.json
{ "llm_id": "main", "model_name": "x" }
--- config/orchestrations/flow.json
{ "name": "flow" }
`;

test('a verdict on a case, version or profile that is gone is marked, and one on what is there is not', () =>
  check(`{ "agent_name": "A2" }
--- config/baselines/A2.json
{ "format": 2, "verdicts": [
{ "case": "first", "version": "v1", "llm": "main", ${rest} },
{ "case": "first/three", "version": "v1", ${rest} },
//        ^^^^^^^^^^^^^ baseline-stale A2 has no case "first/three"
{ "case": "set", "version": "v1", ${rest} },
//        ^^^^^ baseline-stale A2 has no case "set"
{ "case": "set/one", "version": "v1", ${rest} },
{ "case": "set/2", "version": "v1", ${rest} },
{ "case": "set/two", "version": "v1", ${rest} },
//        ^^^^^^^^^ baseline-stale A2 has no case "set/two", so nothing compares with this verdict. Remove it; --save-baseline does so too.
{ "case": "torn/one", "version": "v1", ${rest} },
{ "case": "second/three", "version": "v1", ${rest} },
//        ^^^^^^^^^^^^^^ baseline-stale A2 has no case "second", so nothing compares with this verdict. Remove it; --save-baseline does so too.
{ "case": "first", "version": "v0", ${rest} },
//                            ^^^^ baseline-stale A2 has no version "v0"
{ "case": "first", "version": "v1", "llm": "other", ${rest} }
//                                         ^^^^^^^ baseline-stale There is no llm profile "other"
] }
--- config/baselines/flow.json
{ "format": 2, "verdicts": [{ "case": "checkout", ${rest} }] }
${others}`));

test('a baseline that is named after nothing is marked as a whole', () =>
  check(`{ "agent_name": "A2" }
--- config/baselines/A3.json
{ "format": 2, "verdicts": [{ "case": "first", ${rest} }] }
^ baseline-stale There is no agent or orchestration "A3"
`));

test('what is not a verdict at all is left to the schema', async () => {
  for (const verdicts of ['3', 'null', '[1, null, {}, { "case": 3, "version": [], "llm": {} }]'])
    await expect(
      check(`{ "agent_name": "A2" }\n--- config/baselines/A2.json\n{ "format": 2, "verdicts": ${verdicts} }\n`),
    ).resolves.toBeUndefined();
});
