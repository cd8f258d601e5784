/** An agent file to be put below a fixture: `Review@v1`, whose output has something of every type that conditions look at. */
export const reviewAgent = `--- config/agents/Review/v1.json
{
  "agent_name": "Review",
  "version": "v1",
  "output_schema": {
    "type": "object",
    "required": ["verdict", "score", "note", "tags", "style"],
    "additionalProperties": false,
    "properties": {
      "verdict": { "enum": ["pass", "fail", "unsure"] },
      "score": { "type": "integer", "minimum": 0, "maximum": 10 },
      "note": { "type": "string" },
      "tags": { "type": "array", "items": { "enum": ["bug", "docs"] } },
      "style": { "type": "object", "required": ["tone"], "additionalProperties": false, "properties": { "tone": { "enum": ["dry", "warm"] } } }
    }
  }
}
`;
