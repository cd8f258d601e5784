import { test } from 'vitest';
import { checkRule } from '../support/checkRule.js';

const check = checkRule('unknown-environment');

test('an environment without a file is marked', () =>
  check(`--- agentstack.json
{ "environment": "prd" }
//               ^^^^^ unknown-environment There is no environment "prd": environments/prd.json does not exist, so only system.json applies. Create it, or name another.
--- config/environments/prod.json
{}
`));

test('one with a file stays, and so does the default', async () => {
  await check(`--- agentstack.json
{ "environment": "prod" }
--- config/environments/prod.json
{}
`);
  await check(`--- agentstack.json
{ "environment": "dev" }
`);
  await check(`--- agentstack.json
{ "config_dir": "config" }
`);
});
