import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('pattern-unsupported', 'output-schema-invalid');

test('lookaround and backreferences are marked, wherever a pattern may stand', () =>
  check(`{
  "output_schema": {
    "type": "object",
    "properties": {
      "a": { "type": "string", "pattern": "^(?=.*[0-9]).{8,}$" },
//                                        ^^^^^^^^^^^^^^^^^^^^ pattern-unsupported ahead
      "b": { "items": { "pattern": "(a)\\\\1" } },
//                                 ^^^^^^^^ pattern-unsupported refers back
      "c": { "pattern": "^[A-Z]{3}-\\\\d+$" },
      "d": { "pattern": "^(?:ab|cd)+$" }
    },
    "patternProperties": { "^(?!x)": {} }
//                         ^^^^^^^^ pattern-unsupported
  },
  "input_schema": { "propertyNames": { "pattern": "(?<=a)b" } }
//                                                ^^^^^^^^^ pattern-unsupported
}`));

test('what is not a regular expression at all is marked too', () =>
  check(`{
  "output_schema": { "type": "object", "properties": { "a": { "pattern": "[a-" }, "b": { "pattern": "a{2000}" } } }
//                                                                       ^^^^^ pattern-unsupported not a regular expression
//                                                                                                  ^^^^^^^^^ pattern-unsupported 1000
}`));

test('conditions with matches are held to the same', () =>
  check(`{
  "agent_type": "orchestrating",
  "execution_plan": {
    "steps": [
      { "name": "a", "llm": "x", "when": { "any": [{ "step": "b", "output_field": "c", "operator": "matches", "value": "(?!a)" }] } },
//                                                                                                                     ^^^^^^^ pattern-unsupported
      { "name": "b", "llm": "x", "when": { "step": "b", "output_field": "c", "operator": "equals", "value": "(?!a)" } }
    ]
  }
}`));

test('expectations with matches are held to the same, of a data set too', () =>
  check(`--- config/agents/Tone/v1.json
{ "agent_name": "Tone", "version": "v1" }
--- config/payloads/Tone/set.json
{
  "expect": [{ "not": { "text": true, "operator": "matches", "value": "(?i)PASSWORD" } }],
//                                                                    ^^^^^^^^^^^^^^ pattern-unsupported
  "cases": [
    { "input": {}, "expect": [{ "text": true, "operator": "matches", "value": "(password" }] },
//                                                                            ^^^^^^^^^^^ pattern-unsupported
    { "input": {}, "expect": [{ "text": true, "operator": "matches", "value": "PASSWORD", "ignore_case": true }] }
  ]
}`));

test('a pattern that takes backtracking engines forever is fine here', () =>
  check(`{ "output_schema": { "type": "object", "properties": { "a": { "pattern": "^(a+)+$" } } } }`));

test('a text that only looks like a pattern is data', () =>
  check(`{ "output_schema": { "type": "object", "properties": { "pattern": { "const": { "pattern": "(?=" } } } } }`));

test('the fix knows the pattern', async () => {
  const [finding] = await findingsOf('{ "output_schema": { "type": "object", "properties": { "a": { "pattern": "(?=a)" } } } }', [
    'pattern-unsupported',
  ]);
  expect(finding?.data).toMatchObject({ pattern: '(?=a)', reason: expect.stringMatching(/ahead/) });
});

test('so are the arguments of a tool in a case', async () => {
  const condition = '{ "output_field": "path", "operator": "matches", "value": "(?i)a" }';
  const findings = await findingsOf(`--- config/payloads/A/one.json
{ "input": {}, "expect": [{ "not": { "tool": "read_file", "arguments": [{ "any": [${condition}] }] } }] }`);
  expect(findings.filter(({ code }) => code === 'pattern-unsupported').map(({ pointer }) => pointer)).toEqual([
    '/expect/0/not/arguments/0/any/0/value',
  ]);
});

test('patterns of layers and of tools are judged too', () =>
  check(`--- agentstack.json
{ "skills": { "find": { "description": "Finds.", "parameters": { "type": "object", "properties": { "q": { "type": "string", "pattern": "(?=a)" } } } } } }
//                                                                                                                                     ^^^^^^^ pattern-unsupported
--- config/system.json
{ "agent_defaults": { "input_schema": { "type": "object", "patternProperties": { "(?=a)": {} } } } }
//                                                                               ^^^^^^^ pattern-unsupported
`));
