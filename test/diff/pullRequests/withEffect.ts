import {
  agentWith,
  answerOutput,
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
  schemaOf,
  servers,
  triageOutput,
} from './project.js';

const { intake, billing } = deskProject['config/orchestrations/desk.json'].teams;
const engineer = deskProject['config/personas/engineer.json'];
const plan = deskProject['config/agents/Digest/v1.json'].execution_plan;
const [billingRule] = intake.routing.rules;
const isUrgent = { task: 'triage', output_field: 'urgency', operator: 'equals', value: 'high' };
const ownTool = (needsApproval: boolean) =>
  `export const refund = { name: 'refund', description: 'Pays back.', parameters: { type: 'object' }, needs_approval: ${needsApproval}, call: () => 'ok' };\n`;

const triagePrompt = deskProject['config/prompts/triage/v1.json'];
const withIntents = (...intents: readonly string[]) => ({
  ...triageOutput,
  properties: { ...triageOutput.properties, intent: { type: 'string', enum: intents } },
});

const otherIntents = deskWith({
  intake: {
    routing: {
      rules: [
        ...intake.routing.rules,
        {
          condition: [
            { task: 'triage', status: 'success' },
            { ...intentIs('billing'), operator: 'not_equals' },
            { ...intentIs('technical'), operator: 'not_equals' },
          ],
          next_team: 'answer',
        },
      ],
      default: null,
    },
  },
});

