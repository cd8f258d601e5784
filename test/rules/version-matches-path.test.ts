import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('version-matches-path');

test('a version other than the file name is marked, in agents and prompts', () =>
  check(`--- config/agents/A2/v2.json
{ "agent_name": "A2", "version": "v1" }
//                               ^^^^ version-matches-path version is "v1", but the file is called "v2.json". Make them equal.
--- config/prompts/reviewer/v1.json
{ "name": "reviewer", "version": "v2", "template": "x" }
//                               ^^^^ version-matches-path`));

test('only the last .json is not a part of the version', () =>
  check(`--- config/agents/A2/2.0.0.json
{ "agent_name": "A2", "version": "2.0.0" }`));

test('a version that is not text is left to the schema', () =>
  check(`--- config/agents/A2/2.json
{ "agent_name": "A2", "version": 2 }`));
