import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('duplicate-identity');

test('files that differ in letter case only are marked, each with the other', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1" }
^ duplicate-identity config/agents/a2/V1.json differs from this file in letter case only
^ related The other file is here.
--- config/agents/a2/V1.json
{ "agent_name": "a2", "version": "V1" }
^ duplicate-identity config/agents/A2/v1.json differs
^ related The other file is here.
--- config/agents/a2/v2.json
{ "agent_name": "a2", "version": "v2" }`));

test('every kind can collide, in its own kind only', () =>
  check(`--- config/llms/openai.json
{ "llm_id": "openai" }
^ duplicate-identity
--- config/llms/OpenAI.json
{ "llm_id": "OpenAI" }
^ duplicate-identity
--- config/personas/openai.json
{ "system_text": "x" }`));

test('a file that is not JSON collides too', () =>
  check(`--- config/llms/openai.json
nothing
^^^^^^^ duplicate-identity
--- config/llms/OPENAI.json
{ "llm_id": "OPENAI" }
^ duplicate-identity`));

test('two tasks of a team, steps of a plan or inputs of mcp.json with one name are marked', () =>
  check(`{
  "execution_plan": { "steps": [{ "name": "one" }, { "name": "two" }, { "name": "one" }] }
//                                        ^^^^^ related The other is here.
//                                                                              ^^^^^ duplicate-identity The plan has another step named "one": a reference to it is ambiguous.
}
--- config/orchestrations/flow.json
{
  "teams": {
    "a": { "tasks": [{ "name": "draft" }, { "name": "draft" }, { "name": "Draft" }] },
//                             ^^^^^^^ related The other is here.
//                                                  ^^^^^^^ duplicate-identity The team "a" has another task named "draft"
    "b": { "tasks": [{ "name": "draft" }, { "name": 3 }, { "name": 3 }] }
  }
}
--- config/mcp.json
{ "inputs": [{ "id": "token" }, { "id": "token" }], "servers": {} }
//                   ^^^^^^^ related
//                                      ^^^^^^^ duplicate-identity Another input has the id "token"
`));
