import { modelNames } from '../config/modelNames.js';
import type { ProjectSettings } from '../config/projectSettings.js';
import { daysBetween } from '../day.js';
import type { ModelReport, ModelReportEntry } from '../generated/types.js';
import { daysLeft, followSuccessors } from '../llm/modelEnd.js';
import { createModelTable, type ModelFacts } from '../llm/modelTable.js';
import { type FindModelUsesOptions, findModelUses, type ModelUse } from './modelUses.js';

/** The models of a project as of a day: when each ends, and where it is written. Those that are gone first, then by their day. */
export async function reportModels(options: FindModelUsesOptions, asOf: string): Promise<ModelReport> {
  const { uses, environments, unread } = await findModelUses(options);
  const { settings } = options.index;
  const models = createModelTable(settings.models);
  const entries = uses.map((use) => judge(use, { models, settings, asOf }));
  entries.sort((left, right) => order.indexOf(left.state) - order.indexOf(right.state) || (left.days ?? 0) - (right.days ?? 0));
  return { format: 1, as_of: asOf, environments: [...environments], models: entries, unread: [...unread] };
}

/** Whether a model ends within this many days, or is deprecated without a date. Undefined if that is not known. */
export function endsWithin({ state, days }: ModelReportEntry, most: number): boolean | undefined {
  if (state === 'unknown') return undefined;
  return state === 'ended' || state === 'deprecated' || (days !== undefined && days <= most);
}

const order: readonly ModelReportEntry['state'][] = ['ended', 'ending', 'deprecated', 'unknown', 'current'];

interface Judging {
  readonly models: ReturnType<typeof createModelTable>;
  readonly settings: ProjectSettings;
  readonly asOf: string;
}

function judge(use: ModelUse, judging: Judging): ModelReportEntry {
  const { model, provider, places } = use;
  const { models, asOf } = judging;
  const facts = provider === undefined ? undefined : models.find(model, provider);
  const because = unknownBecause(use, facts, judging);
  const chain = provider === undefined ? undefined : followSuccessors(models, model, provider);
  const days = facts && daysLeft(facts, asOf);
  const { ends, rerouted, deprecated, ends_source, read, price, context_window } = facts ?? {};
  return {
    model,
    provider: provider ?? null,
    state: because === undefined ? stateOf(facts, days) : 'unknown',
    ...(because !== undefined && { because }),
    ...(ends !== undefined && { ends }),
    ...(days !== undefined && { days }),
    ...(rerouted && { rerouted }),
    ...(deprecated !== undefined && { deprecated }),
    ...(chain !== undefined && chain.models.length > 0 && { successors: [...chain.models] }),
    ...(chain !== undefined && (chain.models.length > 0 || chain.outcome === 'circle') && { successors_lead_to: chain.outcome }),
    ...(ends_source !== undefined && { ends_source }),
    ...(read !== undefined && { read, read_days_ago: daysBetween(read, asOf) }),
    ...(price !== undefined && { price }),
    ...(context_window !== undefined && { context_window }),
    places: places.map(({ used_by, ...place }) => ({
      ...place,
      used_by: used_by.map(({ environments, ...user }) => ({ ...user, environments: [...environments] })),
    })),
  };
}

function stateOf(facts: ModelFacts | undefined, days: number | undefined): ModelReportEntry['state'] {
  if (days !== undefined) return days <= 0 ? 'ended' : 'ending';
  return facts?.deprecated === undefined ? 'current' : 'deprecated';
}

/** Why the end of a model is not known; undefined if it is known. */
function unknownBecause({ model, provider }: ModelUse, facts: ModelFacts | undefined, { settings }: Judging): string | undefined {
  // It calls no model, whatever the name.
  if (provider === 'offline') return undefined;
  if (model.includes('${')) return 'it is written with a variable that is not set';
  if (provider === undefined) return 'the file does not say whose model it is';
  if (facts === undefined) return 'nothing is known about it';
  if (facts.ends !== undefined || facts.deprecated !== undefined) return undefined;
  const names = modelNames(model).filter((name) => Object.hasOwn(settings.models, name));
  if (names.some((name) => settings.models[name]?.deprecated === false)) return undefined;
  if (facts.provider !== provider) return `${provider} stops models on days of its own`;
  return facts.source === 'agentstack.json' ? 'agentstack.json does not say when it ends' : undefined;
}
