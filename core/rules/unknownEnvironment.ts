import { defaultSettings } from '../config/readSettings.js';
import { isObject } from '../json.js';
import { hasEnvironmentFile } from '../snapshot/checkEnvironment.js';
import { quoted } from '../words.js';
import type { Rule } from './rule.js';

/** An `environment` of agentstack.json without a file: nothing of it is laid over system.json. The default needs none. */
export const unknownEnvironment: Rule = {
  code: 'unknown-environment',
  severity: 'warning',
  kinds: ['settings'],
  on: 'value',
  check({ value }, { project }, report) {
    const name = isObject(value) ? value.environment : undefined;
    if (typeof name !== 'string' || name === defaultSettings.environment || hasEnvironmentFile(project, name)) return;
    report({
      pointer: '/environment',
      // Other environments are not named: that this file is looked at again depends on this one only.
      message: `There is no environment ${quoted(name)}: environments/${name}.json does not exist, so only system.json counts. Create it, or name another.`,
      data: { environment: name },
    });
  },
};
