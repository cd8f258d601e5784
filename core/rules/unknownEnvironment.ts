import { defaultSettings } from '../config/readSettings.js';
import { isObject } from '../json.js';
import { hasEnvironmentFile } from '../snapshot/checkEnvironment.js';
import { quoted } from '../words.js';
import type { Rule } from './rule.js';

/** An `environment` of agentstack.json without a file, so that only system.json applies. The default environment needs no file. */
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
      // Other environments are not named, since this file is checked again only when this one changes.
      message: `There is no environment ${quoted(name)}: environments/${name}.json does not exist, so only system.json applies. Create it, or name another.`,
      data: { environment: name },
    });
  },
};
