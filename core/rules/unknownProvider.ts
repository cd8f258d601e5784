import { providersByOtherNames } from '../builtInProviders.js';
import { howToAddProviders, knownProviders, providersIn } from '../config/providers.js';
import { didYouMean, nearestNames } from '../names.js';
import { quoted } from '../words.js';
import type { Rule } from './rule.js';

/** A `provider` that is neither built in, nor listed in agentstack.json, nor registered by the program. */
export const unknownProvider: Rule = {
  code: 'unknown-provider',
  severity: 'error',
  kinds: ['agent', 'persona', 'llm', 'system', 'orchestration'],
  on: 'value',
  check({ identity, value }, { project }, report) {
    const providers = knownProviders(project);
    for (const { name, pointer } of providersIn(identity.kind, value)) {
      if (providers.includes(name)) continue;
      const renamed = providersByOtherNames.get(name.toLowerCase());
      const nearest = renamed === undefined ? nearestNames(name, providers) : [renamed];
      const advice = nearest.length > 0 ? didYouMean(nearest) : howToAddProviders(providers);
      report({ pointer, message: `There is no provider ${quoted(name)}.${advice}`, data: { name, nearest } });
    }
  },
};
