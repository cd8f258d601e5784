import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('tool-choice-conflict');
const complete = '"agent_name": "A2", "version": "v1", "model_name": "gpt-5.4", "system_text": "x"';

test('a tool that is enabled and excluded is marked where it is enabled', () =>
  check(`--- config/agents/A2/v1.json
{ ${complete}, "agent_type": "react", "enabled_tools": ["read_file", "calculator"], "exclude_components": ["calculator"] }
//                                                                                                                                        ^^^^^^^^^^^^ tool-choice-conflict "calculator" is enabled here and excluded in exclude_components, which wins
--- config/personas/p.json
{ "enabled_tools": ["a"], "exclude_components": ["a", "b"] }
//                  ^^^ tool-choice-conflict`));

test('an agent that is one call has no tools', async () => {
  await check(`{ ${complete}, "agent_type": "single_shot", "enabled_tools": ["read_file"] }
//                                                                                                               ^^^^^^^^^^^^^^^ tool-choice-conflict A single_shot agent calls no tools, so enabled_tools has no effect.`);
  await check(`{ ${complete}, "agent_type": "single_shot", "client_ids": [] }`);
  await check(`{ ${complete}, "agent_type": "react", "client_ids": ["x"] }`);
  // It is offered the type already.
  await check(`{ ${complete}, "enabled_tools": ["read_file"] }`);
});
