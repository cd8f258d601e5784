import { expect, test, vi } from 'vitest';
import type { AgentEvent } from '../../core/agent/events.js';
import type { Policy } from '../../core/generated/types.js';
import type { JsonObject } from '../../core/json.js';
import { deedsWords } from '../../core/tools/policyReason.js';
import { defineTool } from '../../core/tools/registry.js';
import type { ApproveTool, ToolRequest } from '../../core/tools/types.js';
import { agent, calls, type PolicyProjectOptions, policyProject, says, standard } from './policyProject.js';

const never: Policy = { never: [{ from: 'untrusted', to: 'sends' }] };
const withApproval: Policy = { never: [{ from: 'untrusted', to: 'sends', without: 'approval' }] };
const allow: ApproveTool = async () => 'allow';

/** What the tools of a run answered, by name. */
function answers(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'tool_result'
      ? event.tool_results.map(({ name, output, is_error }) => `${name}${is_error ? ' failed' : ''}: ${String(output)}`)
      : [],
  );
}

const both = { 'agents/A/v1': agent('A', { client_ids: ['github', 'mail'] }) };
const place = 'config/system.json#/policy/never/0';
const denied = (way: string) =>
  `The policy denies this call: never untrusted -> sends: ${way} (${place}). Do not ask for it again; go on without it, or say what is missing.`;

test('a call is denied once its source has been called in this run, and the run goes on', async () => {
  const { run, called } = policyProject({
    policy: never,
    files: both,
    script: { A: [calls('send'), calls('search', 'count'), calls('send', 'close'), says('done')] },
  });
  const { events, result } = await run('A', { approve: allow });
  expect(answers(events)).toEqual([
    'send: send: send',
    'search: search: search',
    'count: count: count',
    `send failed: ${denied('github/search (untrusted) -> A -> mail/send (sends)')}`,
    'close: close: close',
  ]);
  expect(called().toSorted()).toEqual(['close close', 'count count', 'search search', 'send send']);
  expect(result).toMatchObject({ status: 'completed', text: 'done' });
  expect(result.tool_calls.filter(({ is_error }) => is_error)).toMatchObject([{ name: 'send' }]);
});

test('calls of one turn are written before any of its answers is read', async () => {
  const { run, called } = policyProject({
    policy: never,
    files: both,
    script: { A: [calls('search', 'send'), calls('send'), says('done')] },
  });
  expect(answers((await run('A', { approve: allow })).events).at(-1)).toContain('send failed: The policy denies');
  expect(called().toSorted()).toEqual(['search search', 'send send']);
});

test('what an agent may not do is denied, also where labels are missing', async () => {
  const policy: Policy = { agents: { A: { may_not: ['sends', 'github/close'] } } };
  const { run, called } = policyProject({ policy, files: both, script: { A: [calls('send', 'odd', 'close', 'count'), says('done')] } });
  const { events } = await run('A', { approve: allow });
  const refused = 'Do not ask for it again; go on without it, or say what is missing.';
  expect(answers(events)).toEqual([
    `send failed: The policy denies this call: A may not: sends (config/system.json#/policy/agents/A/may_not/0). ${refused}`,
    `odd failed: The policy denies this call: A may not: sends (config/system.json#/policy/agents/A/may_not/0; not all of these tools are labelled). ${refused}`,
    `close failed: The policy denies this call: A may not: github/close (config/system.json#/policy/agents/A/may_not/1). ${refused}`,
    'count: count: count',
  ]);
  expect(called()).toEqual(['count count']);
});

test('a tool without labels is denied as source and as sink while the policy needs them', async () => {
  const { run } = policyProject({ policy: never, files: both, script: { A: [calls('odd'), calls('send'), says('done')] } });
  expect(answers((await run('A', { approve: allow })).events)).toEqual([
    'odd: odd: odd',
    expect.stringContaining('mail/odd (not labelled) -> A -> mail/send (sends) (config/system.json#/policy/never/0; not all'),
  ]);
  const sink = policyProject({ policy: never, files: both, script: { A: [calls('search'), calls('odd'), says('done')] } });
  expect(answers((await sink.run('A', { approve: allow })).events)[1]).toContain(
    'github/search (untrusted) -> A -> mail/odd (not labelled)',
  );
});

const reader = agent('Reader', { client_ids: ['github'], enabled_tools: ['search'] });
const writer = agent('Writer', { client_ids: ['mail'], enabled_tools: ['send'], input_keys: ['seen'] });

