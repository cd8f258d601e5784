import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('env-unset');

test('every use of a variable that is not set is marked by itself', () =>
  check(`{
  "system_text": "At \${CITY}, at \${CITY}.",
//                   ^^^^^^^ env-unset The environment variable "CITY" is not set here, and a run refuses to start. Set it, or write \${CITY:-fallback}.
//                               ^^^^^^^ env-unset
  "output_schema": { "properties": { "a": { "enum": ["\${LABEL}"] } } }
//                                                    ^^^^^^^^ env-unset "LABEL"
}`));

test('set variables, fallbacks and other dollar signs stay', () =>
  check(`{ "system_text": "\${CITY} \${NAME:-Bob} $HOME \${a.b} \${} $\{" }`.replace('$\\{', '${'), { variables: ['CITY'] }));

test('profiles, personas, prompts and system files are expanded, payloads are not', () =>
  check(`--- config/llms/openai.json
{ "llm_id": "openai", "base_url": "\${URL}" }
//                                 ^^^^^^ env-unset
--- config/personas/critic.json
{ "purpose_text": "\${X}" }
//                 ^^^^ env-unset
--- config/prompts/p/v1.json
{ "name": "p", "version": "v1", "template": "a \${X}" }
//                                             ^^^^ env-unset
--- config/system.json
{ "agents": { "A2": { "description": "\${X}" } } }
//                                    ^^^^ env-unset
--- config/payloads/A2/case.json
{ "input": { "a": "\${X}" } }
`));

test('strings that are never expanded stay: identities, keys, where a key is kept, patterns', () =>
  check(`{ "agent_name": "\${X}", "output_schema": { "properties": { "\${X}": { "type": "string", "pattern": "^\${X}$" } } } }
--- config/llms/openai.json
{ "llm_id": "\${X}", "api_key": "secret://\${X}", "api_key_env": "\${X}" }
`));

test('names of the object prototype are ordinary variables', async () => {
  const [finding] = await findingsOf(`{ "system_text": "\${constructor}" }`, ['env-unset']);
  expect(finding?.data).toEqual({ variable: 'constructor', start: 0, end: 14 });
});

test('a server needs the variables that are put in when it is started', () =>
  check(
    `--- config/mcp.json
{
  "inputs": [{ "id": "token", "type": "promptString", "description": "not here: \${env:NOTHING}" }],
  "servers": {
    "github": {
      "command": "\${env:RUNNER}",
//                ^^^^^^^^^^^^^ env-unset The environment variable "RUNNER" is not set here, and the server "github" needs it to start. Set it.
      "env": { "TOKEN": "\${input:token}", "HOME": "\${env:HOME}", "WHERE": "\${workspaceFolder} \${PLACE} \${TIER:-a}" }
//                                                                                            ^^^^^^^^ env-unset The environment variable "PLACE"
    },
    "docs": { "url": "https://example.com", "headers": { "X-Folder": "\${env:workspaceFolder}", "Authorization": "Bearer \${env:DOCS_TOKEN}" } }
//                                                                                                                      ^^^^^^^^^^^^^^^^^ env-unset
  }
}
`,
    { variables: ['HOME', 'workspaceFolder'] },
  ));

test('variables of an orchestration are expanded, but for patterns in the schemas of a config', () =>
  check(`--- config/orchestrations/flow.json
{
  "entry_team": "\${ENTRY}",
//               ^^^^^^^^ env-unset
  "teams": { "a": { "tasks": [
    { "persona_key": "\${PERSONA:-critic}", "config": { "system_text": "\${TEXT}" } },
//                                                                     ^^^^^^^ env-unset
    { "config": { "output_schema": { "properties": { "a": { "pattern": "\${X}" } } } } }
  ] } }
}
`));
