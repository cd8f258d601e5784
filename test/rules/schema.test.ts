import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('schema');

test('a value outside a list names the list and the nearest value', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "mode": "Choser"
//        ^^^^^^^^ schema "Choser" is not one of "Chooser", "Writer", "Extractor". Did you mean "Chooser"?
}`));

test('a value far from all of a list has no suggestion', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "mode": "Poet"
//        ^^^^^^ schema "Poet" is not one of "Chooser", "Writer", "Extractor".
}`));

test('a value of the wrong type outside a list is told once', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "mode": 3
//        ^ schema 3 is not one of "Chooser", "Writer", "Extractor".
}`));

test('types are named in plain words', () =>
  check(`{
  "agent_name": "A2",
  "version": 2.0,
//           ^^^ schema version must be a string, not 2.0. Did you mean "v1"?
  "temperature": "0.5",
//               ^^^^^ schema temperature must be a number, not "0.5". Did you mean 0.5?
  "max_iterations": 2.5,
//                  ^^^ schema max_iterations must be a whole number, not 2.5. Did you mean 3?
  "include_history": "true",
//                   ^^^^^^ schema include_history must be true or false, not "true". Did you mean true?
  "input_keys": "task",
//              ^^^^^^ schema input_keys must be a list, not "task". Did you mean ["task"]?
  "budget": [1]
//          ^^^ schema budget must be an object, not a list.
}`));

test('what is missing is named, on the key that lacks it', () =>
  check(`{
  "agent_name": "A2",
  "execution_plan": {
//^^^^^^^^^^^^^^^^ schema execution_plan lacks "steps", which is required.
    "output": "x"
  }
}`));

test('limits are named', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "temperature": 9,
//               ^ schema temperature must be at most 2, not 9.
  "max_output_tokens": 0,
//                     ^ schema max_output_tokens must be at least 1, not 0.
  "model_name": "",
//              ^^ schema model_name must not be empty
  "input_keys": ["task", "context", "task"],
//               ^^^^^^ related "task" is first listed here.
//                                  ^^^^^^ schema input_keys lists "task" twice. Remove one.
  "execution_plan": { "steps": [] }
//                             ^^ schema execution_plan.steps must not be empty
}`));

test('a malformed name is explained', () =>
  check(`--- config/agents/A 2/v1.json
{ "agent_name": "A2", "version": "v1", "persona_key": "my persona" }
//                                                    ^^^^^^^^^^^^ schema persona_key is "my persona", but must be a name
--- config/llms/x.json
{ "llm_id": "x", "base_url": "localhost:1234" }
//                           ^^^^^^^^^^^^^^^^ schema base_url must be an address`));

test('a key that may be a secret is never repeated', async () => {
  const fixture = `--- config/llms/x.json
{ "llm_id": "x", "api_key": "sk-abcdef0123456789", "api_key_env": 5 }`;
  const findings = await findingsOf(fixture, ['schema']);
  expect(findings.map(({ pointer, data }) => [pointer, data?.keyword])).toEqual([
    ['/api_key', 'pattern'],
    ['/api_key_env', 'type'],
  ]);
  expect(findings[0]?.message).toMatch(/^api_key must be /);
  expect(JSON.stringify(findings)).not.toContain('sk-abcdef');
});

test('a file that is not an object is told so once', () =>
  check(`[1, 2]
^ schema The file must be an object, not a list.`));

test('a step without anything to do needs one of three', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "agent_type": "orchestrating",
  "execution_plan": { "steps": [{ "name": "one" }, { "name": "two", "skill": "s", "agent": "A" }] }
//                              ^^^^^^^^^^^^^^^^^ schema execution_plan.steps[0] must have the field "skill", "agent" or "llm".
//                                                                                ^^^^^^^ schema "agent" is not allowed together with "skill".
}`));

test('a condition is judged by the one form it has', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "execution_plan": {
    "steps": [{ "name": "one", "skill": "s", "when": { "step": "x", "output_field": "y", "operator": "equal", "value": 1 } }]
//                                                                                                   ^^^^^^^ schema "equal" is not one of "equals"
  }
}`));