/** Pull requests after which something is sent, answered, allowed or chosen differently. */
export const withEffect: Readonly<Record<string, PullRequest>> = {
  'a persona names one more tool': {
    change: edited('config/personas/engineer.json', { enabled_tools: [...engineer.enabled_tools, 'create_issue'] }),
    subjects: ['Researcher', 'desk'],
    effects: ['tool', 'flow'].flatMap((what) => [`Researcher + ${what} github/create_issue`, `desk + ${what} github/create_issue`]),
    sends: ['Researcher', 'desk'],
  },
  'the list of tools goes, and every tool of the servers comes': {
    change: edited('config/personas/engineer.json', { enabled_tools: undefined }),
    subjects: ['Researcher', 'desk'],
    effects: ['github/create_issue', 'docs/list_directory', 'docs/write_file']
      .flatMap((name) => [`Researcher + tool ${name}`, `desk + tool ${name}`])
      .concat('Researcher - tool search_files', 'desk - tool search_files')
      .concat(['github/create_issue', 'docs/write_file'].flatMap((name) => [`Researcher + flow ${name}`, `desk + flow ${name}`])),
    sends: ['Researcher', 'desk'],
  },
  'the lock pins one more tool of a server without a list': {
    change: {
      'config/mcp.lock.json': lockOf({ docs: { ...docsTools, move_file: lockedTool('Move a file.', 'source') }, github: githubTools }),
    },
    subjects: ['Digest', 'Librarian'],
    effects: ['Digest + tool docs/move_file', 'Librarian + tool docs/move_file'],
    sends: ['Digest', 'Librarian'],
  },
  'an environment no longer restricts an agent': {
    change: { 'config/environments/prod.json': {} },
    subjects: ['Digest', 'Librarian'],
    effects: ['Digest + tool docs/list_directory', 'Librarian + tool docs/list_directory'],
    sends: ['Digest', 'Librarian'],
  },
  'a server is given the folder above': {
    change: { 'config/mcp.json': { servers: { ...servers, docs: { ...servers.docs, args: [...servers.docs.args.slice(0, 2), '.'] } } } },
    subjects: ['Digest', 'Librarian', 'Researcher', 'desk'],
    effects: ['Digest', 'Librarian', 'Researcher', 'desk'].map((name) => `${name} + files .`),
  },
  'a server of another release, and a tool that describes itself differently': {
    change: {
      'config/mcp.json': {
        servers: {
          ...servers,
          github: { ...servers.github, args: [...servers.github.args.slice(0, -1), 'ghcr.io/github/github-mcp-server:v1.0.0'] },
        },
      },
      'config/mcp.lock.json': lockOf({
        docs: docsTools,
        github: { ...githubTools, search_issues: lockedTool('Search for issues, also of private repositories.', 'q', 'owner') },
      }),
    },
    subjects: ['Researcher', 'desk'],
    effects: ['server github', 'tool github/search_issues'].flatMap((what) => [`Researcher ? ${what}`, `desk ? ${what}`]),
    sends: ['Researcher', 'desk'],
  },
  'a profile sends to another host': {
    change: edited('config/llms/small.json', { base_url: 'https://proxy.example.net/v1' }),
    subjects: ['Triage', 'desk'],
    effects: ['+ network proxy.example.net', '- network gateway.example.com'].flatMap((what) => [`Triage ${what}`, `desk ${what}`]),
    sends: ['Triage', 'desk'],
  },
  'an exclusion goes, and a server comes': {
    change: agentWith('Librarian', { exclude_components: undefined, client_ids: ['docs', 'github'] }),
    subjects: ['Digest', 'Librarian'],
    effects: ['+ tool docs/write_file', '+ server github', '+ flow docs/write_file', '+ flow github/create_issue'].flatMap((what) => [
      `Digest ${what}`,
      `Librarian ${what}`,
    ]),
    sends: ['Digest', 'Librarian'],
  },
  'a plan and a team call agents that they did not call': {
    change: {
      ...agentWith('Digest', {
        execution_plan: { steps: [{ name: 'sort', agent: 'Triage@v1', input: { message: '{{input.question}}' } }, ...plan.steps] },
      }),
      ...deskWith({
        answer: {
          tasks: [{ name: 'lookup', agent: 'Librarian@v1', input: { question: '{{context.message}}' }, required: false }, answerTask],
        },
      }),
    },
    subjects: ['Digest', 'desk'],
    effects: [
      ...['Digest + agent Triage', 'Digest + network gateway.example.com', 'Digest opened Digest -> sort'],
      ...['desk + agent Librarian', 'desk + tool docs/list_directory'],
    ],
    // The budget of the plan bounds it as before.
    dearer: ['desk'],
    sends: ['Digest'],
  },
  'the budget of every agent goes, and a loop may turn more often': {
    change: {
      ...edited('config/system.json', { agent_defaults: { llm_config_id: 'main' } }),
      ...agentWith('Librarian', { max_iterations: 25 }),
    },
    subjects: ['Answer', 'Digest', 'Librarian', 'Researcher', 'Triage', 'desk'],
    effects: [
      ...['Answer', 'Digest', 'Librarian', 'Researcher', 'Triage', 'desk'].map((name) => `${name} + limit max_cost`),
      'Digest + limit max_iterations',
      'Librarian + limit max_iterations',
    ],
    // Loops are told their limits, and may cost more than the budget allowed.
    sends: ['Digest', 'Librarian', 'Researcher', 'desk'],
    dearer: ['Digest', 'Librarian', 'Researcher', 'desk'],
  },
  'an agent is exposed': {
    change: agentWith('Answer', { expose: true }),
    subjects: ['Answer'],
    effects: ['Answer + exposure Answer'],
  },
  'the code of an own tool no longer asks for an approval': {
    before: {
      'agentstack.json': { environment: 'dev', tools: './tools/index.mjs', skills: { refund: { description: 'Pays back.' } } },
      'tools/index.mjs': ownTool(true),
      ...agentWith('Librarian', { enabled_tools: ['read_text_file', 'refund'] }),
    },
    change: { 'tools/index.mjs': ownTool(false) },
    missed: ['Digest + approval refund', 'Librarian + approval refund'],
    incomparable: ['./tools/index.mjs'],
  },
  'a field of the answer goes that a rule reads': {
    change: agentWith('Answer', {
      output_schema: schemaOf({ reply: { type: 'string' }, amount: answerOutput.properties.amount }, 'reply'),
    }),
    subjects: ['Answer', 'Digest', 'desk'],
    breaks: ['Answer output refund', 'Digest output refund'],
    sends: ['Answer', 'Digest'],
    stops: ['desk after'],
    cheaper: ['Answer'],
  },
  'a value more, which makes a rule possible': {
    before: { ...agentWith('Triage', { output_schema: withIntents('billing', 'technical') }), ...otherIntents },
    change: agentWith('Triage', { output_schema: withIntents('billing', 'technical', 'general') }),
    subjects: ['Triage', 'desk'],
    sends: ['Triage', 'desk'],
    effects: ['desk opened intake -> answer'],
    breaks: ['Triage output intent', 'desk output intent'],
    dearer: ['Triage', 'desk'],
  },
  'another type, and a field that is no longer required': {
    change: {
      ...agentWith('Answer', {
        output_schema: { ...answerOutput, properties: { ...answerOutput.properties, amount: { type: 'string' } } },
      }),
      ...agentWith('Triage', { output_schema: { ...triageOutput, required: ['intent'] } }),
    },
    subjects: ['Answer', 'Digest', 'Triage', 'desk'],
    breaks: ['Answer', 'Digest', 'desk'].map((name) => `${name} output amount`).concat('Triage output urgency', 'desk output urgency'),
    sends: ['Answer', 'Digest', 'Triage', 'desk'],
    cheaper: ['Answer', 'Triage', 'desk'],
  },
  'a key more that the input must have': {
    change: agentWith('Answer', {
      input_keys: ['message', 'order'],
      user_text: 'Answer this message about {{input.order}}:\n\n{{input.message}}',
    }),
    subjects: ['Answer', 'Digest', 'desk'],
    breaks: ['Answer input order'],
    sends: ['Answer'],
    dearer: ['Answer'],
    stops: ['Digest after', 'desk after'],
  },
  'a field of an inherited schema goes': {
    change: edited('config/personas/engineer.json', { output_schema: schemaOf({ cause: { type: 'string' } }, 'cause') }),
    subjects: ['Researcher', 'desk'],
    breaks: ['Researcher output known', 'desk output known'],
    sends: ['Researcher', 'desk'],
  },
  'a rule comes and another goes': {
    change: deskWith({ intake: { routing: { rules: [billingRule, { condition: isUrgent, next_team: 'approval' }], default: 'answer' } } }),
    subjects: ['desk'],
    effects: [
      ...['desk opened intake -> approval', 'desk closed intake -> technical'],
      // No route leads to the team any more that used them.
      ...['desk - agent Researcher', 'desk - server docs', 'desk - server github', 'desk - tool search_files'],
    ],
    cheaper: ['desk'],
  },
  'defaults lead elsewhere, one of them back, one in a circle, and a step of a plan gets a condition': {
    change: {
      ...deskWith({
        intake: { routing: { ...intake.routing, default: null } },
        billing: { routing: { ...billing.routing, default: 'intake' } },
        approval: { routing: { default: 'approval' } },
      }),
      ...agentWith('Digest', {
        execution_plan: {
          steps: [
            { ...plan.steps[0], on_error: 'continue' },
            { ...plan.steps[1], when: { step: 'find', status: 'success' } },
          ],
        },
      }),
    },
    subjects: ['Digest', 'desk'],
    effects: [
      ...['desk opened intake -> end', 'desk closed intake -> answer', 'desk opened billing -> intake', 'desk closed billing -> end'],
      ...['desk opened approval -> approval', 'desk closed approval -> end', 'desk endless approval -> approval'],
      'Digest redirected Digest -> write',
    ],
    dearer: ['desk'],
  },
  'an agent goes, with the step that calls it': {
    change: {
      'config/agents/Librarian': null,
      'config/environments/prod.json': {},
      ...agentWith('Digest', { execution_plan: { steps: [{ ...plan.steps[1], input: { message: '{{input.question}}' } }] } }),
    },
    subjects: ['Digest', 'Librarian'],
    sends: ['Digest'],
    effects: [
      ...['Digest - agent Librarian', 'Digest - server docs', 'Digest closed Digest -> find'],
      ...['Librarian - server docs', 'Librarian - network api.openai.com'],
    ],
    cheaper: ['Digest'],
  },
  'a profile calls a dearer model, for longer answers': {
    change: edited('config/llms/small.json', { model_name: 'gpt-5.4-mini', max_output_tokens: 1000 }),
    subjects: ['Triage', 'desk'],
    dearer: ['Triage', 'desk'],
    sends: ['Triage', 'desk'],
  },
  'a prompt of the store as Markdown, with one more sentence': {
    change: {
      'config/prompts/triage/v1.json': null,
      'config/prompts/triage/v1.md': `---\nfew_shot_examples: ${JSON.stringify(triagePrompt.few_shot_examples)}\n---\n${triagePrompt.template}\nAn invoice that is missing is, too.\n`,
    },
    subjects: ['Triage', 'desk'],
    sends: ['Triage', 'desk'],
    dearer: ['Triage', 'desk'],
  },
  'the project says what a model costs': {
    change: { 'agentstack.json': { environment: 'dev', models: { 'gpt-5.4-nano': { price: { input: 0.01, output: 0.04 } } } } },
    subjects: ['Triage', 'desk'],
    cheaper: ['Triage', 'desk'],
  },
  'a new version of an agent, for a task that names none': {
    before: deskWith({ intake: { tasks: [{ ...intake.tasks[0], agent: 'Triage' }] } }),
    change: {
      'config/agents/Triage/v2.json': {
        ...deskProject['config/agents/Triage/v1.json'],
        version: 'v2',
        output_schema: {
          ...triageOutput,
          properties: { ...triageOutput.properties, urgency: { type: 'string', enum: ['low', 'high', 'critical'] } },
        },
      },
    },
    subjects: ['Triage', 'desk'],
    sends: ['Triage', 'desk'],
    breaks: ['Triage output urgency', 'desk output urgency'],
    dearer: ['Triage', 'desk'],
  },
  'a file that is broken on one side': {
    change: { 'config/agents/Triage/v1.json': '{ "agent_name": "Triage", "version": "v1", }' },
    subjects: ['Triage', 'desk'],
    stops: ['Triage after', 'desk after'],
  },
};
