import type { Severity } from '../finding.js';
import { daysLeft, endWords, followSuccessors, successorWords } from '../llm/modelEnd.js';
import { isGoing, type ModelFacts } from '../llm/modelTable.js';
import { listed, quoted } from '../words.js';
import { placeOf } from './facts/layers.js';
import { findModelUse, isProfilesOwn, modelWords } from './facts/modelUse.js';
import type { Rule } from './rule.js';

/** The provider stops the model: how soon decides the severity, as of the day that the context gives. */
export const deprecatedModel: Rule = {
  code: 'deprecated-model',
  severity: 'warning',
  gravest: 'error',
  kinds: ['agent', 'llm'],
  on: 'value',
  check(file, context, report) {
    const use = findModelUse(file, context);
    if (use?.facts === undefined || !isGoing(use.facts) || isProfilesOwn(file, use)) return;
    const { provider, facts } = use;
    const { asOf, models } = context;
    const { deprecated, ends, source, ends_source: endsSource } = facts;
    const days = asOf === undefined ? undefined : daysLeft(facts, asOf);
    const chain = followSuccessors(models, facts.name, provider);
    const successor = chain.outcome === 'current' ? chain.models.at(-1) : undefined;
    const others = models.successors(facts.name, provider);
    const nearest = [...new Set(successor === undefined ? others : [successor, ...others])].slice(0, mostSuggestions);
    const sentences = [
      `${modelWords(use)} ${endWords(facts, asOf) ?? 'is deprecated by its provider'}${reasonWords(facts)}${reroutedWords(facts, days)}.`,
      successorWords(chain),
      successor === undefined && nearest.length > 0 ? `Use ${listed(nearest, 'or')}.` : undefined,
    ];
    report({
      ...placeOf(file, use.model, 'model_name is given here.'),
      severity: severityOf(facts, days),
      message: sentences.filter((sentence) => sentence !== undefined).join(' '),
      data: {
        model: facts.name,
        ...(deprecated !== undefined && { deprecated }),
        ...(ends !== undefined && { ends }),
        ...(days !== undefined && { days }),
        ...(successor !== undefined && { successor }),
        nearest,
        source: endsSource ?? source,
      },
    });
  },
};

const mostSuggestions = 3;

/** Days before the end from which a finding is a warning. */
const soon = 30;

/** A model that has ended is an error only if its provider refuses it. */
function severityOf({ ends, rerouted }: ModelFacts, days: number | undefined): Severity {
  if (ends === undefined || days === undefined) return 'warning';
  if (days <= 0) return rerouted ? 'warning' : 'error';
  return days <= soon ? 'warning' : 'info';
}

function reasonWords({ deprecated }: ModelFacts): string {
  return deprecated === undefined || deprecated === 'deprecated' ? '' : `: ${deprecated}`;
}

function reroutedWords({ rerouted, successor }: ModelFacts, days: number | undefined): string {
  if (!rerouted || successor === undefined) return '';
  return `; ${days !== undefined && days <= 0 ? 'since then' : 'from then on'} its provider answers with ${quoted(successor)}, at that model's price`;
}
