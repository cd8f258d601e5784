/** One place where something is completed. The cursor is `|`; a literal one is written `||`. */
export interface CompletionCase {
  readonly name: string;
  /** Default: an agent file of the project. */
  readonly path?: string;
  readonly text: string;
  /** Further files of the project. */
  readonly files?: Readonly<Record<string, string>>;
  /** The labels that come first, in this order. */
  readonly first?: readonly string[];
  /** Labels that are offered, in any order. */
  readonly offers?: readonly string[];
  readonly lacks?: readonly string[];
  /** All labels, in order; none means that nothing is offered. */
  readonly only?: readonly string[];
  /** Label of the item that is taken, and the text then. */
  readonly take?: string;
  readonly after?: string;
  /** The text is not JSON afterwards either. */
  readonly staysBroken?: true;
}

export const agentPath = 'config/agents/Shaper/v1.json';
export const orchestrationPath = 'config/orchestrations/flow.json';

const text = (value: unknown) => JSON.stringify(value, null, 2);

/** The project around the file that is typed in. */
export const projectFiles: Readonly<Record<string, string>> = {
  'agentstack.json': text({ environment: 'dev', models: { 'house-model': { context_window: 32768 } } }),
  'config/system.json': text({ agent_defaults: { llm_config_id: 'openai' } }),
  'config/environments/prod.json': text({}),
  'config/llms/openai.json': text({ llm_id: 'openai', provider: 'openai', model_name: 'gpt-5.4-mini', api_key: 'secret://openai_key' }),
  'config/llms/local.json': text({
    llm_id: 'local',
    provider: 'openai_compatible',
    base_url: '${LOCAL_URL:-http://localhost:1}/v1',
    model_name: 'llama3.2',
  }),
  'config/personas/editor.json': text({ description: 'Edits texts.', system_text: 'You edit.' }),
  'config/personas/critic.json': text({
    system_text: 'You judge.',
    purpose_text: 'Judge.',
    mode: 'Chooser',
    output_schema: { type: 'object', required: ['verdict'], properties: { verdict: { type: 'string', enum: ['pass', 'fail'] } } },
    enums: { verdict: ['pass', 'fail'] },
  }),
  'config/prompts/review/v1.json': text({ name: 'review', version: 'v1', template: 'Review {{input.language}} code.' }),
  'config/prompts/Shaper/v3.json': text({ name: 'Shaper', version: 'v3', template: 'Shape.' }),
  'config/mcp.json': text({ servers: { memory: { command: 'npx' }, docs: { url: 'https://mcp.example.com' } } }),
  'config/agents/Labels/v1.json': text({
    agent_name: 'Labels',
    version: 'v1',
    description: 'Labels a text.',
    mode: 'Chooser',
    prompts: { system_prompt: 'review@v1' },
    purpose_text: 'Label.',
    input_keys: ['language', 'code'],
    output_schema: {
      type: 'object',
      required: ['tone', 'score'],
      properties: {
        tone: { type: 'string', enum: ['direct', 'friendly'] },
        score: { type: 'integer' },
        done: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string', enum: ['bug', 'feature'] } },
        notes: { type: 'object', properties: { count: { type: 'number' } } },
      },
    },
    enums: { tone: ['direct', 'friendly'], tags: ['bug', 'feature'] },
  }),
  'config/agents/Labels/v2.json': text({
    agent_name: 'Labels',
    version: 'v2',
    mode: 'Writer',
    purpose_text: 'Write.',
    output_schema: { type: 'object' },
  }),
};

export const variables = { HOME: 'not to be seen', LOCAL_TOKEN: 'not to be seen' };
