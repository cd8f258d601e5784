// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these texts hold the placeholders under test.
import { expect, test } from 'vitest';
import { checkRule, findingsOf } from '../support/checkRule.js';

const check = checkRule('placeholder-invalid');

const inText = async (text: string) => {
  const found = await findingsOf(`{ "system_text": ${JSON.stringify(text)} }`, ['placeholder-invalid']);
  return found.map(({ severity, data }) => `${severity} ${data?.kind} ${text.slice(Number(data?.start), Number(data?.end))}`);
};

test.each([
  ['At ${CITY:-${TOWN}}.', ['error nested ${CITY:-${TOWN}}']],
  ['At ${A_${B}}.', ['error nested ${A_${B}}']],
  ['${${A}}', ['error nested ${${A}}']],
  ['a ${', ['warning unclosed ${']],
  ['a ${} b', ['warning empty ${}']],
  ['a ${CITY b ${NAME:-x}', ['warning unclosed ${CITY']],
  ['a ${CITY:-b', ['warning unclosed ${CITY:-b']],
  ['${1A}', ['warning name ${1A}']],
  ['${ A } ${A-b}', ['warning name ${ A }', 'warning name ${A-b}']],
  ['call `${user.name}`', ['info code ${user.name}']],
  ['run: echo ${{ secrets.TOKEN }} on ${{ matrix }}', ['info code ${{ secrets.TOKEN }}', 'info code ${{ matrix }}']],
  ['`${a.map((b) => {\n  return b.c;\n})}` then ${CITY', ['info code ${a.map((b) => {\n  return b.c;\n})}', 'warning unclosed ${CITY']],
  ['`${a ? `${b.c}` : ""}`', ['info code ${a ? `${b.c}` : ""}', 'info code ${b.c}']],
  ['a ${CITY and ${TOWN} }', ['warning unclosed ${CITY']],
  ['${#a} ${a##b} ${a%b} ${a^^} ${a,,} ${!a} ${@} ${1} ${a:0:5}', Array.from({ length: 9 }, () => expect.stringMatching(/^info code /))],
  ['${PORT:8080}', ['warning name ${PORT:8080}']],
  ['${A:-} ${A:-b c} $A {A} $', []],
])('the placeholders of %s are judged one by one', async (text, expected) => {
  expect(await inText(text)).toEqual(expected);
});

test.each([
  'Answer {{\n  "label": "bug",\n  "score": 1\n}}.',
  'Nothing to say: {{\n}}',
  'A list: {{ [1, 2] }} or {{\n  [1]\n}}',
  '<div style={{ color: "red" }}>, <div style={{color:1}}> and <div style={{\n  marginTop: 4,\n}}>',
  '<Card {...{{ ...props }}} />',
  'int a[2][2] = {{1, 2}, {3, 4}};',
])('doubled braces around data and code in a template are ordinary text: %s', async (template) => {
  const found = await findingsOf(`--- config/prompts/p/v1.json\n${JSON.stringify({ name: 'p', version: 'v1', template })}`, [
    'placeholder-invalid',
  ]);
  expect(found).toEqual([]);
});

test('a broken placeholder in a setting is an error', () =>
  check(`{
  "model_name": "gpt-\${SIZE",
//                   ^^^^^^ placeholder-invalid \${SIZE has no closing brace, so a run refuses it. Write \${SIZE}.
  "purpose_text": "In bash, \${SIZE is not closed."
//                          ^^^^^^ placeholder-invalid \${SIZE has no closing brace, so it stays as it is written. Write \${SIZE}.
}
--- config/llms/one.json
{ "llm_id": "one", "base_url": "https://\${}/v1", "api_key": "secret://\${X", "options": { "headers": { "x": "\${1A}" } } }
//                                      ^^^ placeholder-invalid \${} names no variable, so a run refuses it. Write \${NAME}
//                                                                                                          ^^^^^ placeholder-invalid it stays as it is written: a name has
--- config/system.json
{ "llms": { "one": { "base_url": "\${HOST" } } }
//                                ^^^^^^ placeholder-invalid a run refuses it
`));

