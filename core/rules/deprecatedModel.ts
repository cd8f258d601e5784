import { listed } from '../words.js';
import { placeOf } from './facts/layers.js';
import { findModelUse, isProfilesOwn, modelWords } from './facts/modelUse.js';
import type { Rule } from './rule.js';

/** A deprecated model stops answering on the day its provider shuts it down. Rules have no clock, so the message gives the date. */
export const deprecatedModel: Rule = {
  code: 'deprecated-model',
  severity: 'warning',
  kinds: ['agent', 'llm'],
  on: 'value',
  check(file, context, report) {
    const use = findModelUse(file, context);
    const deprecated = use?.facts?.deprecated;
    if (use?.facts === undefined || deprecated === undefined || isProfilesOwn(file, use)) return;
    const { provider, facts } = use;
    const nearest = context.models.successors(facts.name, provider);
    const advice = nearest.length === 0 ? '' : ` Use ${listed(nearest, 'or')}.`;
    const why = deprecated === 'deprecated' ? '' : `: ${deprecated}`;
    report({
      ...placeOf(file, use.model, 'model_name is given here.'),
      message: `${modelWords(use)} is deprecated by its provider${why}.${advice}`,
      data: { model: facts.name, deprecated, nearest, source: facts.source },
    });
  },
};
