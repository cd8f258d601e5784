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

test('the limits of an orchestration are upper bounds, of which the lower one counts', () =>
  check(`--- config/orchestrations/flow.json
{ "max_total_teams": 3, "max_recursion_depth": 4, "teams": { "a": { "max_recursion_depth": 5 } } }
--- config/system.json
{ "orchestration": { "max_total_teams": 3, "max_recursion_depth": 5 } }
`));

test('an answer cannot be longer than the window of its model', () =>
  check(`{ "model_name": "mine" }
--- agentstack.json
{ "models": { "mine": { "context_window": 100, "max_output_tokens": 101 } } }
//                                                                  ^^^ limit-invalid the context_window of "mine" holds only 100 tokens
`));

test('a time that must have been meant in seconds is a warning, wherever it stands', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "timeout_ms": 45, "budget": { "max_time_ms": 20 } }
//                                                   ^^ limit-invalid timeout_ms is in milliseconds, and 45 is too short for anything. Did you mean 45000?
//                                                                                  ^^ limit-invalid Did you mean 20000?
--- config/llms/l.json
{ "llm_id": "l", "request_timeout_ms": 60 }
//                                     ^^ limit-invalid Did you mean 60000?
--- config/mcp.json
{ "servers": { "a": { "command": "a", "timeout_ms": 30 } } }
//                                                  ^^ limit-invalid
--- config/system.json
{ "agent_defaults": { "budget": { "max_time_ms": 120 } }, "llms": { "l": { "request_timeout_ms": 1 } } }
//                                               ^^^ limit-invalid
//                                                                                               ^ limit-invalid
`));
