import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('name-matches-path', 'version-matches-path');

test('a name other than that of its place is marked, in every kind that has one', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A3", "version": "v1" }
//              ^^^^ name-matches-path agent_name is "A3", but the folder is called "A2".
--- config/llms/openai.json
{ "llm_id": "OpenAI" }
//          ^^^^^^^^ name-matches-path llm_id is "OpenAI", but the file is called "openai".
--- config/prompts/reviewer/v1.json
{ "name": "review", "version": "v1", "template": "x" }
//        ^^^^^^^^ name-matches-path name is "review", but the folder is called "reviewer".
--- config/orchestrations/flow.json
{ "name": "flaw" }
//        ^^^^^^ name-matches-path name is "flaw", but the file is called "flow".
--- config/personas/p.json
{ "system_text": "x" }`));

test('a name that is missing or no text is left to the schema', () =>
  check(`--- config/agents/A2/v1.json
{ "version": "v1" }
--- config/agents/A3/v1.json
{ "agent_name": 3, "version": "v1" }`));

test('names with dots are whole names', () =>
  check(`--- config/agents/team.a2/1.0.json
{ "agent_name": "team.a2", "version": "1.0" }`));

test('no name may be that of a Windows device', () =>
  check(`--- config/agents/Con/v1.json
{ "agent_name": "Con", "version": "v1" }
^ name-matches-path "Con" in the path is not a name
--- config/agents/Fine/com1.2.json
{ "agent_name": "Fine", "version": "com1.2" }
^ name-matches-path "com1.2" in the path is not a name
--- config/llms/console.json
{ "llm_id": "console" }
--- config/personas/nul.json
{ "system_text": "x" }
^ name-matches-path "nul" in the path is not a name`));

test('the fix knows both sides', async () => {
  const [finding] = await findingsOf('{ "agent_name": "A3", "version": "v1" }', ['name-matches-path']);
  expect(finding?.data).toEqual({ field: 'agent_name', expected: 'A2', found: 'A3' });
});

test('a file that says no name itself needs a legal one in its path', () =>
  check(`--- config/personas/ok_v1.json
{ "system_text": "x" }
--- config/personas/not,ok.json
{ "system_text": "x" }
^ name-matches-path "not,ok" in the path is not a name
--- config/payloads/-A2/one.json
{ "input": {} }
^ name-matches-path "-A2" in the path is not a name
--- config/environments/dev+test.json
{}
^ name-matches-path "dev+test" in the path is not a name`));
