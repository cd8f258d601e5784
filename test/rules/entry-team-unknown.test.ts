import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('entry-team-unknown');

test('an entry that is not a team is marked with the nearest, and the teams are shown', () =>
  check(`--- config/orchestrations/flow.json
{
  "entry_team": "writng",
//              ^^^^^^^^ entry-team-unknown There is no team "writng". Did you mean "writing"?
  "teams": { "writing": {}, "review": {} }
//^^^^^^^ related The teams are here.
}
`));

test('where nothing is alike, the teams are listed', () =>
  check(`--- config/orchestrations/flow.json
{ "entry_team": "constructor", "teams": { "writing": {}, "review": {} } }
//              ^^^^^^^^^^^^^ entry-team-unknown There is no team "constructor". There are "writing" and "review".
`));

test('a team there is, a variable and a wrong type stay', async () => {
  await check(`--- config/orchestrations/flow.json\n{ "entry_team": "__proto__", "teams": { "__proto__": {} } }\n`);
  await check(`--- config/orchestrations/flow.json\n{ "entry_team": "\${ENTRY}", "teams": { "a": {} } }\n`);
  await check(`--- config/orchestrations/flow.json\n{ "entry_team": 3, "teams": { "a": {} } }\n`);
  await check(`--- config/orchestrations/flow.json\n{ "entry_team": "a", "teams": [] }\n`);
});
