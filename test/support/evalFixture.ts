/** Files of a project with an agent of every sort, judges and an orchestration, for fixtures about cases. */
const chooser = (name: string, properties: string, enums: string) => `--- config/agents/${name}/v1.json
{
  "agent_name": "${name}", "version": "v1",
  "output_schema": { "type": "object", "required": ["tone", "score"], "properties": ${properties} },
  "enums": ${enums}
}`;

export const tone = chooser(
  'Tone',
  '{ "tone": { "type": "string", "enum": ["formal", "direct"] }, "score": { "type": "integer", "minimum": 0, "maximum": 10 }, "note": { "type": "string" }, "tags": { "type": "array", "items": { "enum": ["a", "b"] } } }',
  '{ "tone": ["formal", "direct"] }',
);

export const judges = `--- config/agents/Fair/v1.json
{
  "agent_name": "Fair", "version": "v1", "input_keys": ["input", "output"],
  "output_schema": { "type": "object", "required": ["verdict", "why"], "properties": { "verdict": { "type": "string", "enum": ["good", "bad"] }, "why": { "type": "string" } } },
  "enums": { "verdict": ["good", "bad"] }
}
--- config/agents/Mute/v1.json
{ "agent_name": "Mute", "version": "v1" }
--- config/agents/Greedy/v1.json
{
  "agent_name": "Greedy", "version": "v1", "input_keys": ["input", "outputs", "context"],
  "input_schema": { "type": "object", "properties": { "input": {}, "output": {}, "expected": {} }, "additionalProperties": false },
  "output_schema": { "type": "object", "required": ["verdict"], "properties": { "verdict": { "type": "string", "enum": ["good", "bad"] } } },
  "enums": { "verdict": ["good", "bad"] }
}`;

export const flow = `--- config/orchestrations/flow.json
{
  "name": "flow", "entry_team": "write", "context": { "round": 0 },
  "teams": {
    "write": {
      "name": "Write", "tasks": [{ "name": "draft", "agent": "Tone@v1" }],
      "routing": { "rules": [{ "condition": { "task": "draft", "status": "failure" }, "next_team": null }], "default": "review" }
    },
    "review": {
      "name": "Review", "tasks": [{ "name": "check", "agent": "Fair@v1" }],
      "routing": { "rules": [{ "condition": { "task": "check", "output_field": "verdict", "operator": "equals", "value": "bad" }, "next_team": "write", "context_updates": { "reason": "bad" } }], "default": null }
    }
  }
}`;

/** A case of an agent or orchestration with these entries of `expect`. */
export function caseOf(owner: string, expect: string, rest = ''): string {
  const given = owner === 'flow' ? '"context": { "title": "x" }' : '"input": {}';
  return `--- config/payloads/${owner}/one.json\n{ ${given}${expect === '' ? '' : `, "expect": [${expect}]`}${rest} }`;
}
