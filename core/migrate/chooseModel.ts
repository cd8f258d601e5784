import { isFineTuned } from '../config/modelNames.js';
import { followSuccessors, successorWords } from '../llm/modelEnd.js';
import { isGoing, type ModelFacts, type ModelTable, providersWithKnownModels } from '../llm/modelTable.js';
import { findModelOwner } from '../llm/providers/providerFacts.js';
import { listed } from '../words.js';

/** The model that replaces another one. */
export interface ChosenModel {
  /** Null where none is known. */
  readonly to: string | null;
  readonly chosen_by: 'provider' | 'option' | null;
  /** When the old model ends. */
  readonly ends: string | null;
  /** Current models with the most similar names. Empty where `to` is known. */
  readonly nearest: readonly string[];
  /** Why the new model cannot take over, whatever the agent. */
  readonly misfit: string | undefined;
  /** What is not known of the new model, or why there is none. */
  readonly unknown: string | undefined;
}

/** @param to the name that the user gives */
export function chooseModel(from: string, provider: string, to: string | undefined, models: ModelTable): ChosenModel {
  const facts = models.find(from, provider);
  const ends = facts?.ends ?? null;
  if (to === undefined && isFineTuned(from)) {
    const misfit = `${from} is fine-tuned: train its successor with the same data, and name the result as the new model.`;
    return { to: null, chosen_by: null, ends, nearest: [], misfit, unknown: undefined };
  }
  if (to !== undefined) return { to, chosen_by: 'option', ends, nearest: [], ...judgeModel(to, provider, models) };
  const chain = followSuccessors(models, facts?.name ?? from, provider);
  const last = chain.models.at(-1);
  if (chain.outcome === 'current' && last !== undefined)
    return { to: last, chosen_by: 'provider', ends, nearest: [], ...judgeModel(last, provider, models) };
  const nearest = models.successors(facts?.name ?? from, provider);
  const advice = nearest.length === 0 ? '' : `: ${listed(nearest, 'or')}`;
  const why = successorWords(chain) ?? `No successor of ${from} named by ${provider} is known.`;
  return { to: null, chosen_by: null, ends, nearest, misfit: undefined, unknown: `${why} Name the new model${advice}.` };
}

function judgeModel(to: string, provider: string, models: ModelTable): Pick<ChosenModel, 'misfit' | 'unknown'> {
  const facts = models.find(to, provider);
  if (facts !== undefined) return { misfit: endOf(to, facts, models, provider), unknown: deploymentOf(to, provider) };
  const owner = findModelOwner(to);
  if (owner !== undefined && owner !== provider && providersWithKnownModels.has(provider))
    return { misfit: `${provider} has no model ${to}: it is one of ${owner}.`, unknown: undefined };
  const where = providersWithKnownModels.has(provider)
    ? 'No facts about it are known'
    : `Whether the models of ${provider} include it is not known`;
  return { misfit: undefined, unknown: `${to}: ${where.charAt(0).toLowerCase()}${where.slice(1)}. Add it to "models" in agentstack.json.` };
}

/** A model that the user names, and that ends too. */
function endOf(to: string, facts: ModelFacts, models: ModelTable, provider: string): string | undefined {
  if (!isGoing(facts)) return undefined;
  const { ends, deprecated } = facts;
  return [
    // Of a day that may have come: which day it is now is not known here.
    `${to} ends too (${ends ?? deprecated}).`,
    successorWords(followSuccessors(models, facts.name, provider)),
  ]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

function deploymentOf(to: string, provider: string): string | undefined {
  return provider === 'azure_openai' ? `Whether your Azure resource has a deployment named ${to} is not known.` : undefined;
}
