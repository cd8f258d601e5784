import { expect, test } from 'vitest';
import type { JsonObject } from '../../core/json.js';
import { createFlowGraph } from '../../core/permits/flowGraph.js';
import { provePolicy } from '../../core/permits/prove.js';
import { looping, type PermitFiles, servers, subjectsOf } from './support.js';

/** What the same situation is about: a tool that reads what strangers or customers wrote, and one that tells others. */
interface Words {
  readonly from: 'untrusted' | 'private';
  readonly source: readonly [server: string, tool: string];
  readonly sink: readonly [server: string, tool: string];
  readonly reader: string;
  readonly writer: string;
  /** A field with a fixed choice, and one with a text. */
  readonly choice: string;
  readonly prose: string;
}

const vocabularies: readonly Words[] = [
  {
    from: 'untrusted',
    source: ['github', 'list_issues'],
    sink: ['mail', 'send_mail'],
    reader: 'Triage',
    writer: 'Mailer',
    choice: 'severity',
    prose: 'summary',
  },
  {
    from: 'untrusted',
    source: ['browser', 'read_page'],
    sink: ['slack', 'post_message'],
    reader: 'Researcher',
    writer: 'Announcer',
    choice: 'topic',
    prose: 'quote',
  },
  {
    from: 'private',
    source: ['postgres', 'run_query'],
    sink: ['webhook', 'notify'],
    reader: 'Analyst',
    writer: 'Reporter',
    choice: 'trend',
    prose: 'finding',
  },
  {
    from: 'untrusted',
    source: ['inbox', 'fetch_mails'],
    sink: ['tickets', 'answer_customer'],
    reader: 'Sorter',
    writer: 'Support',
    choice: 'queue',
    prose: 'draft',
  },
  {
    from: 'private',
    source: ['crm', 'get_customer'],
    sink: ['social', 'publish_post'],
    reader: 'Clerk',
    writer: 'Publisher',
    choice: 'segment',
    prose: 'story',
  },
];

type Outcome = 'proved' | 'refuted' | 'not_known';

interface Situation {
  readonly files: PermitFiles;
  readonly from?: string;
  readonly to?: string;
  readonly without?: 'approval';
}

