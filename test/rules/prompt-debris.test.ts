import { describe, expect, test } from 'vitest';
import { findDebris } from '../../core/rules/promptDebris.js';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('prompt-debris');

test('left-over text is marked where it stands, in every prompt of a file', () =>
  check(`{
  "system_text": "You are a critic.\\n(Rest of the prompt unchanged)",
//                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ prompt-debris Text that stands for something left out: "(Rest of the prompt unchanged)".
  "purpose_text": "TODO: say what for. Greet {YOUR_NAME}.\\n------END"
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ prompt-debris A note to oneself
//                                                         ^^^^^^^^^ prompt-debris A mark of where generated text ended
}
--- config/personas/critic.json
{ "system_text": "Speak for {YOUR_COMPANY}." }
//                          ^^^^^^^^^^^^^^ prompt-debris A blank that was not filled in
--- config/llms/openai.json
{ "llm_id": "openai", "default_system_prompt": "\`\`\`\\nYou are brief.\\n\`\`\`" }
//                                              ^^^^^ prompt-debris A Markdown fence around the prompt
--- config/prompts/greet/v1.json
{ "name": "greet", "version": "v1", "template": "Sure! Here is the prompt:\\nGreet {{input.name}}.<|im_end|>" }
//                                               ^^^^^^^^^^^^^^^^^^^^^^^^^ prompt-debris An answer of an assistant
//                                                                                               ^^^^^^^^^^ prompt-debris A control token
--- config/system.json
{ "agents": { "A2": { "purpose_text": "Judge. TODO describe the tone" } } }
//                                            ^^^^^^^^^^^^^ prompt-debris
`));

test('other texts of a file are not prompts', () =>
  check(`{ "description": "TODO", "output_schema": { "properties": { "a": { "description": "TODO: x" } } } }`));

test.each([
  'Write a todo list.',
  'List every TODO in the code.',
  'Find "TODO:" comments and FIXME notes; use `TODO:` for open points.',
  'TODO comments must be kept as they are. Return TBD when unknown.',
  'Region: EU, ROW (Rest of World), US (rest of the day is free)',
  'The input is between ---BEGIN--- and ---END---.',
  '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----',
  'Use {name}, {{input.name}}, <name> and [your answer].',
  'The END of the story. SEND---it, BACKEND---x, WEEKEND --- days',
  'Answer with ```json\n{}\n``` only.',
  '```json\n{}\n```\nis the form. Then:\n```\nx\n```',
  'Sure, be friendly. Always answer "Sure! Here is".',
  'Put INSERT statements in one block; sum [INSERT] rows. YOUR ROLE: editor',
])('ordinary prose is left alone: %j', (text) => {
  expect(findDebris(text)).toEqual([]);
});

// Quadratic time would take minutes; the bound leaves room for a busy machine.
describe('hostile text takes seconds', { timeout: 30_000 }, () => {
  test.each(['(rest of ', '( Rest of (', 'TODO ', '--- ', 'END', '{YOUR', '```\n', '[INSERT ', '\n- - - ', '- # > TODO(', '(... '])(
    '%j repeated',
    (unit) => {
      const text = unit.repeat(2e6 / unit.length);
      const started = performance.now();
      expect(findDebris(text).length).toBeLessThanOrEqual(200);
      expect(performance.now() - started).toBeLessThan(15_000);
    },
  );

  test('a line of dashes', () => {
    expect(findDebris(`${'-'.repeat(1e6)}x\nThe END`)).toEqual([]);
  });
});
