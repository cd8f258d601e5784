import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('limit-invalid');

test('a time budget above the timeout of the run is marked', () =>
  check(`{
  "timeout_ms": 5000,
//              ^^^^ related 5000 ms is given here.
  "budget": { "max_time_ms": 9000 }
//                           ^^^^ limit-invalid budget.max_time_ms is 9000, but timeout_ms ends the run after 5000. Give at most 5000, or raise timeout_ms.
}`));

test('the built-in timeout contradicts nothing', () => check(`{ "budget": { "max_time_ms": 90000 } }`));

test('an equal and a smaller budget stay', () => check(`{ "timeout_ms": 5000, "budget": { "max_time_ms": 5000 } }`));

test('values of two layers are judged together, and marked in the agent', () =>
  check(`{ "persona_key": "critic", "timeout_ms": 1000 }
//                                       ^^^^ limit-invalid
--- config/personas/critic.json
{ "budget": { "max_time_ms": 2000 } }
//                           ^^^^ related 2000 ms is given here.
`));

test('bounds of a schema that no value can satisfy are marked on the lower one', () =>
  check(`{
  "input_schema": { "minProperties": 3, "maxProperties": 2 },
//                                   ^ limit-invalid minProperties is 3, but maxProperties is 2: no value satisfies both.
  "output_schema": {
    "properties": {
      "a": { "minimum": 5, "maximum": 1 },
//                      ^ limit-invalid
      "b": { "exclusiveMinimum": 5, "maximum": 5 },
//                               ^ limit-invalid
      "c": { "items": { "minLength": 9, "maxLength": 8 }, "minItems": 2, "maxItems": 2 },
//                                   ^ limit-invalid
      "minimum": { "minimum": 1, "maximum": 1 }
    }
  }
}`));

test('a team cannot be entered more often than teams may run', () =>
  check(`--- config/system.json
{ "orchestration": { "max_total_teams": 3, "max_recursion_depth": 5 } }
//                                                                ^ limit-invalid max_recursion_depth is 5, but max_total_teams ends the run after 3 teams.
`));

test('an answer cannot be longer than the window of its model', () =>
  check(`{ "model_name": "mine" }
--- agentstack.json
{ "models": { "mine": { "context_window": 100, "max_output_tokens": 101 } } }
//                                                                  ^^^ limit-invalid the context_window of "mine" holds only 100 tokens
`));

test('limits of an orchestration are judged with those below it', () =>
  check(`--- config/orchestrations/flow.json
{
  "max_total_teams": 3,
//                   ^ related 3 teams are allowed here.
//                   ^ related 3 teams are allowed here.
  "max_recursion_depth": 4,
//                       ^ limit-invalid max_recursion_depth is 4, but max_total_teams ends the run after 3 teams. Give at most 3.
  "teams": { "a": { "max_recursion_depth": 5 }, "b": { "max_recursion_depth": 3 } }
//                                         ^ limit-invalid
}
--- config/orchestrations/low.json
{ "max_total_teams": 2 }
//                   ^ limit-invalid max_total_teams is 2, so that the max_recursion_depth of 4 is never reached.
--- config/orchestrations/deep.json
{ "max_recursion_depth": 11 }
//                       ^^ limit-invalid
--- config/orchestrations/free.json
{ "max_total_teams": null, "max_recursion_depth": 900 }
--- config/environments/dev.json
{ "orchestration": { "max_recursion_depth": 4 } }
//                                          ^ related A depth of 4 is allowed here.
--- config/system.json
{ "orchestration": { "max_total_teams": 10, "max_recursion_depth": 9 } }
//                                      ^^ related 10 teams are allowed here.
`));

test('the built-in limits contradict nothing', () =>
  check(`--- config/orchestrations/flow.json
{ "max_total_teams": 1, "teams": { "a": {} } }
--- config/orchestrations/deep.json
{ "max_recursion_depth": 900 }
`));

test('bounds of the schemas in the config of a task are looked at', () =>
  check(`--- config/orchestrations/flow.json
{ "teams": { "a/b": { "tasks": [{ "config": { "output_schema": { "properties": { "x": { "minimum": 2, "maximum": 1 } } } } }] } } }
//                                                                                                 ^ limit-invalid
`));
