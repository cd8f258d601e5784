import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('secret-in-plain-text');
// Put together here, so that no scanner takes this file for a leak.
const key = ['sk', 'proj', 'aB3dE5gH7jK9mN1pQ3sT5vX7'].join('-');
const password = ['hunt', 'er2'].join('');
const under = (text: string) => '^'.repeat(text.length);

test('a key is marked exactly, and shown by its first four characters only', () =>
  check(`{
  "system_text": "Use ${key} for calls."
//                    ${under(key)} secret-in-plain-text This looks like a secret (OpenAI API key): sk-p… Keep it outside the project
}`));

test('any file of any kind is looked at, at any depth', () =>
  check(`{ "output_schema": { "properties": { "a": { "examples": ["${key}"] } } } }
//                                                        ${under(key)} secret-in-plain-text
--- config/payloads/A2/leak.json
{ "input": { "nested": [{ "url": "postgres://bob:${password}@db.example.com" }] } }
//                                               ${under(password)} secret-in-plain-text (password in a URL)
--- config/llms/openai.json
{ "llm_id": "openai", "options": { "headers": { "x-api-key": "0123456789abcdef0123456789abcdef" } } }
//                                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ secret-in-plain-text (key or token)
`));

test('references, variables and placeholders stay', () =>
  check(`--- config/llms/openai.json
{ "llm_id": "openai", "api_key": "secret://openai_api_key", "api_key_env": "OPENAI_API_KEY_2024_1" }
--- config/agents/A2/v1.json
{ "system_text": "Bearer \${TOKEN}, sk-your-key-goes-here-1, A2@v1 at https://example.com" }
`));

