import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';
import { reviewAgent } from '../support/reviewAgent.js';

const check = checkRule('unreachable-team');

test('teams that the entry does not lead to are marked on their key, also where they name each other', () =>
  check(`--- config/orchestrations/flow.json
{
  "entry_team": "a",
//              ^^^ related A run starts here.
//              ^^^ related A run starts here.
  "teams": {
    "a": { "routing": { "rules": [{ "condition": { "context_field": "x", "operator": "exists" }, "next_team": "b" }], "default": null } },
    "b": { "routing": { "default": "a" } },
    "c": { "routing": { "default": "d" } },
//  ^^^ unreachable-team No route from the entry_team "a" leads to "c".
    "d": { "routing": { "default": "c" } }
//  ^^^ unreachable-team
  }
}
`));

test('a rule that is proven to take nothing is no way', () =>
  check(`--- config/orchestrations/flow.json
{
  "entry_team": "a",
  "teams": {
    "a": {
      "tasks": [{ "name": "review", "agent": "Review@v1" }],
      "routing": {
        "rules": [
          { "condition": { "task": "review", "output_field": "verdict", "operator": "in", "value": ["pass", "fail"] }, "next_team": null },
          { "condition": { "task": "review", "output_field": "verdict", "operator": "equals", "value": "fail" }, "next_team": "b" }
        ],
        "default": null
      }
    },
    "b": { "routing": { "default": null } }
//  ^^^ unreachable-team leads to "b": the rules that would lead there never match.
  }
}
${reviewAgent}`));

test('a mistake in the condition that leads there is not told a second time', () =>
  check(`--- config/orchestrations/flow.json
{
  "entry_team": "a",
  "teams": {
    "a": {
      "tasks": [{ "name": "review", "agent": "Review@v1" }],
      "routing": {
        "rules": [{ "condition": { "task": "review", "output_field": "verdict", "operator": "equals", "value": "fial" }, "next_team": "b" }],
        "default": null
      }
    },
    "b": { "routing": { "default": null } }
  }
}
${reviewAgent}`));

test('nothing is said where the entry is unknown or a variable decides', async () => {
  await check(`--- config/orchestrations/flow.json\n{ "entry_team": "x", "teams": { "a": {}, "b": {} } }\n`);
  await check(
    `--- config/orchestrations/flow.json\n{ "entry_team": "a", "teams": { "a": { "routing": { "default": "\${NEXT}" } }, "b": {} } }\n`,
  );
});
