import { expect, test } from 'vitest';
import type { Policy } from '../../core/generated/types.js';
import type { JsonObject } from '../../core/json.js';
import { createFlowGraph } from '../../core/permits/flowGraph.js';
import { provePolicy } from '../../core/permits/prove.js';
import { wayWords } from '../../core/permits/words.js';
import { looping, type PermitFiles, servers, subjectsOf } from './support.js';

const labelled = servers({
  github: { search: { reads: 'private', untrusted: true }, comment: { sends: true, changes: true }, odd: null },
  mail: { send: { sends: true, changes: true } },
  notes: { save: { changes: true }, load: { reads: 'private' } },
});
const sends = { from: 'untrusted', to: 'sends' };

async function waysOf(files: PermitFiles, name: string, flow: { from: string; to: string } = sends): Promise<readonly string[]> {
  const subject = (await subjectsOf({ ...labelled, ...files })).get(name);
  if (subject === undefined) throw new Error(`${name} is no subject.`);
  const policy: Policy = { never: [flow] };
  const graph = createFlowGraph([subject]);
  return provePolicy(graph, [subject], policy).flatMap(({ offences }) => offences.map(({ way }) => wayWords(graph, way, flow)));
}

const plan = (steps: readonly JsonObject[]): JsonObject => ({ agent_type: 'orchestrating', execution_plan: { steps } as JsonObject });

test('a way through the model of an agent', async () => {
  const files = { 'agents/Triage/v1': looping('Triage', { client_ids: ['github', 'mail'], enabled_tools: ['search', 'send'] }) };
  expect(await waysOf(files, 'Triage@v1')).toEqual(['github/search (untrusted) -> Triage -> mail/send (sends)']);
  expect(await waysOf(files, 'Triage@v1', { from: 'github/*', to: 'mail/send' })).toEqual([
    'github/search (private, untrusted) -> Triage -> mail/send (sends, changes)',
  ]);
});

test('a way through the outputs of a plan', async () => {
  const files = {
    'agents/Reader/v1': looping('Reader', { client_ids: ['github'], enabled_tools: ['search'] }),
    'agents/Plan/v1': looping('Plan', {
      client_ids: ['mail'],
      ...plan([
        { name: 'read', agent: 'Reader@v1' },
        { name: 'shorten', llm: 'Shorten {{steps.read.output}}' },
        { name: 'send', skill: 'send', input: { text: '{{steps.shorten.output}}' } },
        { name: 'again', skill: 'send', input: { text: '{{steps.read.output.text.0}}' } },
      ]),
    }),
  };
  expect(await waysOf(files, 'Plan@v1')).toEqual(['github/search (untrusted) -> Reader.text.0 (free text) -> mail/send (sends)']);
  const shortened = {
    ...files,
    'agents/Plan/v1': looping('Plan', {
      client_ids: ['mail'],
      ...plan([
        { name: 'read', agent: 'Reader@v1' },
        { name: 'shorten', llm: 'Shorten {{steps.read.output}}' },
        { name: 'send', skill: 'send', input: { text: '{{steps.shorten.output}}' } },
      ]),
    }),
  };
  expect(await waysOf(shortened, 'Plan@v1')).toEqual([
    'github/search (untrusted) -> the answer of Reader (free text) -> the answer of step shorten (free text) -> mail/send (sends)',
  ]);
});

test('a way through the context of an orchestration', async () => {
  const files = {
    'agents/Reader/v1': looping('Reader', { client_ids: ['github'], enabled_tools: ['search'] }),
    'agents/Writer/v1': looping('Writer', { client_ids: ['github', 'mail'], enabled_tools: ['send', 'odd'] }),
    'orchestrations/flow': {
      name: 'flow',
      entry_team: 'one',
      context: { seen: '' },
      teams: {
        one: {
          name: 'one',
          tasks: [{ name: 'read', agent: 'Reader@v1' }],
          routing: {
            default: 'two',
            rules: [{ condition: { read: { ok: true } }, next_team: 'two', context_updates: { seen: '{{tasks.read.output}}' } }],
          },
        },
        two: {
          name: 'two',
          tasks: [{ name: 'write', agent: 'Writer@v1', input: { seen: '{{context.seen}}' } }],
          routing: { default: null },
        },
      },
    },
  } as PermitFiles;
  expect(await waysOf(files, 'flow')).toEqual([
    'github/search (untrusted) -> the answer of Reader (free text) -> context.seen -> Writer -> mail/send (sends)',
    'github/search (untrusted) -> the answer of Reader (free text) -> context.seen -> Writer -> github/odd (not labelled)',
  ]);
});

test('a way through what a server keeps', async () => {
  const steps = [
    { name: 'search', skill: 'search' },
    { name: 'save', skill: 'save', input: { text: '{{steps.search.output}}' } },
    { name: 'load', skill: 'load', input: {} },
    { name: 'send', skill: 'send', input: { text: '{{steps.load.output}}' } },
  ];
  const files = { 'agents/Plan/v1': looping('Plan', { client_ids: ['github', 'mail', 'notes'], ...plan(steps) }) };
  expect(await waysOf(files, 'Plan@v1')).toEqual([
    'github/search (untrusted) -> notes/save -> the data of notes -> notes/load -> mail/send (sends)',
  ]);
});