test('data that comes through the steps of a plan', async () => {
  const plan = (input: string): JsonObject => ({
    agent_name: 'Plan',
    version: 'v1',
    agent_type: 'orchestrating',
    client_ids: ['mail'],
    execution_plan: {
      steps: [
        { name: 'read', agent: 'Reader@v1', input: {} },
        { name: 'write', agent: 'Writer@v1', input: { seen: input }, on_error: 'continue' },
        { name: 'send', skill: 'send', input: { q: input } },
      ],
    },
  });
  const script = { Reader: [calls('search'), says('bad')], Writer: [calls('send'), says('sent')] };
  const files = (input: string) => ({ 'agents/Reader/v1': reader, 'agents/Writer/v1': writer, 'agents/Plan/v1': plan(input) });
  const flows = policyProject({ policy: never, files: files('{{steps.read.output}}'), script });
  const { events, result } = await flows.run('Plan', { approve: allow });
  expect(answers(events)).toEqual([
    'search: search: search',
    `send failed: ${denied('github/search (untrusted) -> the answer of Reader (free text) -> Writer -> mail/send (sends)')}`,
    `send failed: ${denied('github/search (untrusted) -> the answer of Reader (free text) -> mail/send (sends)')}`,
  ]);
  expect(result.error?.message).toContain('The step "send" of the plan failed: The policy denies this call');
  expect(flows.called()).toEqual(['search search']);

  const apart = policyProject({ policy: never, files: files('hello'), script });
  expect(await apart.run('Plan', { approve: allow })).toMatchObject({ result: { status: 'completed' } });
  expect(apart.called()).toEqual(['search search', 'send send', 'send hello']);
});

const label = {
  output_schema: {
    type: 'object',
    required: ['label', 'text'],
    properties: { label: { enum: ['a', 'b'] }, text: { type: 'string' } },
    additionalProperties: false,
  },
};
const flow = (seen: string): JsonObject => ({
  name: 'flow',
  entry_team: 'one',
  teams: {
    one: {
      name: 'one',
      tasks: [{ name: 'read', agent: 'Reader@v1' }],
      routing: {
        rules: [
          {
            condition: { task: 'read', output_field: 'label', operator: 'equals', value: 'a' },
            next_team: 'two',
            context_updates: { seen },
          },
        ],
        default: null,
      },
    },
    two: { name: 'two', tasks: [{ name: 'write', agent: 'Writer@v1', input: { seen: '{{context.seen}}' } }], routing: { default: null } },
  },
});

test('data that comes through the teams of an orchestration, along its routes', async () => {
  const script = { Reader: [calls('search'), says('{"label": "a", "text": "bad"}')], Writer: [calls('send'), says('done')] };
  const files = (seen: string) => ({
    'agents/Reader/v1': { ...reader, ...label },
    'agents/Writer/v1': writer,
    'orchestrations/flow': flow(seen),
  });
  const text = policyProject({ policy: never, files: files('{{tasks.read.output.text}}'), script });
  expect(answers((await text.run('flow', { approve: allow })).events)).toEqual([
    'search: search: search',
    `send failed: ${denied('github/search (untrusted) -> Reader.text (free text) -> context.seen -> Writer -> mail/send (sends)')}`,
  ]);
  expect(text.called()).toEqual(['search search']);
  const closed = policyProject({ policy: never, files: files('{{tasks.read.output.label}}'), script });
  await closed.run('flow', { approve: allow });
  expect(closed.called()).toEqual(['search search', 'send send']);
});

test('a conversation keeps what tools answered in it', async () => {
  const files = { 'agents/A/v1': agent('A', { client_ids: ['github', 'mail'], include_history: true, input_keys: ['message'] }) };
  const chat = policyProject({
    policy: never,
    files,
    script: { A: [says('hello'), calls('send'), says('sent'), calls('search'), says('found'), calls('send'), says('done')] },
  });
  const turn = () => chat.run('A', { approve: allow, payload: { message: 'Go' }, context: { session_id: 'one' } });
  await turn();
  expect(answers((await turn()).events)).toEqual(['send: send: send']);
  await turn();
  expect(answers((await turn()).events)).toEqual([
    `send failed: ${denied('github/search (untrusted) -> the session -> A -> mail/send (sends)')}`,
  ]);
});

test('what a policy wants approved is asked about each time, with the reason', async () => {
  const asked: ToolRequest[] = [];
  const approve: ApproveTool = async (request) => {
    asked.push(request);
    return asked.length < 4 ? 'allow' : 'deny';
  };
  const project = policyProject({
    policy: withApproval,
    files: both,
    script: { A: [calls('search'), calls('send'), calls('send'), says('done')] },
  });
  const { events } = await project.run('A', { approve });
  expect(asked.map(({ name, policy }) => [name, policy?.words])).toEqual([
    ['search', undefined],
    ['send', 'never untrusted -> sends without approval: github/search (untrusted) -> A -> mail/send (sends)'],
    ['send', 'never untrusted -> sends without approval: github/search (untrusted) -> A -> mail/send (sends)'],
  ]);
  expect(asked[1]?.policy).toMatchObject({ place, isSure: true });
  expect(asked.map(({ deeds }) => deeds && deedsWords(deeds))).toEqual([
    'reads private data, may answer with what strangers wrote',
    'sends, changes data',
    'sends, changes data',
  ]);
  expect(answers(events)).toEqual(['search: search: search', 'send: send: send', 'send: send: send']);
});

