import { expect, test } from 'vitest';
import { findingsOf } from '../support/checkRule.js';

const step = (fields: string) => `{
  "agent_name": "A2", "version": "v1", "agent_type": "orchestrating",
  "execution_plan": { "steps": [{ "name": "one", ${fields} }] }
}`;
const condition = (fields: string) => step(`"skill": "s", "when": { ${fields} }`);
const server = (fields: string) => `--- config/mcp.json
{ "servers": { "one": { ${fields} } } }`;
const payload = (fields: string) => `{ "agent_name": "A2", "version": "v1" }
--- config/payloads/A2/x.json
{ ${fields} }`;
const expectation = (fields: string) => payload(`"input": {}, "expect": [{ ${fields} }]`);

test.each([
  [step('"skill": "s", "llm": "x"'), '"llm" is not allowed together with "skill".'],
  [step('"agent": "A2", "llm": "x"'), '"llm" is not allowed together with "agent".'],
  [step('"llm": "x", "input": {}'), '"input" is not allowed together with "llm".'],
  [condition('"step": "x", "status": "success", "operator": "exists"'), '"operator" is not allowed together with "status".'],
  [
    condition('"step": "x", "output_field": "a", "context_field": "b", "operator": "exists"'),
    '"context_field" is not allowed together with "output_field".',
  ],
  [condition('"context_field": "b", "step": "x", "operator": "exists"'), '"step" is not allowed together with "context_field".'],
  [condition('"task": "a", "step": "x", "status": "success"'), '"step" is not allowed together with "task".'],
  [server('"type": "stdio", "command": "npx", "url": "https://example.com"'), '"url" is not allowed together with "command".'],
  [expectation('"output_field": "a", "text": true, "operator": "exists"'), '"output_field" is not allowed together with "text".'],
  [expectation('"tool": "a", "judge": "J", "output_field": "b", "operator": "exists"'), '"tool" is not allowed together with "judge".'],
  [expectation('"task": "a", "judge": "J", "output_field": "b", "operator": "exists"'), '"task" is not allowed together with "judge".'],
  [expectation('"measure": "steps", "tool": "a", "operator": "equals"'), '"measure" is not allowed together with "tool".'],
  [expectation('"status": "success", "value": 1'), '"value" is not allowed together with "status".'],
  [payload('"input": {}, "cases": [{ "input": {} }]'), '"input" is not allowed together with "cases".'],
  [payload('"context": {}, "cases": [{ "input": {} }]'), '"context" is not allowed together with "cases".'],
  [payload('"cases": [{ "input": {}, "context": {} }]'), '"context" is not allowed together with "input".'],
  [server('"type": "http", "url": "https://example.com", "env": {}'), '"env" is not allowed together with "url".'],
])('only the key that excludes another is named: %s', async (text, message) => {
  const findings = await findingsOf(text, ['schema']);
  expect(findings.map((finding) => finding.message)).toContain(`${message} Remove it.`);
});

test.each([
  ['{ "value": 1, "operator": "equals" }', '/expect/0', 'must have the field "output_field", "status", "text", "tool",'],
  ['{ "task": "a", "operator": "equals" }', '/expect/0', 'must have the field "output_field" or "status".'],
  ['{ "judge": "J", "operator": "equals" }', '/expect/0', 'lacks "output_field", which is required.'],
  ['{ "output_field": "a" }', '/expect/0', 'lacks "operator", which is required.'],
  ['{ "output_field": "a", "operator": "simular" }', '/expect/0/operator', 'Did you mean "similar"?'],
  ['{ "output_field": "a", "operator": "equals", "threshold": 0.5 }', '/expect/0/operator', 'must be "similar", not "equals".'],
  ['{ "any": [], "tool": "a" }', '/expect/0/any', 'must not be empty.'],
  ['[{ "any": [{ "tool": "a" }] }]', '/expect/0/0/any/0', 'lacks "operator", which is required.'],
])('an expectation looks at one thing: %s', async (entry, pointer, message) => {
  const findings = await findingsOf(payload(`"input": {}, "expect": [${entry}]`), ['schema']);
  expect(findings).toContainEqual(expect.objectContaining({ pointer, message: expect.stringContaining(message) }));
});
