import type { Rule } from './rule.js';

/** The module that agentstack.json names under `tools` cannot be loaded, or exports no tool. */
export const toolsModule: Rule = {
  code: 'tools-module',
  severity: 'error',
  kinds: ['settings'],
  on: 'value',
  check(_file, { project: { registered } }, report) {
    if (registered.moduleProblem !== undefined) report({ pointer: '/tools', message: registered.moduleProblem });
  },
};
