import { expect, test } from 'vitest';
import type { Policy } from '../../core/generated/types.js';
import type { JsonObject } from '../../core/json.js';
import { createFlowGraph } from '../../core/permits/flowGraph.js';
import { createMonitors } from '../../core/permits/monitor.js';
import { permitSentences } from '../../core/permits/permitWords.js';
import { provePolicy } from '../../core/permits/prove.js';
import type { PermitSubject } from '../../core/permits/subject.js';
import { subjectPermits } from '../../core/permits/subjectPermits.js';
import { looping, servers, subjectsOf } from './support.js';

const sends: Policy = { never: [{ from: 'untrusted', to: 'sends' }] };

/** `refuted: mail/send <- answer github/search, reads Triage, call mail/send`. */
function verdicts(subject: PermitSubject | undefined, policy: Policy): readonly string[] {
  if (subject === undefined) throw new Error('There is no such subject.');
  const graph = createFlowGraph([subject]);
  return provePolicy(graph, [subject], policy).map(({ pointer, outcome, offences }) => {
    const words = offences.map(({ tool, way }) => {
      const nodes = way.map((id) => {
        const node = graph.nodes.get(id);
        if (node === undefined) throw new Error(`${id} is no node.`);
        return node.type === 'answer' || node.type === 'call' ? `${node.type} ${node.tool.id}` : node.type;
      });
      return ` ${tool.id} <- ${nodes.join(', ')}`;
    });
    return [`${pointer} ${outcome}`, ...words].join(';');
  });
}

const labelled = servers({
  github: { search: { reads: 'private', untrusted: true }, close: { changes: true } },
  mail: { send: { sends: true, changes: true }, count: {}, odd: null },
});

test('the answer of an untrusted tool reaches the tool that sends in the same agent', async () => {
  const subjects = await subjectsOf({ ...labelled, 'agents/A/v1': looping('A', { client_ids: ['github', 'mail'] }) });
  expect(verdicts(subjects.get('A@v1'), sends)).toEqual([
    '/never/0 refuted; mail/send <- answer github/search, reads, call mail/send; mail/odd <- answer github/search, reads, call mail/odd',
  ]);
});

test('a tool without labels is not known', async () => {
  const subjects = await subjectsOf({
    ...labelled,
    'agents/A/v1': looping('A', { client_ids: ['github', 'mail'], enabled_tools: ['search', 'odd'] }),
    'agents/B/v1': looping('B', { client_ids: ['github', 'mail'], enabled_tools: ['odd', 'send'] }),
    'agents/C/v1': looping('C', { client_ids: ['github', 'mail'], enabled_tools: ['count', 'send'] }),
  });
  expect(verdicts(subjects.get('A@v1'), sends)).toEqual(['/never/0 not_known; mail/odd <- answer github/search, reads, call mail/odd']);
  expect(verdicts(subjects.get('B@v1'), sends)[0]).toMatch(/^\/never\/0 not_known/);
  expect(verdicts(subjects.get('C@v1'), sends)).toEqual(['/never/0 proved']);
});

test('an approval on the way satisfies what is forbidden without one', async () => {
  const subjects = await subjectsOf({ ...labelled, 'agents/A/v1': looping('A', { client_ids: ['github', 'mail'] }) });
  expect(verdicts(subjects.get('A@v1'), { never: [{ from: 'untrusted', to: 'sends', without: 'approval' }] })).toEqual(['/never/0 proved']);
});

const team = (input: string) => ({
  name: 'flow',
  entry_team: 'one',
  teams: {
    one: {
      name: 'one',
      tasks: [{ name: 'read', agent: 'Reader@v1' }],
      routing: { rules: [{ condition: { read: { label: 'a' } }, next_team: 'two', context_updates: { seen: input } }], default: null },
    },
    two: { name: 'two', tasks: [{ name: 'write', agent: 'Writer@v1', input: { seen: '{{context.seen}}' } }], routing: { default: null } },
  },
});
const members = {
  'agents/Reader/v1': looping('Reader', {
    client_ids: ['github'],
    output_schema: {
      type: 'object',
      required: ['label', 'text'],
      properties: { label: { enum: ['a', 'b'] }, text: { type: 'string' } },
      additionalProperties: false,
    },
  }),
  'agents/Writer/v1': looping('Writer', { client_ids: ['mail'], enabled_tools: ['send'] }),
};

test('a contract is a filter between teams', async () => {
  const open = await subjectsOf({ ...labelled, ...members, 'orchestrations/flow': team('{{tasks.read.output.text}}') });
  expect(verdicts(open.get('flow'), sends)).toEqual([
    '/never/0 refuted; mail/send <- answer github/search, reads, output, context, payload, reads, call mail/send',
  ]);
  const closed = await subjectsOf({ ...labelled, ...members, 'orchestrations/flow': team('{{tasks.read.output.label}}') });
  expect(verdicts(closed.get('flow'), sends)).toEqual(['/never/0 proved']);
});