/** Each with its answer, which was written by hand before it was asked. */
const situations: Readonly<Record<string, readonly [Outcome, (words: Words) => Situation]>> = {
  'one agent with both tools': ['refuted', (w) => alone(w, {})],
  'one agent that names both tools': ['refuted', (w) => alone(w, { enabled_tools: [w.source[1], w.sink.join('_')] })],
  'both tools, and each call is approved': ['proved', (w) => ({ ...alone(w, {}), without: 'approval' })],
  'the tool that tells is excluded': ['proved', (w) => alone(w, { exclude_components: [w.sink[1]] })],
  'the tool that reads is not enabled': ['proved', (w) => alone(w, { enabled_tools: [w.sink[1], 'current_time'] })],
  'the server that tells is not there': ['proved', (w) => alone(w, { client_ids: [w.source[0]] })],
  'two agents that never meet': ['proved', (w) => pair(w, {}, {})],
  'nobody labelled the tool that tells': ['not_known', (w) => alone(w, {}, { sink: null })],
  'nobody labelled the tool that reads': ['not_known', (w) => alone(w, {}, { source: null })],
  'a server that nobody has listed': ['not_known', (w) => alone(w, { client_ids: [w.source[0], 'unlisted'] })],
  'two agents with one session': ['refuted', (w) => pair(w, { include_history: true }, { include_history: true })],
  'only one of them has the session': ['proved', (w) => pair(w, { include_history: true }, {})],
  'notes that the other reads': ['refuted', (w) => ({ ...pair(w, {}, {}, ['notes'], ['notes']), from: w.source.join('/') })],
  'notes that the other cannot list': [
    'proved',
    (w) => ({ ...pair(w, {}, { exclude_components: ['list_notes'] }, ['notes'], ['notes']), from: w.source.join('/') }),
  ],
  'notes that nobody writes': [
    'proved',
    (w) => ({ ...pair(w, { exclude_components: ['save_note'] }, {}, ['notes'], ['notes']), from: w.source.join('/') }),
  ],
  'a file that the other reads': [
    'refuted',
    (w) => ({ ...pair(w, {}, { enabled_tools: ['read_file', w.sink[1]] }, ['disk'], []), from: w.source.join('/') }),
  ],
  'a file that the other does not read': [
    'proved',
    (w) => ({ ...pair(w, {}, { enabled_tools: ['calculator', w.sink[1]] }, ['disk'], []), from: w.source.join('/') }),
  ],
  'what a stranger wrote is run': ['refuted', (w) => ({ ...alone(w, { client_ids: [w.source[0], 'shell'] }), to: 'runs_code' })],
  'what a stranger wrote cannot be run': ['proved', (w) => ({ ...alone(w, {}), to: 'runs_code' })],

  'a choice goes on in the team': ['proved', (w) => team(w, { told: `{{tasks.read.output.${w.choice}}}` })],
  'prose goes on in the team': ['refuted', (w) => team(w, { told: `{{tasks.read.output.${w.prose}}}` })],
  'prose goes on inside a sentence': ['refuted', (w) => team(w, { told: `Please tell: {{tasks.read.output.${w.prose}}}!` })],
  'the whole answer goes on': ['refuted', (w) => team(w, { told: '{{tasks.read.output}}' })],
  'the whole answer has only choices': ['proved', (w) => team(w, { told: '{{tasks.read.output}}' }, only(w))],
  'only choices, but more fields are allowed': [
    'refuted',
    (w) => team(w, { told: '{{tasks.read.output}}' }, { type: 'object', properties: { [w.choice]: choices } }),
  ],
  'a choice that may be empty': [
    'proved',
    (w) => team(w, { told: `{{tasks.read.output.${w.choice}}}` }, fields({ [w.choice]: { anyOf: [choices, { type: 'null' }] } })),
  ],
  'a list of choices': [
    'proved',
    (w) => team(w, { told: `{{tasks.read.output.${w.choice}}}` }, fields({ [w.choice]: { type: 'array', items: choices } })),
  ],
  'the first of a list of texts': [
    'refuted',
    (w) => team(w, { told: `{{tasks.read.output.${w.prose}.0}}` }, fields({ [w.prose]: { type: 'array', items: { type: 'string' } } })),
  ],
  'a short text is a text': [
    'refuted',
    (w) =>
      team(w, { told: `{{tasks.read.output.${w.prose}}}` }, fields({ [w.prose]: { type: 'string', maxLength: 80, pattern: '^[a-z ]*$' } })),
  ],
  'a count': ['proved', (w) => team(w, { told: `{{tasks.read.output.${w.choice}}}` }, fields({ [w.choice]: { type: 'integer' } }))],
  'a choice by reference': [
    'proved',
    (w) =>
      team(
        w,
        { told: `{{tasks.read.output.${w.choice}}}` },
        { ...fields({ [w.choice]: { $ref: '#/definitions/it' } }), definitions: { it: choices } },
      ),
  ],
  'an answer without a contract': ['refuted', (w) => team(w, { told: '{{tasks.read.output}}' }, null)],
  'nothing of it goes on': ['proved', (w) => team(w, { told: '{{input.question}}' })],
  'a task that may not call the tool': [
    'proved',
    (w) => team(w, { told: `{{tasks.read.output.${w.prose}}}` }, undefined, { exclude_components: [w.sink[1]] }),
  ],
  'prose in the context of the next team': ['refuted', (w) => teams(w, `{{tasks.read.output.${w.prose}}}`, undefined)],
  'a choice in the context of the next team': ['proved', (w) => teams(w, `{{tasks.read.output.${w.choice}}}`, undefined)],
  'a context that the task is not given': ['proved', (w) => teams(w, `{{tasks.read.output.${w.prose}}}`, { told: 'the usual' })],
  'a route that is never taken': ['proved', (w) => teams(w, `{{tasks.read.output.${w.prose}}}`, undefined, true)],

  'a plan from one to the other': ['refuted', (w) => plan(w, [read(w), tell(w, '{{steps.read.output}}')])],
  'a plan that tells first': ['proved', (w) => plan(w, [tell(w, '{{input.text}}'), read(w)])],
  'a plan that tells something fixed': ['proved', (w) => plan(w, [read(w), tell(w, 'There is something new.')])],
  'a plan by way of a prompt': [
    'refuted',
    (w) => plan(w, [read(w), { name: 'write', llm: 'Shorten: {{steps.read.output}}' }, tell(w, '{{steps.write.output}}')]),
  ],
  'a plan by way of an agent that chooses': ['proved', (w) => plan(w, [read(w), judge(), tell(w, `{{steps.judge.output.${w.choice}}}`)])],
  'a plan by way of an agent that writes': ['refuted', (w) => plan(w, [read(w), judge(), tell(w, `{{steps.judge.output.${w.prose}}}`)])],
  'a plan by way of a calculation': [
    'proved',
    (w) =>
      plan(w, [
        read(w),
        { name: 'sum', skill: 'calculator', input: { expression: '{{steps.read.output}}' } },
        tell(w, '{{steps.sum.output}}'),
      ]),
  ],
  'a plan that goes on after failures': [
    'refuted',
    (w) =>
      plan(w, [
        { ...read(w), on_error: 'continue' },
        { ...tell(w, '{{steps}}'), when: { step: 'read', status: 'success' } },
      ]),
  ],
};

const choices: JsonObject = { type: 'string', enum: ['one', 'other'] };

function fields(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function only({ choice }: Words): JsonObject {
  return fields({ [choice]: choices, count: { type: 'number' } });
}

function report({ choice, prose }: Words): JsonObject {
  return fields({ [choice]: choices, [prose]: { type: 'string' } });
}

function tools({ from, source, sink }: Words, nobody: { source?: null; sink?: null } = {}): PermitFiles {
  const reads = from === 'untrusted' ? { reads: 'public', untrusted: true } : { reads: 'private' };
  const base = servers({
    [source[0]]: { [source[1]]: nobody.source === null ? null : reads },
    [sink[0]]: { [sink[1]]: nobody.sink === null ? null : { sends: true } },
    notes: { save_note: { changes: true }, list_notes: { reads: 'private' } },
    disk: { write_file: { changes: true } },
    shell: { execute: { runs_code: true } },
  });
  const disk = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '.'] };
  return { ...base, mcp: { servers: { ...(base.mcp?.servers as JsonObject), disk, unlisted: { command: 'late' } } } };
}

