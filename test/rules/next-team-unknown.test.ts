import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('next-team-unknown');

test('ways to no team are marked, of rules and of the default', () =>
  check(`--- config/orchestrations/flow.json
{
  "entry_team": "writing",
  "teams": {
    "writing": {
      "routing": {
        "rules": [
          { "condition": { "context_field": "a", "operator": "exists" }, "next_team": "reviw" },
//                                                                                    ^^^^^^^ next-team-unknown There is no team "reviw". Did you mean "review"?
          { "condition": { "context_field": "b", "operator": "exists" }, "next_team": "review" },
          { "condition": { "context_field": "c", "operator": "exists" }, "next_team": null },
          { "condition": { "context_field": "d", "operator": "exists" }, "next_team": "\${NEXT}" }
        ],
        "default": "toString"
//                 ^^^^^^^^^^ next-team-unknown There are "writing" and "review".
      }
    },
    "review": { "routing": { "default": "writing" } }
  }
}
`));

test('a word that means the end is told how a run ends, unless a team has the name in another case', () =>
  check(`--- config/orchestrations/flow.json
{
  "entry_team": "writing",
  "teams": {
    "writing": {
      "routing": {
        "rules": [
          { "condition": { "context_field": "a", "operator": "exists" }, "next_team": "END" },
//                                                                                    ^^^^^ next-team-unknown There is no team "END"; null, without quotes, ends a run.
          { "condition": { "context_field": "b", "operator": "exists" }, "next_team": "__end__" },
//                                                                                    ^^^^^^^^^ next-team-unknown There is no team "__end__"; null, without quotes, ends a run.
          { "condition": { "context_field": "c", "operator": "exists" }, "next_team": "DONE" }
//                                                                                    ^^^^^^ next-team-unknown There is no team "DONE". Did you mean "done"?
        ],
        "default": "null"
//                 ^^^^^^ next-team-unknown There is no team "null"; null, without quotes, ends a run.
      }
    },
    "done": { "routing": { "default": "writing" } }
  }
}
`));
