import type { JsonObject } from '../../../core/json.js';
import type { ProjectFiles } from '../../support/changedProject.js';

/** A pull request on the project below. */
export interface PullRequest {
  /** Files of the base that the project below does not have, or has otherwise. */
  readonly before?: ProjectFiles;
  readonly change: ProjectFiles;
  /** The agents and orchestrations that behave differently, by name. Each part below is of them; what is left out does not change. */
  readonly subjects?: readonly string[];
  /** Whose requests change, apart from the input: texts, tools, response format, settings. */
  readonly sends?: readonly string[];
  /** `Name + tool x`: it may do more; `-` less, `?` not known. `Name opened a -> b`: also `closed`, `redirected`, `endless`, `unknown`. */
  readonly effects?: readonly string[];
  /** Effects that are not found. */
  readonly missed?: readonly string[];
  /** Changes of contracts that break somebody, `Name output refund`; with `?` in front where that is not known. */
  readonly breaks?: readonly string[];
  /** Whose maximum cost rises or falls. */
  readonly dearer?: readonly string[];
  readonly cheaper?: readonly string[];
  /** Who can run on one side only, so that nothing else of it is compared: `Name after`. */
  readonly stops?: readonly string[];
  /** What else is not compared. */
  readonly incomparable?: readonly string[];
}

const tool = (description: string, ...keys: string[]): JsonObject => ({
  description,
  parameters: { type: 'object', properties: Object.fromEntries(keys.map((key) => [key, { type: 'string' }])), required: keys },
  hash: '0'.repeat(64),
});

export const githubTools = {
  search_issues: tool('Search for issues of a repository.', 'q'),
  get_issue: tool('Get the details of an issue.', 'issue_number'),
  create_issue: tool('Create an issue.', 'title', 'body'),
};
export const docsTools = {
  read_text_file: tool('Read a text file.', 'path'),
  list_directory: tool('List a directory.', 'path'),
  write_file: tool('Write a file.', 'path', 'content'),
};
export const lockedTool = tool;
export const lockOf = (servers: Readonly<Record<string, object>>) => ({
  format: 1,
  servers: Object.fromEntries(Object.entries(servers).map(([id, tools]) => [id, { tools }])),
});

export const servers = {
  docs: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', 'docs'] },
  github: {
    command: 'docker',
    args: ['run', '-i', '--rm', '-e', 'GITHUB_PERSONAL_ACCESS_TOKEN', 'ghcr.io/github/github-mcp-server:v0.20.0'],
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'secret://github' },
  },
};

/** The output schema of an agent of the project. */
const object = <Properties extends object>(properties: Properties, ...required: string[]) => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});

export const triageOutput = object(
  {
    intent: { type: 'string', enum: ['billing', 'technical', 'general'] },
    urgency: { type: 'string', enum: ['low', 'high'] },
    language: { type: 'string' },
  },
  'intent',
  'urgency',
);
export const answerOutput = object(
  { reply: { type: 'string' }, refund: { type: 'boolean' }, amount: { type: 'number', minimum: 0, maximum: 500 } },
  'reply',
  'refund',
);
export const researchOutput = object({ cause: { type: 'string' }, known: { type: 'boolean' } }, 'cause', 'known');
export { object as schemaOf };

const answerTask = { name: 'reply', agent: 'Answer@v1', input: { message: '{{context.message}}' } };
const intentIs = (value: string) => ({ task: 'triage', output_field: 'intent', operator: 'equals', value });

