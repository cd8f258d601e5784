import { providersWithKnownModels } from '../llm/modelTable.js';
import { findModelOwner } from '../llm/providers/providerFacts.js';
import { didYouMean } from '../names.js';
import { quoted } from '../words.js';
import { findGiven, placeOf } from './facts/layers.js';
import { findModelUse, isProfilesOwn } from './facts/modelUse.js';
import type { Rule } from './rule.js';

/**
 * A model the table does not know is misspelt, or newer than the table. Providers that take any model name (deployments, local
 * servers) are left alone, and so is a profile with its own base_url: what answers there is not known.
 */
export const unknownModel: Rule = {
  code: 'unknown-model',
  severity: 'info',
  kinds: ['agent', 'llm'],
  on: 'value',
  check(file, context, report) {
    const use = findModelUse(file, context);
    if (use === undefined || use.facts !== undefined || !providersWithKnownModels.has(use.provider)) return;
    if (isProfilesOwn(file, use) || findGiven(use.layers, 'base_url') !== undefined) return;
    const owner = findModelOwner(use.model.value);
    if (owner !== undefined && owner !== use.provider) {
      const isChosen = use.providerGiven !== undefined;
      report({
        ...placeOf(file, use.model, 'model_name is given here.'),
        severity: 'warning',
        message: `${quoted(use.model.value)} is a model of ${owner}, but ${isChosen ? '' : 'no layer names a provider, so '}${use.provider} is asked for it. Give "provider": "${owner}".`,
        data: { model: use.model.value, provider: use.provider, nearest: [], owner },
      });
      return;
    }
    const nearest = context.models.nearest(use.model.value, use.provider);
    const otherwise = nearest.length > 0 ? '' : ' Nothing about it can be checked; say what you know under "models" in agentstack.json.';
    report({
      ...placeOf(file, use.model, 'model_name is given here.'),
      message: `The model table knows no ${use.provider} model ${quoted(use.model.value)}.${didYouMean(nearest)}${otherwise}`,
      data: { model: use.model.value, provider: use.provider, nearest },
    });
  },
};