test('a key as a key is placed without being told by the pointer', async () => {
  const text = `{ "options": { "${key}": { "a": "${key}" } }, "llm_id": "openai" }`;
  const found = await findingsOf(`--- config/llms/openai.json\n${text}`, ['secret-in-plain-text']);
  expect(found.map(({ pointer, range }) => ({ pointer, marked: text.slice(range.start, range.end) }))).toEqual([
    { pointer: '/options', marked: expect.stringMatching(/^\{/) },
    { pointer: '/options', marked: `"${key}"` },
  ]);
});

test('no finding holds the secret in any of its fields', async () => {
  const found = await findingsOf(
    `{ "agent_name": "${key}", "${key}": "x ${key} y", "b": { "${key}": ["${key}"] } }
--- config/payloads/A2/broken.json
{ "input": "${key}"`,
    ['secret-in-plain-text'],
  );
  expect(found.length).toBeGreaterThanOrEqual(5);
  expect(JSON.stringify(found)).not.toContain(key.slice(0, 12));
});

test('a file that is not JSON is looked at all the same', () =>
  check(`{ "system_text": "${key}",
//                ${under(key)} secret-in-plain-text`));

test('servers and orchestrations are looked at too', async () => {
  const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');
  const found = await findingsOf(
    `--- config/mcp.json
{ "servers": { "github": { "command": "gh", "env": { "GITHUB_TOKEN": "${token}" } } } }
--- config/orchestrations/flow.json
{ "context": { "note": "${token}" }, "teams": {} }
`,
    ['secret-in-plain-text'],
  );
  expect(found.map(({ file, pointer }) => `${file}${pointer}`)).toEqual([
    'config/mcp.json/servers/github/env/GITHUB_TOKEN',
    'config/orchestrations/flow.json/context/note',
  ]);
  expect(JSON.stringify(found)).not.toContain(token);
});

test('so is one in a header that is an argument, a cookie, or the query of an address, of a server or a profile', () =>
  check(`--- config/mcp.json
{
  "servers": {
    "remote": { "command": "npx", "args": ["mcp-remote", "https://example.com/?key=letmein&page=2", "-H", "Authorization: Bearer letmein", "note: letmein"] },
//                                                                                 ^^^^^^^ secret-in-plain-text
//                                                                                                                               ^^^^^^^ secret-in-plain-text
    "web": { "url": "https://example.com/sse?api_key=letmein&token=\${env:TOKEN}", "headers": { "Cookie": "sid=letmein", "Authorization": "Basic letmein" } }
//                                                   ^^^^^^^ secret-in-plain-text
//                                                                                                        ^^^^^^^^^^^ secret-in-plain-text
//                                                                                                                                              ^^^^^^^ secret-in-plain-text
  }
}
--- config/llms/a.json
{ "llm_id": "a", "provider": "openai_compatible", "base_url": "https://example.com/v1?key=letmein&next_token=letmein" }
//                                                                                        ^^^^^^^ secret-in-plain-text
--- config/agents/B/v1.json
{ "system_text": "Open https://example.com/?api_key=Zb3dE5fGh7Jk9LmN1p or https://example.com/?api_key=YOUR_API_KEY_GOES_HERE." }
//                                                  ^^^^^^^^^^^^^^^^^^ secret-in-plain-text This looks like a secret (key in a URL)
`));

test('what a server is given under the name of a secret is one, however it looks', () =>
  check(`--- config/mcp.json
{
  "servers": {
    "db": {
      "command": "db",
      "env": { "DB_PASSWORD": "hunter2!", "DB_USER": "hunter2!", "TOKEN": "\${env:TOKEN}", "API_KEY": "secret://key", "AUTH_TOKEN": "none" },
//                             ^^^^^^^^ secret-in-plain-text This looks like a secret (by its name): hu…
      "args": ["--password=tea with milk", "--token", "open sesame", "--secret", "--verbose", "--token-limit=2000", "--api-key", "tok_9f8e7d6c5b4a39281706f5e4d3c2b1a0"]
//                         ^^^^^^^^^^^^^ secret-in-plain-text
//                                                     ^^^^^^^^^^^ secret-in-plain-text
//                                                                                                                                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ secret-in-plain-text
    },
    "web": { "url": "https://example.com", "headers": { "X-Api-Key": "letmein", "Authorization": "Bearer \${env:TOKEN}" } }
//                                                                    ^^^^^^^ secret-in-plain-text
  }
}`));

test('what a profile hands on under the name of a secret is one', () =>
  check(`--- config/llms/x.json
{ "llm_id": "x", "options": { "password": "tea with milk", "user": "ada", "reasoning_effort": "low", "api_key": "secret://x" } }
//                                         ^^^^^^^^^^^^^ secret-in-plain-text This looks like a secret (by its name)
--- config/system.json
{ "llms": { "x": { "options": { "token": "open sesame" } } } }
//                                        ^^^^^^^^^^^ secret-in-plain-text`));

test("the keys of AWS's documentation are no secrets", () =>
  check(`{ "system_text": "AKIAIOSFODNN7EXAMPLE", "b": { "aws_secret_access_key": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" } }`));
test('a variable that holds a key of the project brings it into every snapshot, whatever it looks like', () =>
  check(`--- config/llms/odd.json
{ "llm_id": "odd", "api_key": "secret://odd_key" }
--- config/llms/other.json
{ "llm_id": "other", "api_key_env": "OTHER_KEY", "base_url": "https://\${OTHER_KEY}.example.com" }
//                                                                    ^^^^^^^^^^^^ secret-in-plain-text \${OTHER_KEY} is the key of the llm profile "other", and an expanded value is written into every snapshot
--- config/agents/A2/v1.json
{ "system_text": "Use \${ODD_KEY} in \${REGION} with \${OPENAI_API_KEY:-none}." }
//                    ^^^^^^^^^^ secret-in-plain-text \${ODD_KEY} is the key of the llm profile "odd"
//                                                 ^^^^^^^^^^^^^^^^^^^^^^^ secret-in-plain-text \${OPENAI_API_KEY} is the key of the provider openai
--- config/mcp.json
{ "servers": { "a": { "command": "x", "env": { "KEY": "\${ODD_KEY}" } } } }
`));