/** A support desk: a triage, an answer, a search in issues and documents, a plan over two of them, and an orchestration. */
export const deskProject = {
  'README.md': 'The support desk.\n',
  'agentstack.json': { environment: 'dev' } as object,
  'config/system.json': { agent_defaults: { llm_config_id: 'main', budget: { max_cost: 0.5 } } } as object,
  'config/environments/dev.json': {},
  'config/environments/prod.json': { agents: { Librarian: { enabled_tools: ['read_text_file'] } } } as object,
  'config/llms/main.json': { provider: 'openai', model_name: 'gpt-5.4-mini', api_key: 'secret://openai', max_output_tokens: 2000 },
  'config/llms/small.json': {
    provider: 'openai',
    base_url: 'https://gateway.example.com/v1',
    model_name: 'gpt-5.4-nano',
    api_key: 'secret://openai',
    max_output_tokens: 500,
  },
  'config/personas/support.json': { system_text: 'You work for the support desk of a web shop. Be brief and polite.' },
  'config/personas/engineer.json': {
    system_text: 'You find out why something does not work.',
    client_ids: ['github', 'docs'],
    enabled_tools: ['search_issues', 'get_issue', 'read_text_file', 'search_files'],
    output_schema: researchOutput,
  },
  'config/personas/retired.json': { system_text: 'You have retired.' },
  'config/prompts/triage/v1.json': {
    template: 'You sort the messages of customers.\n\nA refund is always about billing.',
    few_shot_examples: [{ input: { message: 'Charged twice' }, output: { intent: 'billing', urgency: 'high' } }],
  },
  'config/agents/Triage/v1.json': {
    agent_name: 'Triage',
    version: 'v1',
    mode: 'Chooser',
    llm_config_id: 'small',
    prompts: { system_prompt: 'triage@v1' },
    purpose_text: 'Choose what the message is about, and how urgent it is.',
    input_keys: ['message'],
    output_schema: triageOutput,
  },
  'config/agents/Answer/v1.json': {
    description: 'Answers a customer.',
    persona_key: 'support',
    user_text: 'Answer this message:\n\n{{input.message}}',
    input_keys: ['message'],
    output_schema: answerOutput,
  },
  'config/agents/Researcher/v1.json': { agent_type: 'react', persona_key: 'engineer', input_keys: ['question'], max_iterations: 8 },
  'config/agents/Librarian/v1.json': {
    agent_type: 'react',
    system_text: 'You answer questions from the documents.',
    client_ids: ['docs'],
    exclude_components: ['write_file'],
    input_keys: ['question'],
  },
  'config/agents/Digest/v1.json': {
    agent_type: 'orchestrating',
    input_keys: ['question'],
    execution_plan: {
      steps: [
        { name: 'find', agent: 'Librarian@v1', input: { question: '{{input.question}}' } },
        { name: 'write', agent: 'Answer@v1', input: { message: '{{steps.find.output}}' } },
      ],
    },
  },
  'config/orchestrations/desk.json': {
    entry_team: 'intake',
    max_total_teams: 6,
    input_keys: ['message'],
    teams: {
      intake: {
        tasks: [{ name: 'triage', agent: 'Triage@v1', input: { message: '{{context.message}}' } }],
        routing: {
          rules: [
            {
              condition: intentIs('billing'),
              next_team: 'billing',
              context_updates: { urgency: '{{tasks.triage.output.urgency}}' },
            },
            { condition: intentIs('technical'), next_team: 'technical' },
          ],
          default: 'answer',
        },
      },
      billing: {
        tasks: [answerTask],
        routing: {
          rules: [{ condition: { task: 'reply', output_field: 'refund', operator: 'equals', value: true }, next_team: 'approval' }],
          default: null,
        },
      },
      technical: {
        tasks: [
          { name: 'research', agent: 'Researcher@v1', input: { question: '{{context.message}}' } },
          { ...answerTask, input: { message: '{{tasks.research.output.cause}}' }, depends_on: ['research'] },
        ],
      },
      answer: { tasks: [answerTask] },
      approval: {
        tasks: [{ name: 'note', persona_key: 'support', config: { user_text: 'Ask a person to approve this refund: {{input.message}}' } }],
      },
    },
  },
  'config/mcp.json': { servers },
  'config/mcp.lock.json': lockOf({ docs: docsTools, github: githubTools }),
  'config/payloads/Triage/double_charge.json': {
    input: { message: 'I was charged twice' },
    expect: [{ output_field: 'intent', operator: 'equals', value: 'billing' }],
  },
} as const;

type Path = keyof typeof deskProject;

/** A file of the project with other fields; undefined removes one. */
export function edited(path: Path, fields: object): ProjectFiles {
  return { [path]: { ...(deskProject[path] as object), ...fields } };
}

/** An agent of the project with other fields. */
export const agentWith = (name: 'Triage' | 'Answer' | 'Researcher' | 'Librarian' | 'Digest', fields: object): ProjectFiles =>
  edited(`config/agents/${name}/v1.json`, fields);

/** A team of the orchestration with other fields. */
export function deskWith(teams: Readonly<Record<string, object>>): ProjectFiles {
  const { teams: all } = deskProject['config/orchestrations/desk.json'];
  const mended = Object.fromEntries(
    Object.entries({ ...all, ...teams }).map(([id]) => [id, { ...(all as Readonly<Record<string, object>>)[id], ...teams[id] }]),
  );
  return edited('config/orchestrations/desk.json', { teams: mended });
}

export { answerTask, intentIs };
