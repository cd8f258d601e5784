import type { ProjectFiles } from '../../support/changedProject.js';
import {
  agentWith,
  answerTask,
  deskProject,
  deskWith,
  docsTools,
  edited,
  githubTools,
  intentIs,
  lockedTool,
  lockOf,
  type PullRequest,
  servers,
} from './project.js';

const { rules } = deskProject['config/orchestrations/desk.json'].teams.intake.routing;
const triage = deskProject['config/agents/Triage/v1.json'];
const answer = deskProject['config/agents/Answer/v1.json'];
const template = deskProject['config/prompts/triage/v1.json'];
const small = deskProject['config/llms/small.json'];
const desk = deskProject['config/orchestrations/desk.json'];
const windows = (value: object) => `\uFEFF${JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n')}\r\n`;
const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());

/** Every mention of a name in the files that have one. */
function renamed(from: string, to: string): ProjectFiles {
  const change: Record<string, object | string> = {};
  for (const [path, value] of Object.entries(deskProject)) {
    const text = JSON.stringify(value);
    if (path.endsWith('.json') && text.includes(from)) change[path] = text.replaceAll(from, to);
  }
  return change;
}

/** Pull requests after which every agent and orchestration sends, takes, answers, costs and may do the same. */
export const withoutEffect: Readonly<Record<string, PullRequest>> = {
  'the keys of an agent in another order': { change: { 'config/agents/Triage/v1.json': reversed(triage) } },
  'files with tabs, line ends of Windows and a byte order mark': {
    change: {
      'config/agents/Triage/v1.json': windows(triage),
      'config/agents/Answer/v1.json': windows(answer),
      'config/orchestrations/desk.json': windows(desk),
    },
  },
  'the description of an agent that is not exposed': { change: agentWith('Answer', { description: 'Answers the messages of customers.' }) },
  '$schema and $ignore': {
    change: {
      ...agentWith('Triage', { $schema: 'https://example.com/agent.schema.json', $ignore: { 'empty-text': true } }),
      ...edited('config/llms/small.json', { $schema: 'https://example.com/llm.schema.json' }),
    },
  },
  'an unused persona under another name': {
    change: { 'config/personas/retired.json': null, 'config/personas/former.json': deskProject['config/personas/retired.json'] },
  },
  'a profile and a server that nobody uses, with its tools': {
    change: {
      'config/llms/large.json': { provider: 'openai', model_name: 'gpt-5.4', api_key: 'secret://openai' },
      'config/mcp.json': { servers: { ...servers, playwright: { command: 'npx', args: ['-y', '@playwright/mcp@latest', '--headless'] } } },
      'config/mcp.lock.json': lockOf({ docs: docsTools, github: githubTools, playwright: { browser_click: lockedTool('Click.', 'ref') } }),
    },
  },
  'a server under another name, with its mentions, and a step of a plan': {
    change: {
      ...edited('config/personas/engineer.json', { client_ids: ['github', 'files'] }),
      ...agentWith('Librarian', { client_ids: ['files'] }),
      ...agentWith('Digest', {
        execution_plan: {
          steps: [
            { name: 'search', agent: 'Librarian@v1', input: { question: '{{input.question}}' } },
            { name: 'write', agent: 'Answer@v1', input: { message: '{{steps.search.output}}' } },
          ],
        },
      }),
      'config/mcp.json': { servers: { github: servers.github, files: servers.docs } },
      'config/mcp.lock.json': lockOf({ files: docsTools, github: githubTools }),
    },
  },
  'a layer that higher ones hide': {
    change: edited('config/system.json', {
      agent_defaults: { llm_config_id: 'main', budget: { max_cost: 0.5 }, max_output_tokens: 100 },
      agents: { Triage: { llm_config_id: 'main' }, Answer: { system_text: 'Hidden by the persona.' } },
    }),
  },
  'a prompt of the store as Markdown': {
    change: {
      'config/prompts/triage/v1.json': null,
      'config/prompts/triage/v1.md': `---\r\nfew_shot_examples: ${JSON.stringify(template.few_shot_examples)}\r\n---\r\n\r\n${template.template.replaceAll('\n', '\r\n')}\r\n`,
    },
  },
  'a system text that moves to the prompt store': {
    change: {
      ...agentWith('Librarian', { system_text: undefined, prompts: { system_prompt: 'librarian@v1' } }),
      'config/prompts/librarian/v1.md': `${deskProject['config/agents/Librarian/v1.json'].system_text}\n`,
    },
  },
  'a condition written in another way': {
    change: deskWith({
      intake: {
        routing: {
          rules: [
            { ...rules[0], condition: { task: 'triage', output_field: 'intent', operator: 'in', value: ['billing'] } },
            { ...rules[1], condition: [intentIs('technical'), { not: intentIs('general') }] },
          ],
          default: 'answer',
        },
      },
    }),
  },
  'two rules that exclude each other, swapped': {
    change: deskWith({ intake: { routing: { rules: [rules[1], rules[0]], default: 'answer' } } }),
  },
  'teams in another order': { change: { 'config/orchestrations/desk.json': { ...desk, teams: reversed(desk.teams) } } },
  'a team that nothing leads to': { change: deskWith({ archive: { tasks: [{ ...answerTask, name: 'file' }] } }) },
  'defaults written out': {
    change: {
      ...agentWith('Librarian', { max_iterations: 10, tool_protocol: 'native', timeout_ms: 30000 }),
      ...agentWith('Answer', { temperature: 0, expose: false, tracing: { enabled: true, sample_rate: 1 } }),
      ...agentWith('Triage', { enums: { intent: ['billing', 'technical', 'general'], urgency: ['low', 'high'] } }),
      ...deskWith({ answer: { routing: { default: null } } }),
      'config/mcp.json': { servers: { ...servers, docs: { type: 'stdio', ...servers.docs } } },
    },
  },
  'a value that moves to another layer': {
    change: {
      ...agentWith('Researcher', { max_iterations: undefined }),
      ...edited('config/personas/engineer.json', { max_iterations: 8 }),
      ...edited('config/system.json', { agent_defaults: { budget: { max_cost: 0.5 } } }),
      ...edited('config/environments/dev.json', { agent_defaults: { llm_config_id: 'main' } }),
      ...edited('config/environments/prod.json', { agent_defaults: { llm_config_id: 'main' } }),
    },
  },
  'cases that come and are renamed': {
    change: {
      'config/payloads/Triage/double_charge.json': null,
      'config/payloads/Triage/charged_twice.json': deskProject['config/payloads/Triage/double_charge.json'],
      'config/payloads/Answer/hello.json': { input: { message: 'Hello' } },
    },
  },
  'an environment equal to another': {
    change: { 'config/environments/stage.json': deskProject['config/environments/prod.json'] },
    incomparable: ['environment stage'],
  },
  'a persona under another name, with its mentions': {
    change: {
      ...agentWith('Answer', { persona_key: 'desk_support' }),
      ...deskWith({ approval: { tasks: [{ ...desk.teams.approval.tasks[0], persona_key: 'desk_support' }] } }),
      'config/personas/support.json': null,
      'config/personas/desk_support.json': deskProject['config/personas/support.json'],
    },
  },
  'a profile under another name, with its mentions': {
    change: { ...agentWith('Triage', { llm_config_id: 'tiny' }), 'config/llms/small.json': null, 'config/llms/tiny.json': small },
  },
  'files of other tools, texts, and the severity of a rule': {
    change: {
      'README.md': 'The support desk, and how to run it.\n',
      'CLAUDE.md': 'Run the tests.\n',
      '.mcp.json': { mcpServers: { github: { type: 'http', url: 'https://api.githubcopilot.com/mcp/' } } },
      'agentstack.json': { environment: 'dev', rules: { 'unused-persona': 'off' } },
    },
  },
  'a config folder under another name': {
    change: {
      ...Object.fromEntries(Object.entries(deskProject).map(([path, value]) => [path.replace(/^config\//, 'agents/'), value])),
      'agentstack.json': { environment: 'dev', config_dir: 'agents' },
      config: null,
    },
  },
  'a variable whose fallback is the value': {
    change: edited('config/llms/small.json', {
      model_name: '${SMALL_MODEL:-gpt-5.4-nano}',
      base_url: '${GATEWAY:-https://gateway.example.com}/v1',
    }),
  },
  'a tool of the lock that is excluded, and tools listed in another order, one by its full name': {
    before: agentWith('Librarian', { exclude_components: ['write_file', 'move_file'] }),
    change: {
      'config/mcp.lock.json': lockOf({ docs: { ...docsTools, move_file: lockedTool('Move a file.', 'source') }, github: githubTools }),
      ...edited('config/personas/engineer.json', { enabled_tools: ['search_files', 'docs_read_text_file', 'search_issues', 'get_issue'] }),
    },
  },
  'a plain agent under another name, with its mentions': {
    change: { ...renamed('Answer@v1', 'Reply@v1'), 'config/agents/Answer': null, 'config/agents/Reply/v1.json': answer },
    subjects: ['Reply'],
  },
};
