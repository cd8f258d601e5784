import { agentText, llmText } from '../server/agents.js';

const schema = {
  type: 'object',
  properties: {
    tone: { type: 'string', enum: ['warm', 'cold'] },
    score: { type: 'number', minimum: 0, maximum: 10 },
    note: { type: 'string' },
  },
  required: ['tone', 'score'],
  additionalProperties: false,
};

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** A project in which every kind of file is, each naming others, and nothing is wrong but hints. */
export const corpus: Readonly<Record<string, string>> = {
  'agentstack.json': json({ environment: 'dev', rules: { 'unknown-model': 'hint' } }),
  'config/system.json': json({ agent_defaults: { llm_config_id: 'main', timeout_ms: 20_000 }, agents: { Planner: { temperature: 0.2 } } }),
  'config/environments/dev.json': json({ llms: { main: { temperature: 0.1 } } }),
  'config/llms/main.json': llmText('main'),
  'config/llms/big.json': json({
    llm_id: 'big',
    provider: 'openai',
    model_name: 'gpt-4.1',
    api_key: 'secret://openai_api_key',
    base_url: '${BASE:-https://example.com/v1}',
    options: { seed: 7 },
    price: { input: 2, output: 8 },
  }),
  'config/personas/kind.json': json({ mode: 'Writer', system_text: 'You are kind. 🎉', llm_config_id: 'big' }),
  'config/prompts/greeting/v1.json': json({
    name: 'greeting',
    version: 'v1',
    variables: ['input.task'],
    template: 'Greet {{input.task}}\nand "{{input.who}}".',
    few_shot_examples: [{ input: { task: 'a', who: 'b' }, output: { tone: 'warm', score: 1, note: '' } }],
  }),
  'config/mcp.json': json({ servers: { files: { type: 'stdio', command: 'npx', args: ['server'], env: { KEY: '${env:SET}' } } } }),
  'config/agents/A2/v1.json': agentText({ llm_config_id: 'main', description: 'Größe 🎉' }).replaceAll('\n', '\r\n'),
  'config/agents/Greeter/v1.json': agentText(
    {
      mode: 'Extractor',
      prompts: { system_prompt: 'greeting@v1' },
      input_keys: ['task', 'who'],
      persona_key: 'kind',
      output_schema: schema,
      enums: { tone: ['warm', 'cold'] },
      defaults: { score: 1 },
      client_ids: ['files'],
      budget: { max_cost: 0.5 },
    },
    'Greeter',
  ),
  'config/agents/Planner/2.0.0.json': json({
    agent_name: 'Planner',
    version: '2.0.0',
    agent_type: 'orchestrating',
    input_keys: ['task'],
    execution_plan: {
      steps: [
        { name: 'first', agent: 'Greeter@v1', input: { task: '{{input.task}}', who: '${SET}' } },
        {
          name: 'second',
          llm: 'Judge {{steps.first.output.tone}}',
          when: { step: 'first', output_field: 'score', operator: 'greater_than', value: 3 },
        },
      ],
      output: '{{steps.first.output}}',
    },
  }),
  'config/orchestrations/flow.json': json({
    name: 'flow',
    entry_team: 'intake',
    context: { task: 'x', urgent: false },
    teams: {
      intake: {
        name: 'Intake',
        tasks: [
          { name: 'greet', agent: 'Greeter@v1', input: { task: '{{context.task}}', who: 'me' } },
          {
            name: 'say',
            agent_type: 'single_shot',
            persona_key: 'kind',
            depends_on: ['greet'],
            config: { purpose_text: 'Say it.', output_schema: schema },
          },
        ],
        routing: {
          rules: [
            {
              condition: { task: 'greet', output_field: 'tone', operator: 'equals', value: 'warm' },
              next_team: 'done',
              context_updates: { last: '{{tasks.greet.output.note}}' },
            },
            {
              condition: [{ task: 'greet', status: 'success' }, { not: { context_field: 'urgent', operator: 'equals', value: true } }],
              next_team: null,
            },
          ],
          default: 'done',
        },
      },
      done: { name: 'Done', tasks: [{ name: 'end', agent: 'A2', input: {} }], routing: { default: null } },
    },
  }),
  'config/payloads/Greeter/one.json': json({ input: { task: 'a', who: 'b' } }),
};
