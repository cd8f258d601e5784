import type { Rule } from './rule.js';

/** The module that agentstack.json names under `tools` cannot be loaded, exports no tool, or was not loaded since the project is not trusted. */
export const toolsModule: Rule = {
  code: 'tools-module',
  severity: 'error',
  kinds: ['settings'],
  on: 'value',
  check(_file, { project: { registered } }, report) {
    const { moduleProblem, moduleUnseen } = registered;
    if (moduleProblem !== undefined) report({ pointer: '/tools', message: moduleProblem });
    if (moduleUnseen !== undefined) report({ pointer: '/tools', message: moduleUnseen, severity: 'warning' });
  },
};
