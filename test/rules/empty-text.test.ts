import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('empty-text');

test('texts in which nothing is said are marked in every kind of file', () =>
  check(`--- config/agents/A2/v1.json
{ "agent_name": "A2", "version": "v1", "system_text": "", "purpose_text": " \\n", "description": "" }
//                                                    ^^ empty-text system_text is empty, so the model gets nothing.
//                                                                        ^^^^^ empty-text purpose_text is empty
--- config/llms/l.json
{ "llm_id": "l", "default_system_prompt": "" }
//                                        ^^ empty-text
--- config/prompts/p/v1.json
{ "name": "p", "version": "v1", "template": "" }
//                                          ^^ empty-text
--- config/system.json
{ "agent_defaults": { "system_text": null, "purpose_text": "x" }, "agents": { "A2": { "system_text": "" } } }
//                                                                                                   ^^ empty-text
--- config/personas/p.json
{ "execution_plan": { "steps": [{ "name": "a", "llm": " " }] } }
//                                                    ^^^ empty-text llm is empty`));
