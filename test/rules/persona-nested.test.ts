import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('persona-nested');

test('a persona that names itself is marked', () =>
  check(`--- config/personas/critic.json
{ "persona_key": "critic" }
//               ^^^^^^^^ persona-nested The persona "critic" names itself. No persona is layered under a persona. Take persona_key out.
`));

test('personas that name each other are marked, each with the way back', () =>
  check(`--- config/personas/a.json
{ "persona_key": "b" }
//               ^^^ persona-nested The persona "a" names the persona "b", which leads back to it: a > b > c > a. No persona
--- config/personas/b.json
{ "persona_key": "c" }
//               ^^^ persona-nested b > c > a > b
--- config/personas/c.json
{ "persona_key": "a" }
//               ^^^ persona-nested c > a > b > c
`));

test('a persona that names another is marked, though nothing leads back', () =>
  check(`--- config/personas/a.json
{ "persona_key": "b" }
//               ^^^ persona-nested The persona "a" names the persona "b". No persona is layered under a persona. Take persona_key out, and write here what "b" has
--- config/personas/b.json
{ "persona_key": "b" }
//               ^^^ persona-nested names itself
--- config/personas/d.json
{ "persona_key": "\${NONE:-a}" }
//               ^^^^^^^^^^^^ persona-nested
`));

test('what lies under every persona names none', () =>
  check(`--- config/personas/a.json
{ "mode": "Writer", "persona_key": null }
--- config/system.json
{ "persona_defaults": { "persona_key": "a" }, "agent_defaults": { "persona_key": "a" }, "agents": { "A2": { "persona_key": "a" } } }
//                                     ^^^ persona-nested agent_defaults, or agents.{agent_name}
--- config/environments/dev.json
{ "persona_defaults": { "persona_key": "a" } }
//                                     ^^^ persona-nested
`));

test('what is not a name is left to the schema', () =>
  checkRule(
    'persona-nested',
    'schema',
  )(`--- config/personas/a.json
{ "mode": "Writer", "persona_key": "" }
//                                 ^^ schema persona_key
--- config/system.json
{ "persona_defaults": { "persona_key": "a b" } }
//                                     ^^^^^ schema
`));
