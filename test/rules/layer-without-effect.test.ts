import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('layer-without-effect');

test('a field of one agent that all its versions give', () =>
  check(`--- config/system.json
{ "agents": { "A2": { "temperature": 0.2, "timeout_ms": 1, "budget": { "max_cost": 1, "max_time_ms": 5 } } } }
//                    ^^^^^^^^^^^^^ layer-without-effect temperature has no effect here: config/agents/A2/v1.json, config/agents/A2/v2.json override it in a higher layer. Remove it here, or there.
--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "temperature": 0.7, "timeout_ms": 2, "budget": { "max_cost": 2 } }
--- config/agents/A2/v2.json
{ "agent_name": "A2", "version": "v2", "temperature": null, "budget": { "max_cost": 2 } }
`));

test("a field of a profile that the profile's own file gives", () =>
  check(`--- config/system.json
{ "llms": { "fast": { "model_name": "a", "base_url": "https://host" } } }
//                    ^^^^^^^^^^^^ layer-without-effect
--- config/llms/fast.json
{ "llm_id": "fast", "provider": "openai", "model_name": "b" }
`));

test('a field of system.json that every environment gives', () =>
  check(`--- config/system.json
{ "agent_defaults": { "temperature": 0.2, "top_p": 1 }, "orchestration": { "max_total_teams": 5 } }
//                    ^^^^^^^^^^^^^ layer-without-effect temperature has no effect here: config/environments/dev.json, config/environments/prd.json override it
--- config/environments/dev.json
{ "agent_defaults": { "temperature": 0 }, "orchestration": { "max_total_teams": 6 } }
--- config/environments/prd.json
{ "agent_defaults": { "temperature": 0, "top_p": 0.5 } }
`));

test('an environment that has no file adds nothing', () =>
  check(`--- config/system.json
{ "agent_defaults": { "temperature": 0.2 } }
--- config/environments/prd.json
{ "agent_defaults": { "temperature": 0 } }
`));

test('a field of a persona that every agent with it gives', () =>
  check(`--- config/personas/tester.json
{ "system_text": "You test.", "temperature": 0.2, "top_p": 1 }
//                            ^^^^^^^^^^^^^ layer-without-effect temperature has no effect here: config/agents/A2/v1.json, config/agents/B/v1.json override it
--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "persona_key": "tester", "temperature": 0.7, "system_text": "x" }
--- config/agents/B/v1.json
{ "agent_name": "B", "version": "v1", "persona_key": "tester", "temperature": 0, "top_p": null }
--- config/agents/C/v1.json
{ "agent_name": "C", "version": "v1", "top_p": 1 }
`));

test('a persona that a task names, and a profile, which a call may choose, keep their values', () =>
  check(`--- config/personas/tester.json
{ "system_text": "You test.", "temperature": 0.2 }
--- config/llms/fast.json
{ "llm_id": "fast", "provider": "openai", "model_name": "b", "temperature": 0.2 }
--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "persona_key": "tester", "llm_config_id": "fast", "temperature": 0.7 }
--- config/orchestrations/o.json
{ "name": "o", "entry_team": "t", "teams": { "t": { "name": "t", "tasks": [{ "name": "a", "agent_type": "single_shot", "persona_key": "tester" }], "routing": { "default": null } } } }
`));
test('a user_text has no effect where the user message is composed', async () => {
  await check(`{ "mode": "Writer", "user_text": "{{input.a}}" }
//                  ^^^^^^^^^^^ layer-without-effect the mode Writer composes the user message. Remove it, or the mode.
`);
  await check(`{ "agent_type": "react", "user_text": "{{input.a}}" }
//                       ^^^^^^^^^^^ layer-without-effect only a single_shot agent without a mode has one
`);
  await check('{ "user_text": "{{input.a}}" }');
});
