import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('unused-team');

test('a team that nothing leads to is marked on its key', () =>
  check(`--- config/orchestrations/flow.json
{
  "entry_team": "a",
  "teams": {
    "a": { "routing": { "rules": [{ "condition": {}, "next_team": "b" }], "default": "c" } },
    "b": { "routing": { "default": null } },
    "c": { "routing": { "default": null } },
    "d": { "routing": { "default": "d" } },
//  ^^^ unused-team No team leads to "d", and it is not the entry_team.
    "__proto__": { "routing": { "default": "a" } }
//  ^^^^^^^^^^^ unused-team No team leads to "__proto__"
  }
}
`));

test('where a variable names a team, any may be meant', () =>
  check(`--- config/orchestrations/flow.json
{ "entry_team": "\${ENTRY}", "teams": { "a": {}, "b": {} } }
`));
