import { isFineTuned, modelNames } from '../config/modelNames.js';
import type { UserModel } from '../config/projectSettings.js';
import { providerFacts } from '../generated/providerFacts.js';
import { nearestNames } from '../names.js';
import { endSources, modelRows, sources } from './modelFacts/table.js';
import { findSuccessors } from './modelOrder.js';

/** Facts about one model. An unknown fact is undefined, never guessed. */
export interface ModelFacts {
  /** The table's name for it; `ft:` ids and dated names resolve to their base. */
  readonly name: string;
  readonly provider: string;
  readonly context_window?: number;
  readonly max_output_tokens?: number;
  /** Config names of parameters the model refuses: `temperature`, `top_p`. Any value but 1, the default, is refused. */
  readonly unsupported: readonly string[];
  /** The `options.reasoning_effort` with which the model accepts its `unsupported` parameters after all. */
  readonly supported_with_effort?: string;
  /** Why it is deprecated, where no day is known on which it ends. */
  readonly deprecated?: string;
  /** The first day on which its provider no longer answers, in ISO form. */
  readonly ends?: string;
  /** What its provider names as its replacement, which may end too: see `followSuccessors`. */
  readonly successor?: string;
  /** From the day `ends` on the provider answers with the successor, at its price, and does not refuse. */
  readonly rerouted?: true;
  /** The page or package that gives `ends` and `successor`, or `agentstack.json`. */
  readonly ends_source?: string;
  /** The ISO day on which that source was read; undefined for agentstack.json. */
  readonly read?: string;
  readonly price?: ModelPrice;
  /** Where the facts come from and the date they were true, e.g. `gpt-tokenizer 4.0.0, 2026-10-01`. */
  readonly source: string;
}

/** USD per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Default: as `input`. */
  readonly cached_input?: number;
  /** Default: as `input`. */
  readonly cache_write?: number;
}

/** Whether the provider stops the model, or has stopped it, on whatever day. */
export function isGoing(facts: Pick<ModelFacts, 'ends' | 'deprecated'> | undefined): boolean {
  return facts?.ends !== undefined || facts?.deprecated !== undefined;
}

export interface ModelTable {
  find(modelName: string, provider?: string): ModelFacts | undefined;
  /** Every known name of a provider: the user's models first, then the built-in ones in table order, without entries for fine-tuned prices. */
  names(provider?: string): readonly string[];
  /** Known names similar to a name, best first, at most three. */
  nearest(modelName: string, provider?: string): readonly string[];
  /** Current models of the provider that replace a deprecated one, at most three: those sharing most of its name, newest first. */
  successors(modelName: string, provider: string): readonly string[];
}

/**
 * The built-in facts (docs/models.md) with a user's models from agentstack.json over them. The provider defaults to `openai`;
 * `azure_openai` deployments are treated as the OpenAI model they are named after; of other providers only the user's models are
 * known. A fine-tuned model has the facts of its base, but not its price.
 */
export function createModelTable(userModels: Readonly<Record<string, UserModel>> = {}): ModelTable {
  /** Cached answers: a project uses few models, but looks each up for every agent. */
  const answers = new Map<string, ModelFacts | undefined>();
  const successors = new Map<string, readonly string[]>();
  const table: ModelTable = {
    find(modelName, provider = 'openai') {
      const question = `${provider} ${modelName}`;
      if (!answers.has(question)) answers.set(question, look(modelName, provider, userModels));
      return answers.get(question);
    },
    names: (provider = 'openai') => namesKnown(provider, userModels),
    nearest(modelName, provider = 'openai') {
      const base = isFineTuned(modelName) ? (modelName.split(':')[1] ?? '') : modelName;
      return nearestNames(base, namesKnown(provider, userModels));
    },
    successors(modelName, provider) {
      const question = `${provider} ${modelName}`;
      const isCurrent = (name: string) => !isGoing(table.find(name, provider));
      const successorNames = successors.get(question) ?? findSuccessors(modelName, table.names(provider).filter(isCurrent));
      successors.set(question, successorNames);
      return successorNames;
    },
  };
  return table;
}

function namesKnown(provider: string, userModels: Readonly<Record<string, UserModel>>): readonly string[] {
  const names = [...Object.keys(userModels), ...(builtIn.get(provider)?.keys() ?? [])];
  return [...new Set(names)].filter((name) => !isFineTuned(name));
}

function look(modelName: string, provider: string, userModels: Readonly<Record<string, UserModel>>): ModelFacts | undefined {
  const providerModels = builtIn.get(provider);
  for (const name of modelNames(modelName)) {
    const user = Object.hasOwn(userModels, name) ? userModels[name] : undefined;
    const facts = providerModels?.get(name);
    if (user === undefined && facts === undefined) continue;
    const base = name !== modelName && isFineTuned(modelName) ? atFineTuningPrice(facts, providerModels) : facts;
    return user === undefined ? base : withUserFacts(name, provider, base, user);
  }
  return undefined;
}

