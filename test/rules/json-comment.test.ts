import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('json-comment');

test('both forms of comment are marked', () =>
  check(`{
  // who it is
//^^^^^^^^^^^^ json-comment JSON has none
  "agent_name": "A2", /* and */ "version": "v1"
//                    ^^^^^^^^^ json-comment
}`));

test('slashes inside a text are no comment', () => check(`{ "description": "see https://example.com /* or */ // this" }`));

test('a comment is the only thing said where nothing else is wrong', async () => {
  const findings = await findingsOf(`{ "agent_name": "A2", /* x */ "version": "v1" }`);
  expect(findings.map(({ code }) => code)).toEqual(['json-comment']);
});
