/** Text of a config file; a `|` in a value is no cursor. */
export function configText(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('|', '||');
}

const contract = {
  type: 'object',
  required: ['tone', 'items'],
  properties: {
    tone: { type: 'string', enum: ['direct', 'friendly'] },
    items: { type: 'array', items: { $ref: '#/$defs/item' } },
  },
  $defs: { item: { type: 'object', properties: { task: { type: 'string' }, kind: { enum: ['bug', 'chore'] } } } },
};

/** An agent `A@v1`, everything that may name it or a part of it, and others of the same field names that have nothing to do with it. */
export const namedProject: Readonly<Record<string, string>> = {
  'config/agents/A/v1.json': configText({
    agent_name: 'A',
    version: 'v1',
    mode: 'Chooser',
    input_keys: ['topic'],
    prompts: { system_prompt: 'ask@v2' },
    output_schema: contract,
    enums: { tone: ['direct', 'friendly'] },
    defaults: { tone: 'direct', items: [{ task: 'none', kind: 'bug' }] },
    llm_config_id: 'fast',
    persona_key: 'editor',
    client_ids: ['files'],
  }),
  'config/agents/A/v2.json': configText({
    agent_name: 'A',
    version: 'v2',
    output_schema: contract,
    enums: { tone: ['direct', 'friendly'] },
  }),
  'config/agents/B/v1.json': configText({
    agent_name: 'B',
    version: 'v1',
    agent_type: 'orchestrating',
    execution_plan: {
      steps: [
        { name: 'first', agent: 'A@v1', input: { topic: '{{input.about}}' } },
        {
          name: 'second',
          llm: 'Say {{steps.first.output.items.0.task}}',
          when: { step: 'first', output_field: 'tone', operator: 'equals', value: 'direct' },
        },
      ],
      output: '{{steps.second.output}}',
    },
    input_keys: ['about'],
  }),
  'config/prompts/ask/v2.json': configText({
    name: 'ask',
    version: 'v2',
    template: 'About "{{input.topic}}"\n{{ input.topic }}.',
    variables: ['input.topic'],
    few_shot_examples: [{ input: { topic: 'x' }, output: { tone: 'friendly', items: [{ kind: 'chore' }] } }],
  }),
  'config/llms/fast.json': configText({ llm_id: 'fast', provider: 'openai', model_name: 'gpt-4.1-mini' }),
  'config/personas/editor.json': configText({ system_text: 'You edit.' }),
  'config/mcp.json': configText({ servers: { files: { type: 'stdio', command: 'x' } } }),
  'config/payloads/A/one.json': configText({ input: { topic: 'tea' } }),
  'config/system.json': configText({ agent_defaults: { llm_config_id: 'fast' }, agents: { A: { persona_key: 'editor' } } }),
  'config/orchestrations/flow.json': configText({
    name: 'flow',
    entry_team: 'one',
    context: { topic: 'tea', done: false },
    teams: {
      one: {
        name: 'One',
        tasks: [
          { name: 'ask', agent: 'A@v1', input: { topic: '{{context.topic}} for {{input.done}}' } },
          { name: 'again', agent_type: 'single_shot', persona_key: 'editor', depends_on: ['ask'], config: { output_schema: contract } },
        ],
        routing: {
          rules: [
            {
              condition: [
                { task: 'ask', output_field: 'tone', operator: 'in', value: ['friendly', 'direct'] },
                { any: [{ not: { task: 'again', output_field: 'tone', operator: 'equals', value: 'direct' } }] },
                { context_field: 'done', operator: 'equals', value: true },
              ],
              next_team: 'two',
              context_updates: { topic: '{{tasks.ask.output.items.0.kind}}, {{tasks.again.output.tone}}' },
            },
          ],
          default: null,
        },
      },
      two: { name: 'Two', tasks: [{ name: 'ask', agent: 'A' }], routing: { default: 'one' } },
    },
  }),
};

/**
 * The project with a cursor in one file.
 *
 * @param mark a part of the file with the cursor in it
 */
export function withCursor(path: string, mark: string, files: Readonly<Record<string, string>> = namedProject): Record<string, string> {
  const text = files[path];
  const plain = mark.replace('|', '');
  if (text === undefined || !text.includes(plain)) throw new Error(`${path} has no ${plain}`);
  return { ...files, [path]: text.replace(plain, () => mark) };
}