/** Providers whose models the built-in table aims to cover: any other name there is new or misspelt. */
export const providersWithKnownModels: ReadonlySet<string> = new Set(
  providerFacts.filter(({ hasKnownModels }) => hasKnownModels).map(({ name }) => name),
);

/** Never changed once built. */
const builtIn: ReadonlyMap<string, ReadonlyMap<string, ModelFacts>> = readRows();

function readRows(): Map<string, Map<string, ModelFacts>> {
  const providers = new Map<string, Map<string, ModelFacts>>();
  for (const row of modelRows.trim().split('\n')) {
    const facts = readRow(row.split('|'));
    const models = providers.get(facts.provider) ?? new Map<string, ModelFacts>();
    providers.set(facts.provider, models.set(facts.name, facts));
  }
  for (const { name, modelsOf = name } of providerFacts) {
    const models = providers.get(modelsOf) ?? new Map();
    providers.set(name, modelsOf === name ? models : new Map([...models].map(([model, facts]) => [model, withoutEnd(facts)])));
  }
  return providers;
}

/** Who hosts another provider's models stops them on days of their own. */
function withoutEnd({
  ends: _ends,
  successor: _successor,
  rerouted: _rerouted,
  ends_source: _source,
  read: _read,
  ...facts
}: ModelFacts): ModelFacts {
  return facts;
}

function readRow(columns: readonly string[]): ModelFacts {
  const [provider = '', name = '', window, output, input, out, cached, unsupported, effort, deprecated, ...rest] = columns;
  const [ends, successor, rerouted, endSource, letters = ''] = rest;
  return {
    name,
    provider,
    ...(window ? { context_window: Number(window) } : {}),
    ...(output ? { max_output_tokens: Number(output) } : {}),
    unsupported: unsupported ? unsupported.split(',') : [],
    ...(effort ? { supported_with_effort: effort } : {}),
    ...(deprecated ? { deprecated } : {}),
    ...(ends ? { ends, ...endSourceAt(Number(endSource)) } : {}),
    ...(successor ? { successor } : {}),
    ...(rerouted ? { rerouted: true } : {}),
    ...(input && out ? { price: { input: Number(input), output: Number(out), ...(cached ? { cached_input: Number(cached) } : {}) } } : {}),
    source: [...letters].map((letter) => sources[letter]).join('; '),
  };
}

function endSourceAt(index: number): Pick<ModelFacts, 'ends_source' | 'read'> {
  const [ends_source, read] = endSources[index] ?? [];
  return { ...(ends_source && { ends_source }), ...(read && { read }) };
}

function atFineTuningPrice(facts: ModelFacts | undefined, models: ReadonlyMap<string, ModelFacts> | undefined): ModelFacts | undefined {
  if (facts === undefined) return undefined;
  const { price: _ofBase, ...rest } = facts;
  const price = models?.get(`ft:${facts.name}`)?.price;
  return price === undefined ? rest : { ...rest, price };
}

function withUserFacts(name: string, provider: string, facts: ModelFacts | undefined, user: UserModel): ModelFacts {
  const { deprecated, ends, successor, rerouted, ends_source, read, price: priceOfTable, ...rest } = facts ?? noFacts(name, provider);
  const ofTable: Lifecycle = { deprecated, ends, successor, rerouted, ends_source, read };
  const price = { ...priceOfTable, ...user.price };
  return {
    ...rest,
    ...(user.context_window === undefined ? {} : { context_window: user.context_window }),
    ...(user.max_output_tokens === undefined ? {} : { max_output_tokens: user.max_output_tokens }),
    ...(user.unsupported === undefined ? {} : { unsupported: user.unsupported }),
    ...definedOf(lifecycleOf(user, ofTable)),
    ...(isWhole(price) ? { price } : {}),
    source: rest.source === '' ? 'agentstack.json' : `agentstack.json; ${rest.source}`,
  };
}

type Lifecycle = { readonly [K in 'deprecated' | 'ends' | 'successor' | 'rerouted' | 'ends_source' | 'read']: ModelFacts[K] | undefined };

/** `deprecated: false` takes back what the table says of the end; a day of the user's own is not the provider's word. */
function lifecycleOf({ deprecated, ends, successor }: UserModel, ofTable: Lifecycle): Partial<Lifecycle> {
  const text = deprecated === true ? 'deprecated' : deprecated === false ? undefined : deprecated;
  const base: Partial<Lifecycle> = deprecated === false ? {} : text === undefined ? ofTable : { ...ofTable, deprecated: text };
  const own = ends === undefined ? base : { ...base, ends, rerouted: undefined, ends_source: 'agentstack.json', read: undefined };
  return successor === undefined ? own : { ...own, successor };
}

function noFacts(name: string, provider: string): ModelFacts {
  return { name, provider, unsupported: [], source: '' };
}

function definedOf(values: Partial<Lifecycle>): Partial<Pick<ModelFacts, keyof Lifecycle>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

function isWhole(price: Partial<ModelPrice>): price is ModelPrice {
  return price.input !== undefined && price.output !== undefined;
}