test('paths that are none are marked in every template', () =>
  check(`--- config/prompts/p/v1.json
{ "name": "p", "version": "v1", "template": "{{}} {{input.a {{input.b}} {{ user name }} {{#if a}} {{input.{{x}}}} {{\\"a\\": 1}} {{{input.c}}}" }
//                                           ^^^^ placeholder-invalid {{}} names no path, so it stays as it is written.
//                                                ^^^^^^^^^ placeholder-invalid {{input.a has no closing braces, so it stays as it is written. Write {{input.a}}.
//                                                                      ^^^^^^^^^^^^^^^ placeholder-invalid is not a path
//                                                                                      ^^^^^^^^^ placeholder-invalid no blocks or filters
//                                                                                                ^^^^^^^^ placeholder-invalid {{input. holds another path, and paths do not nest
--- config/agents/Plan/v1.json
{
  "agent_type": "orchestrating",
  "execution_plan": {
    "steps": [{ "name": "a", "llm": "Say {{input.x", "input": { "deep": ["{{ }}"] } }],
//                                       ^^^^^^^^^ placeholder-invalid
//                                                                        ^^^^^ placeholder-invalid
    "output": "{{steps.a.output"
//             ^^^^^^^^^^^^^^^^ placeholder-invalid
  }
}
--- config/orchestrations/flow.json
{
  "teams": { "t": {
    "tasks": [{ "name": "a", "input": { "x": "{{context.y" } }],
//                                            ^^^^^^^^^^^ placeholder-invalid
    "routing": { "rules": [{ "context_updates": { "z": "{{tasks.a.output | upper}}" } }] }
//                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ placeholder-invalid
  } }
}
`));

test('the texts of a plain agent are templates', () =>
  check(`{
  "system_text": "For {{input.reader}}, {{ user name }}",
//                                      ^^^^^^^^^^^^^^^ placeholder-invalid
  "user_text": "{{input.text",
//              ^^^^^^^^^^^^ placeholder-invalid
  "purpose_text": "{{input.text}}"
//                 ^^^^^^^^^^^^^^ placeholder-invalid {{input.text}} is not filled in here: this is pure text.
}
--- config/personas/Any.json
{ "system_text": "{{input.text}}", "user_text": "{{input.text}}" }`));

test('a path where nothing fills it in is marked', () =>
  check(`{
  "mode": "Writer",
  "system_text": "You read {{input.text}} and {{name}}."
//                         ^^^^^^^^^^^^^^ placeholder-invalid {{input.text}} is not filled in here: this is pure text.
}
--- config/personas/Single.json
{ "system_text": "You read {input.text} and {name}." }
//                         ^^^^^^^^^^^^ placeholder-invalid {input.text} is not replaced: a path needs double braces
--- config/llms/one.json
{ "llm_id": "one", "base_url": "https://{{host}}/v1" }
//                                      ^^^^^^^^ placeholder-invalid {{host}} is not filled in here: a connection is the same in every run. Write \${NAME}
`));

test("a server's placeholders are its own", () =>
  check(`--- config/mcp.json
{
  "inputs": [{ "id": "token", "type": "promptString" }],
  "servers": {
    "a": { "url": "https://\${HOST", "headers": { "A": "\${input:tokn}", "B": "\${input:token} \${env:X} \${config:y}", "C": "{{token}}" } },
//                         ^^^^^^ placeholder-invalid has no closing brace
//                                                     ^^^^^^^^^^^^^ placeholder-invalid No input has the id "tokn", so the server cannot start. Did you mean "token"?
//                                                                                                   ^^^^^^^^^^^ placeholder-invalid is not known here
//                                                                                                                       ^^^^^^^^^ placeholder-invalid \${env:NAME}
    "b": { "command": "\${workspaceFolder}/x", "env": { "Y": "\${Y:-z}", "Z": "\${env:}" } }
//                                                                           ^^^^^^^ placeholder-invalid
  }
}
`));

test('a text of nothing but beginnings is judged in linear time, and not without end', async () => {
  const begun = process.cpuUsage();
  expect(await inText('${'.repeat(100_000))).toHaveLength(100);
  expect(await inText(`${'${A'.repeat(100_000)}}`)).toHaveLength(100);
  expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(15_000);
});

test('a path in single braces is marked in templates, other braces are left alone', () =>
  check(`--- config/prompts/p/v1.json
{ "name": "p", "version": "v1", "template": "Read {input.text}, {name}, {\\"a\\": 1}, {{input.a}} and {{{input.c}}}." }
//                                                ^^^^^^^^^^^^ placeholder-invalid {input.text} is not replaced: a path needs double braces. Write {{input.text}}.
--- config/orchestrations/o.json
{ "teams": { "t": { "tasks": [{ "name": "a", "input": { "x": "{context.y}" } }] } } }
//                                                            ^^^^^^^^^^^ placeholder-invalid
`));