function alone(w: Words, agent: JsonObject, nobody: { source?: null; sink?: null } = {}): Situation {
  return {
    files: { ...tools(w, nobody), [`agents/${w.reader}/v1`]: looping(w.reader, { client_ids: [w.source[0], w.sink[0]], ...agent }) },
  };
}

function pair(w: Words, first: JsonObject, second: JsonObject, more: readonly string[] = [], others: readonly string[] = []): Situation {
  return {
    files: {
      ...tools(w),
      [`agents/${w.reader}/v1`]: looping(w.reader, { client_ids: [w.source[0], ...more], ...first }),
      [`agents/${w.writer}/v1`]: looping(w.writer, { client_ids: [w.sink[0], ...others], ...second }),
    },
  };
}

function members(w: Words, output_schema: JsonObject | null | undefined): PermitFiles {
  const { output_schema: _, ...reader } = looping(w.reader, { client_ids: [w.source[0]] });
  return {
    ...tools(w),
    [`agents/${w.reader}/v1`]: { ...reader, ...(output_schema !== null && { output_schema: output_schema ?? report(w) }) },
    [`agents/${w.writer}/v1`]: looping(w.writer, { client_ids: [w.sink[0]] }),
  };
}

function team(w: Words, input: JsonObject, output_schema?: JsonObject | null, config?: JsonObject): Situation {
  const tasks = [
    { name: 'read', agent: `${w.reader}@v1` },
    { name: 'tell', agent: `${w.writer}@v1`, input, ...(config && { config }) },
  ];
  const flow = { name: 'flow', entry_team: 'all', teams: { all: { name: 'all', tasks, routing: { default: null } } } };
  return { files: { ...members(w, output_schema), 'orchestrations/flow': flow } };
}

function teams(w: Words, told: string, input: JsonObject | undefined, isTaken = false): Situation {
  const condition = { task: 'read', output_field: w.choice, operator: 'equals', value: 'one' };
  // The first rule that matches counts.
  const first = isTaken ? [{ condition, next_team: null }] : [];
  const rules = [...first, { condition, next_team: 'second', context_updates: { told } }];
  const flow = {
    name: 'flow',
    entry_team: 'first',
    teams: {
      first: { name: 'first', tasks: [{ name: 'read', agent: `${w.reader}@v1` }], routing: { rules, default: null } },
      second: { name: 'second', tasks: [{ name: 'tell', agent: `${w.writer}@v1`, ...(input && { input }) }], routing: { default: null } },
    },
  };
  return { files: { ...members(w, undefined), 'orchestrations/flow': flow } };
}

function read({ source }: Words): JsonObject {
  return { name: 'read', skill: source[1], input: { about: '{{input.text}}' } };
}

function tell({ sink }: Words, text: string): JsonObject {
  return { name: 'tell', skill: sink.join('_'), input: { text } };
}

function judge(): JsonObject {
  return { name: 'judge', agent: 'Judge@v1', input: { text: '{{steps.read.output}}' } };
}

function plan(w: Words, steps: readonly JsonObject[]): Situation {
  const common = { version: 'v1', client_ids: [w.source[0], w.sink[0]] };
  return {
    files: {
      ...tools(w),
      'agents/Plan/v1': { ...common, agent_name: 'Plan', agent_type: 'orchestrating', execution_plan: { steps } },
      'agents/Judge/v1': looping('Judge', { output_schema: report(w) }),
    },
  };
}

test('situations whose answers are known', async () => {
  const wrong: string[] = [];
  const figures = { cases: 0, refuted: 0, missed: 0, false_ones: 0 };
  for (const [name, [expected, situationOf]] of Object.entries(situations)) {
    for (const words of vocabularies) {
      const { files, from = words.from, to = 'sends', without } = situationOf(words);
      const subjects = [...(await subjectsOf(files)).values()];
      const never = [{ from, to, ...(without && { without }) }];
      const outcome = provePolicy(createFlowGraph(subjects), subjects, { never })[0]?.outcome;
      figures.cases += 1;
      if (outcome === 'refuted') figures.refuted += 1;
      if (outcome === 'refuted' && expected !== 'refuted') figures.false_ones += 1;
      if (outcome === 'proved' && expected !== 'proved') figures.missed += 1;
      if (outcome !== expected) wrong.push(`${name} (${words.source.join('/')} -> ${words.sink.join('/')}): ${outcome}, not ${expected}`);
    }
  }
  if (process.env.PERMITS_PROJECTS !== undefined) console.log(JSON.stringify(figures));
  expect(wrong).toEqual([]);
  expect(figures.cases).toBeGreaterThanOrEqual(200);
});
