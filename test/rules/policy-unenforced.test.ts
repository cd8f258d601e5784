import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('policy-unenforced');

test('a policy is marked in system.json and in environments, one without assertions is not', () =>
  check(`--- config/system.json
{ "policy": { "never": [{ "from": "untrusted", "to": "sends" }] } }
//^^^^^^^^ policy-unenforced This version does not hold a policy yet, so no agent runs while one is set.
--- config/environments/prod.json
{ "policy": { "agents": { "A2": { "may_not": ["sends"] } } } }
//^^^^^^^^ policy-unenforced
--- config/environments/dev.json
{ "policy": { "only_after_approval": [] } }
`));
