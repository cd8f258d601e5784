import { isObject, listOf } from '../json.js';
import { policyUnenforced as message } from '../snapshot/policy.js';
import type { Rule } from './rule.js';

/** A policy with an assertion. Nothing holds it yet: neither the check proves it, nor does a run deny what it forbids. */
export const policyUnenforced: Rule = {
  code: 'policy-unenforced',
  severity: 'error',
  kinds: ['system'],
  on: 'value',
  check({ value }, _context, report) {
    const policy = isObject(value) ? value.policy : undefined;
    if (!isObject(policy)) return;
    const { never, only_after_approval, agents } = policy;
    const isEmpty = listOf(never).length + listOf(only_after_approval).length + Object.keys(isObject(agents) ? agents : {}).length === 0;
    if (!isEmpty) report({ pointer: '/policy', target: 'key', message });
  },
};