test('a tool that needs no approval otherwise is asked about too, and nobody to ask ends the run', async () => {
  const post = defineTool({
    name: 'post',
    description: 'Posts.',
    parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] } as const,
    labels: { sends: true },
    call: ({ q }) => `posted ${q}`,
  });
  const files = { 'agents/A/v1': agent('A', { enabled_tools: ['post', 'calculator'] }) };
  const of = (options: Pick<PolicyProjectOptions, 'policy'>) =>
    policyProject({ ...options, files, tools: [post], script: { A: [calls(['post', { q: 'x' }]), says('done')] } });
  const policy: Policy = { only_after_approval: ['post'] };
  const approve = vi.fn(allow);
  expect(answers((await of({ policy }).run('A', { approve })).events)).toEqual(['post: posted x']);
  expect(approve).toHaveBeenCalledOnce();
  expect((await of({ policy }).run('A')).result.error).toMatchObject({
    code: 'denied',
    message: expect.stringContaining('there is nobody to ask: approval before post (config/system.json#/policy/only_after_approval/0)'),
  });
  // Without a policy it is called, and nobody is asked.
  expect(answers((await of({}).run('A')).events)).toEqual(['post: posted x']);
});

test('an own tool that asks for approval is known to, in the proof and in a snapshot with a policy', async () => {
  const tool = (needs_approval: boolean) =>
    defineTool({ name: 'post', description: 'Posts.', labels: { sends: true }, needs_approval, call: () => 'posted' });
  const files = { 'agents/A/v1': agent('A', { client_ids: ['github'], enabled_tools: ['search', 'post'] }) };
  const of = async (options: Pick<PolicyProjectOptions, 'policy' | 'tools'>) => {
    const { project } = policyProject({ ...options, files, script: {} });
    const loaded = await project.load({ agent_name: 'A' });
    if (!('agent' in loaded)) throw new Error('It cannot run.');
    const { findings } = await project.check();
    const codes = findings.map(({ code }) => code).filter((code) => code === 'flow-forbidden');
    return { post: loaded.agent.snapshot.value.skills?.post, codes };
  };
  const [asking, silent] = [[tool(true)], [tool(false)]];
  expect(await of({ policy: withApproval, tools: asking })).toMatchObject({ codes: [], post: { needs_approval: true } });
  expect(await of({ policy: withApproval, tools: silent })).toMatchObject({ codes: ['flow-forbidden'], post: { needs_approval: false } });
  expect((await of({ tools: asking })).post).not.toHaveProperty('needs_approval');
});

test('reading a resource of a server is a source and a sink', async () => {
  const files = {
    'agents/A/v1': agent('A', { client_ids: ['github', 'mail'], enabled_tools: ['list_resources', 'read_resource', 'send'] }),
  };
  const read = calls(['read_resource', { uri: 'note://one', client_id: 'github' }]);
  const project = policyProject({ policy: never, files, script: { A: [read, calls('send'), read, says('done')] } });
  const { events } = await project.run('A', { approve: allow });
  expect(answers(events).map((line) => line.slice(0, 20))).toEqual([
    'read_resource: Send ',
    'send failed: The pol',
    'read_resource failed',
  ]);
  expect(project.called()).toEqual(['resource note://one']);
});

test('tools of a server that was never listed, and those that appear during a run, are denied', async () => {
  const servers = { ...standard, notes: 'unlisted' } as const;
  const files = { 'agents/A/v1': agent('A', { client_ids: ['github', 'notes'] }) };
  const project = policyProject({
    policy: never,
    files,
    servers,
    more: { notes: ['put', 'late'] },
    script: { A: [calls('put'), calls('search'), calls('put', 'late'), says('done')] },
  });
  const { events } = await project.run('A', { approve: allow });
  expect(answers(events)).toEqual([
    'put: put: put',
    'search: search: search',
    expect.stringContaining('put failed: The policy denies this call: never untrusted -> sends'),
    expect.stringContaining('late failed: There is no tool "late"'),
  ]);
  expect(project.called()).toEqual(['put put', 'search search']);
});

test('without a policy nothing is proved or asked, and the agent has no monitor', async () => {
  const project = policyProject({ files: both, script: { A: [calls('search'), calls('send'), says('done')] } });
  const loaded = await project.project.load({ agent_name: 'A' });
  expect('agent' in loaded && 'monitor' in loaded.agent).toBe(false);
  await project.run('A', { approve: allow });
  expect(project.called()).toEqual(['search search', 'send send']);
  const held = policyProject({ policy: never, files: both, script: {} });
  const monitored = await held.project.load({ agent_name: 'A' });
  expect('agent' in monitored && monitored.agent.monitor).toBeTypeOf('function');
});
