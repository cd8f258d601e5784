import { expect, test } from 'vitest';
import { findingsOf } from '../support/checkRule.js';

const step = (fields: string) => `{
  "agent_name": "A2", "version": "v1", "agent_type": "orchestrating",
  "execution_plan": { "steps": [{ "name": "one", ${fields} }] }
}`;
const condition = (fields: string) => step(`"skill": "s", "when": { ${fields} }`);
const server = (fields: string) => `--- config/mcp.json
{ "servers": { "one": { ${fields} } } }`;

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
  [server('"type": "http", "url": "https://example.com", "env": {}'), '"env" is not allowed together with "url".'],
])('only the key that excludes another is named: %s', async (text, message) => {
  const findings = await findingsOf(text, ['schema']);
  expect(findings.map((finding) => finding.message)).toContain(`${message} Remove it.`);
});