test('a run denies a call once data could have come to it', async () => {
  const subjects = await subjectsOf({ ...labelled, 'agents/A/v1': looping('A', { client_ids: ['github', 'mail'] }) });
  const subject = subjects.get('A@v1') as PermitSubject;
  const mail = (name: string) => ({ name, origin: { type: 'mcp', client_id: 'mail', name } as const });
  const search = { name: 'search', origin: { type: 'mcp', client_id: 'github', name: 'search' } as const };
  const monitor = createMonitors(subject, sends)('A', false);
  expect(monitor.judge(mail('send'))).toEqual({ outcome: 'allow' });
  monitor.called(mail('count'));
  expect(monitor.judge(mail('send'))).toEqual({ outcome: 'allow' });
  monitor.called(search);
  expect(monitor.judge(mail('send'))).toMatchObject({
    outcome: 'deny',
    assertion: '/never/0',
    words: 'never untrusted -> sends: github/search (untrusted) -> A -> mail/send (sends)',
    isSure: true,
  });
  expect(monitor.judge(mail('count'))).toEqual({ outcome: 'allow' });
  expect(monitor.judge(mail('new_tool'))).toMatchObject({ outcome: 'deny', isSure: false });
});

test('an agent that is used and cannot be read may do anything', async () => {
  const step = { name: 'one', agent: 'Gone@v1', input: { x: '{{input.q}}' } };
  const subjects = await subjectsOf({
    ...labelled,
    'agents/A/v1': { agent_name: 'A', version: 'v1', agent_type: 'orchestrating', execution_plan: { steps: [step] } },
    'orchestrations/flow': {
      name: 'flow',
      entry_team: 'one',
      teams: { one: { name: 'one', tasks: [{ name: 'read', agent: 'Gone@v1' }], routing: { default: null } } },
    },
  });
  expect(verdicts(subjects.get('A@v1'), { agents: { A: { may_not: ['sends'] } } })).toEqual(['/agents/A/may_not/0 not_known; Gone@v1 <- ']);
  expect(verdicts(subjects.get('flow'), sends)[0]).toMatch(/^\/never\/0 not_known/);
  const permits = subjectPermits(subjects.get('flow') as PermitSubject);
  expect(permits.missing).toEqual(['one/read']);
  expect(permitSentences(permits)).toContain('Not known: what one/read may do, which cannot be read.');
  expect(permitSentences(permits)).toContain('May not send anything with a tool whose labels are known.');
});

test('what a server whose tools nobody has listed keeps counts once a tool of it was called', async () => {
  const { mcp, ...locked } = labelled;
  const { servers: known } = mcp as { servers: JsonObject };
  const files = {
    ...locked,
    mcp: { servers: { ...known, notes: { command: 'run-notes' } } },
    'agents/Reader/v1': looping('Reader', { client_ids: ['github', 'notes'], enabled_tools: ['search', 'put'] }),
    'agents/Writer/v1': looping('Writer', { client_ids: ['notes', 'mail'] }),
    'orchestrations/flow': {
      ...team('{{tasks.read.output.label}}'),
      teams: {
        one: {
          name: 'one',
          tasks: [
            { name: 'read', agent: 'Reader@v1' },
            { name: 'write', agent: 'Writer@v1', input: {} },
          ],
          routing: { default: null },
        },
      },
    },
  };
  const subject = (await subjectsOf(files)).get('flow') as PermitSubject;
  const monitor = createMonitors(subject, { never: [{ from: 'github/search', to: 'mail/send' }] })('one/write', false);
  const send = { name: 'send', origin: { type: 'mcp', client_id: 'mail', name: 'send' } as const };
  expect(monitor.judge(send)).toEqual({ outcome: 'allow' });
  monitor.called({ name: 'get', origin: { type: 'mcp', client_id: 'notes', name: 'get' } });
  expect(monitor.judge(send)).toMatchObject({ outcome: 'deny', assertion: '/never/0' });
});

test('a tool that nothing describes may do anything', async () => {
  const subjects = await subjectsOf({
    ...labelled,
    'agents/A/v1': looping('A', { client_ids: ['github'], enabled_tools: ['search', 'stock'] }),
    'agents/P/v1': {
      agent_name: 'P',
      version: 'v1',
      agent_type: 'orchestrating',
      execution_plan: { steps: [{ name: 'one', skill: 'stock', input: {} }] },
    },
  });
  const way = 'answer github/search, reads, call stock';
  expect(verdicts(subjects.get('A@v1'), sends)).toEqual([`/never/0 not_known; stock <- ${way}`]);
  expect(verdicts(subjects.get('A@v1'), { agents: { A: { may_not: ['stock'] } } })[0]).toMatch(/refuted; stock/);
  expect(verdicts(subjects.get('P@v1'), { agents: { P: { may_not: ['sends'] } } })[0]).toMatch(/not_known; stock/);
  expect(permitSentences(subjectPermits(subjects.get('A@v1') as PermitSubject))).toContain(
    'Not known: what stock does, which no file describes.',
  );
});

test('an assertion that means nothing is not proved', async () => {
  const subjects = await subjectsOf({ ...labelled, 'agents/A/v1': looping('A', { client_ids: ['github', 'mail'] }) });
  const policy = {
    never: [
      { from: 'sends', to: 'mail/*' },
      { from: 'untrusted', to: 'private' },
    ],
  };
  expect(verdicts(subjects.get('A@v1'), policy)).toEqual(['/never/0 not_known', '/never/1 not_known']);
});
