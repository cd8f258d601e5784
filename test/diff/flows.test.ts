import { expect, test } from 'vitest';
import { compareFlows } from '../../core/diff/flows.js';
import { looping, prover, servers } from '../permits/support.js';
import { type Files, sidesOf } from './sides.js';

const labels = { issues: { search: { reads: 'private', untrusted: true } }, mail: { send: { sends: true }, odd: null, note: {} } };
const never = { never: [{ from: 'private', to: 'destroys' }] };
const files: Files = { ...servers(labels), system: { policy: never }, 'agents/A/v1': looping('A', { client_ids: ['issues'] }) };

async function changes(from: Files, change: Files): Promise<readonly string[]> {
  const [before, after] = await sidesOf(from, change);
  return compareFlows(before, after, prover).map(
    ({ direction, message, place }) => `${direction} ${place?.file}${place?.pointer}: ${message}`,
  );
}

const wide = { 'agents/A/v1': looping('A', { client_ids: ['issues', 'mail'], enabled_tools: ['search', 'send', 'note'] }) };

test('a flow that a change opens, and one that it closes', async () => {
  const at = 'config/agents/A/v1.json/enabled_tools/1';
  const way = (from: string) => `issues/search (${from}) -> A -> mail/send (sends), after an approval`;
  expect(await changes(files, wide)).toEqual([
    `widened ${at}: What strangers wrote may reach mail/send: ${way('untrusted')}.`,
    `widened ${at}: What is private may reach mail/send: ${way('private')}.`,
  ]);
  expect(await changes({ ...files, ...wide }, { 'agents/A/v1': files['agents/A/v1'] })).toEqual([
    `narrowed ${at}: What strangers wrote may no longer reach mail/send.`,
    `narrowed ${at}: What is private may no longer reach mail/send.`,
  ]);
});

test('a flow that only missing labels left open is not new, and other labels change nothing that is certain', async () => {
  const open = { 'agents/A/v1': looping('A', { client_ids: ['issues', 'mail'], enabled_tools: ['search', 'odd', 'note'] }) };
  const odd = servers({ ...labels, mail: { ...labels.mail, odd: { sends: true } } });
  expect(await changes({ ...files, ...open }, odd)).toEqual([]);
  const note = servers({ ...labels, mail: { ...labels.mail, note: { sends: true } } });
  expect((await changes({ ...files, ...wide }, note)).map((line) => line.split(' ')[0])).toEqual(['unknown', 'unknown']);
});

test('assertions of the policy that come and go', async () => {
  const more = { system: { policy: { agents: { A: { may_not: ['sends'] } } } } };
  expect(await changes(files, more)).toEqual([
    'narrowed config/system.json/policy/agents/A/may_not/0: The policy holds it to: A may not: sends.',
    'widened config/system.json/policy/never/0: The policy no longer holds it to: never private -> destroys.',
  ]);
  // With a policy the labels are frozen too: what was not known before is not new.
  expect((await changes({ ...files, ...wide, system: {} }, { system: { policy: never } })).map((line) => line.split(' ')[0])).toEqual([
    'narrowed',
  ]);
});
