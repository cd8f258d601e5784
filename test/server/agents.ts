const schema = {
  type: 'object',
  properties: { tone: { type: 'string', enum: ['a', 'b'] } },
  required: ['tone'],
  additionalProperties: false,
};

/** The text of an agent file in which nothing is wrong, with other fields (undefined leaves one out). */
export function agentText(fields: Readonly<Record<string, unknown>> = {}, name = 'A2', version = 'v1'): string {
  const whole = {
    agent_name: name,
    version,
    mode: 'Chooser',
    system_text: 'You choose.',
    purpose_text: 'Choose.',
    output_schema: schema,
    enums: { tone: ['a', 'b'] },
  };
  return JSON.stringify({ ...whole, ...fields }, null, 2);
}

/** The text of an llm profile in which nothing is wrong. */
export function llmText(id: string): string {
  return JSON.stringify({ llm_id: id, provider: 'offline', model_name: 'offline' });
}