test('enums hold lists of texts', () =>
  check(`{
  "agent_name": "A2",
  "version": "v1",
  "enums": { "tone": "direct", "depth": ["short", 3] }
//                   ^^^^^^^^ schema enums.tone must be a list, not "direct". Did you mean ["direct"]?
//                                                ^ schema enums.depth[1] must be a string, not 3. Did you mean "3"?
}`));

test('null removes what a lower layer gave, so every optional field takes it', () =>
  check(`{ "agent_name": "A2", "version": "v1", "mode": null, "temperature": null, "enums": null, "budget": null }`));

test('unknown keys are left to the rules about keys', () =>
  check(`{ "agent_name": "A2", "version": "v1", "modle_name": "x", "system_prompt": "y" }`));

test('fixes know the nearest value and how to write it', async () => {
  const fixture = `{
    "agent_name": "A2",
    "version": 2.0,
    "mode": "writer",
    "temperature": "15.0",
    "top_p": " .5",
    "max_output_tokens": "256",
    "include_history": "True",
    "input_keys": "task",
    "timeout_ms": 0
  }`;
  const findings = await findingsOf(fixture, ['schema']);
  expect(Object.fromEntries(findings.map(({ pointer, data }) => [pointer, [data?.keyword, data?.replacement, data?.text]]))).toEqual({
    '/version': ['type', 'v1', '"v1"'],
    '/mode': ['enum', 'Writer', '"Writer"'],
    '/temperature': ['type', 15, '15.0'],
    '/top_p': ['type', undefined, undefined],
    '/max_output_tokens': ['type', 256, '256'],
    '/include_history': ['type', true, 'true'],
    '/input_keys': ['type', ['task'], '["task"]'],
    '/timeout_ms': ['minimum', 1, '1'],
  });
});

test('a missing name is known from the path', async () => {
  const findings = await findingsOf('{ "mode": "Writer" }', ['effective-config-incomplete']);
  expect(findings.flatMap(({ data }) => (data?.value === undefined ? [] : [[data.field, data.value]]))).toEqual([
    ['agent_name', 'A2'],
    ['version', 'v1'],
  ]);
});

test('a text of a megabyte is cut in the message', async () => {
  const findings = await findingsOf(`{ "agent_name": "A2", "version": "v1", "mode": "${'x'.repeat(1_000_000)}" }`, ['schema']);
  expect(findings[0]?.message.length).toBeLessThan(200);
});

test('an address with a placeholder is judged with its fallback, or by its fixed beginning', async () => {
  const wrong = [
    'localhost:${PORT:-1}/v1',
    'ftp://${HOST}/v1',
    '${URL:-localhost}/v1',
    '${SCHEME:-ftp}://host',
    'x${URL}',
    'localhost:${env:PORT}/v1',
  ];
  const right = [
    ...[
      'http://localhost:${PORT:-1}/v1',
      'https://${HOST}',
      '${URL}',
      '${URL}/v1',
      '${URL:-https://host}/v1',
      '${SCHEME:-https}://host/v1',
    ],
    ...['${URL:-}', 'http${S:-s}://host', '${env:URL}/mcp', '${input:address}'],
  ];
  const codesOf = async (url: string) => {
    const findings = await findingsOf(
      `--- config/llms/a.json\n${JSON.stringify({ llm_id: 'a', provider: 'openai_compatible', model_name: 'm', base_url: url })}\n--- config/mcp.json\n${JSON.stringify({ servers: { web: { type: 'http', url } } })}\n`,
      ['schema'],
    );
    return findings.map(({ file, pointer }) => `${file}${pointer}`);
  };
  for (const url of wrong)
    expect({ url, codes: await codesOf(url) }).toEqual({ url, codes: ['config/llms/a.json/base_url', 'config/mcp.json/servers/web/url'] });
  for (const url of right) expect({ url, codes: await codesOf(url) }).toEqual({ url, codes: [] });
});
