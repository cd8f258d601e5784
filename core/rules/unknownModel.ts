import { providersWithKnownModels } from '../llm/modelTable.js';
import { findModelOwner } from '../llm/providers/providerFacts.js';
import { didYouMean } from '../names.js';
import { quoted } from '../words.js';
import { findSetting, placeOf } from './facts/layers.js';
import { findModelUse, isProfilesOwn } from './facts/modelUse.js';
import type { Rule } from './rule.js';

/**
 * A model that the table does not know: misspelt, or newer than the table. Providers that take any model name (deployments, local
 * servers) are skipped, and so is a profile with its own base_url: its models are not known.
 */
export const unknownModel: Rule = {
  code: 'unknown-model',
  severity: 'info',
  kinds: ['agent', 'llm'],
  on: 'value',
  check(file, context, report) {
    const use = findModelUse(file, context);
    if (use === undefined || use.facts !== undefined || !providersWithKnownModels.has(use.provider)) return;
    if (isProfilesOwn(file, use) || findSetting(use.layers, 'base_url') !== undefined) return;
    const owner = findModelOwner(use.model.value);
    if (owner !== undefined && owner !== use.provider) {
      const isChosen = use.providerGiven !== undefined;
      report({
        ...placeOf(file, use.model, 'model_name is given here.'),
        severity: 'warning',
        message: `${quoted(use.model.value)} is a model of ${owner}, but ${isChosen ? '' : 'no layer names a provider, so '}the request goes to ${use.provider}. Give "provider": "${owner}".`,
        data: { model: use.model.value, provider: use.provider, nearest: [], owner },
      });
      return;
    }
    const nearest = context.models.nearest(use.model.value, use.provider);
    const otherwise = nearest.length > 0 ? '' : ' Nothing about it can be checked; add its facts under "models" in agentstack.json.';
    report({
      ...placeOf(file, use.model, 'model_name is given here.'),
      message: `The model table knows no ${use.provider} model ${quoted(use.model.value)}.${didYouMean(nearest)}${otherwise}`,
      data: { model: use.model.value, provider: use.provider, nearest },
    });
  },
};
