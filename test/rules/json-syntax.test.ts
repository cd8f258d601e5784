import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('json-syntax');

test('single quotes are marked', () =>
  check(`{
  "agent_name": 'A2'
//              ^^^^ json-syntax Single quotes around A2
}`));

test('a missing comma is marked on what follows', () =>
  check(`{
  "agent_name": "A2"
  "version": "v1"
//^^^^^^^^^ json-syntax comma is missing
}`));

test('other kinds of file are read as strictly', () =>
  check(`--- config/llms/openai.json
{ "llm_id": openai }
//          ^^^^^^ json-syntax needs double quotes
--- config/system.json
{ "agent_defaults": None }
//                  ^^^^ json-syntax null`));

test('places are right behind CRLF and a BOM', () =>
  check(
    `{
  "version": v1
//           ^^ json-syntax needs double quotes
}`,
    { eol: '\r\n', start: '\uFEFF' },
  ));

test('an empty file is one finding, and nothing else is said about it', async () => {
  const findings = await findingsOf('');
  expect(findings.map(({ code, line, column }) => [code, line, column])).toEqual([['json-syntax', 1, 1]]);
});

test('a lone surrogate in a text is legal', () => check(`{ "agent_name": "A2", "version": "v1", "description": "\\ud800" }`));
