import { refusedParameters } from '../llm/refusedParameters.js';
import { quoted } from '../words.js';
import { findSetting, isWritten, placeOf } from './facts/layers.js';
import { findModelUse, isProfilesOwn, modelWords } from './facts/modelUse.js';
import type { Rule } from './rule.js';

/**
 * A parameter the model refuses (`temperature`, `top_p`, or others by agentstack.json) is left out of the request, so it has no
 * effect. A value of 1 is the model's default.
 */
export const temperatureUnsupported: Rule = {
  code: 'temperature-unsupported',
  severity: 'warning',
  kinds: ['agent', 'llm'],
  on: 'value',
  check(file, context, report) {
    const use = findModelUse(file, context);
    if (use?.facts === undefined || use.facts.unsupported.length === 0) return;
    const effort = findSetting(use.layers, 'options', 'reasoning_effort')?.value;
    for (const parameter of refusedParameters(use.facts, effort === undefined ? {} : { reasoning_effort: effort })) {
      const setting = findSetting(use.layers, parameter);
      if (!isWritten(setting) || setting.value === 1 || isProfilesOwn(file, use, setting)) continue;
      const { supported_with_effort: effortNeeded, source, name } = use.facts;
      const unless = effortNeeded === undefined ? '' : ` It is taken with "options": {"reasoning_effort": "${effortNeeded}"}.`;
      report({
        ...placeOf(file, setting, `${parameter} is given here.`),
        message: `${modelWords(use)} does not take ${parameter}: ${quoted(setting.value)} is left out of the request. Remove it.${unless}`,
        data: { parameter, model: name, source },
      });
    }
  },
};
