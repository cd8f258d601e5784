import { differenceWords, skillDifferences } from '../snapshot/skillDifferences.js';
import type { Rule } from './rule.js';

/** A skill that agentstack.json and code define differently: one of them is out of date. */
export const skillDiffers: Rule = {
  code: 'skill-differs',
  severity: 'error',
  kinds: ['settings'],
  on: 'value',
  check(_file, { project: { settings, registered } }, report) {
    for (const difference of skillDifferences(settings.skills, registered)) {
      const { name, field, pointer } = difference;
      report({ pointer, message: differenceWords(difference), data: { name, field } });
    }
  },
};
