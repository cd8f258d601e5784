import { expect, test } from 'vitest';
import type { Json } from '../../core/json.js';
import { policyOf } from '../../core/snapshot/policy.js';
import { indexOf, minimal, problemsOf, resolve } from './support.js';

const flow = { from: 'untrusted', to: 'sends', without: 'approval' };

test('an environment adds to the policy, and every assertion knows its place', () => {
  const index = indexOf({
    system: { policy: { never: [flow], only_after_approval: ['mail/delete_*'], agents: { Triage: { may_not: ['sends'] } } } },
    'environments/prod': {
      policy: {
        never: [
          { without: 'approval', to: 'sends', from: 'untrusted' },
          { from: 'private', to: 'web/*' },
        ],
        only_after_approval: ['pay', 'mail/delete_*'],
        agents: { Triage: { may_not: ['changes', 'sends'] }, Writer: { may_not: ['private'] } },
      },
    },
  });
  const { policy, origins } = policyOf(index, 'prod') ?? {};
  expect(policy).toEqual({
    never: [flow, { from: 'private', to: 'web/*' }],
    only_after_approval: ['mail/delete_*', 'pay'],
    agents: { Triage: { may_not: ['sends', 'changes'] }, Writer: { may_not: ['private'] } },
  });
  const system = (pointer: string) => ({ file: 'config/system.json', pointer: `/policy${pointer}`, layer: 'system' });
  const prod = (pointer: string) => ({ file: 'config/environments/prod.json', pointer: `/policy${pointer}`, layer: 'environment' });
  expect(Object.fromEntries(origins ?? [])).toEqual({
    '/never/0': system('/never/0'),
    '/never/1': prod('/never/1'),
    '/only_after_approval/0': system('/only_after_approval/0'),
    '/only_after_approval/1': prod('/only_after_approval/0'),
    '/agents/Triage/may_not/0': system('/agents/Triage/may_not/0'),
    '/agents/Triage/may_not/1': prod('/agents/Triage/may_not/0'),
    '/agents/Writer/may_not/0': prod('/agents/Writer/may_not/0'),
  });
  expect(Object.isFrozen(policy?.never?.[0])).toBe(true);
  expect(policyOf(index)?.policy).toEqual({
    never: [flow],
    only_after_approval: ['mail/delete_*'],
    agents: { Triage: { may_not: ['sends'] } },
  });
});

test('an environment cannot take anything back', () => {
  const system = { policy: { never: [flow] } };
  for (const policy of [null, {}, { never: [] }, { never: null }])
    expect(policyOf(indexOf({ system, 'environments/dev': { policy } }))?.policy).toEqual({ never: [flow] });
});

test('what does not fit the schema is left out, and nothing asserted is no policy', () => {
  const malformed = {
    never: [flow, 'x', { from: 'untrusted' }, { ...flow, without: 'luck' }],
    only_after_approval: 'mail',
    agents: { A: 5, B: { may_not: [1, ''] } },
  };
  expect(policyOf(indexOf({ system: { policy: malformed } }))?.policy).toEqual({ never: [flow] });
  for (const policy of [undefined, {}, [], { never: [] }, { agents: { A: { may_not: [] } } }])
    expect(policyOf(indexOf({ system: policy === undefined ? {} : { policy } }))).toBeUndefined();
});

test('names may be any, also those of Object', () => {
  const { policy } =
    policyOf(indexOf({ system: '{"policy": {"agents": {"__proto__": {"may_not": ["sends"]}, "constructor": {"may_not": ["sends"]}}}}' })) ??
    {};
  expect(Object.keys(policy?.agents ?? {})).toEqual(['__proto__', 'constructor']);
});

test('a policy that does not fit its schema is a problem of every agent, an unknown key in it too', () => {
  const problemsWith = (policy: Json) =>
    problemsOf(resolve({ files: { 'agents/A/v1': { ...minimal, model_name: 'm' }, system: { policy, tracng: {} } } }));
  expect(problemsWith({})).toEqual([]);
  expect(problemsWith({ never: [flow] })).toEqual([]);
  expect(problemsWith({ nevr: [flow] })).toEqual(['schema config/system.json#/policy']);
  expect(problemsWith({ never: [{ ...flow, without: 'luck' }] })).toEqual(['schema config/system.json#/policy/never/0/without']);
});
