import { modelNames } from '../config/modelNames.js';
import type { ProjectIndex } from '../config/projectIndex.js';
import { howToAddProviders, knownProviders } from '../config/providers.js';
import type { Json, JsonObject } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { agentTools, type FrozenTool, frozenCopy } from './agentTools.js';
import type { Assembled } from './assemble.js';
import { checkEnvironment } from './checkEnvironment.js';
import { collectFragments } from './collectFragments.js';
import { createProblemList, type EffectiveAgent, type EffectiveLlm, type LayerProblem, type Origin } from './effective.js';
import { effectiveAgent } from './effectiveAgent.js';
import { effectiveLlm } from './effectiveLlm.js';
import type { Fragment } from './layering.js';
import { leafOrigins } from './origins.js';
import { policyOf } from './policy.js';
import { checkRequired } from './required.js';
import type { LayeredPolicy, ResolvedAgent, ResolveRequest } from './types.js';

/**
 * The effective config of an agent: all layers merged, placeholders expanded, deeply frozen. Pure and synchronous.
 * Never throws for the content of files or overrides: errors are in `problems`, and unusable values are left out.
 */
export function resolveAgent(request: ResolveRequest): ResolvedAgent {
  const environmentName = request.environment_name ?? request.project.settings.environment;
  const problems = createProblemList();
  const { report } = problems;
  checkEnvironment(request, report);
  const stack = collectFragments(request, environmentName, report);
  const agent = effectiveAgent(request, stack, report);
  const llm = effectiveLlm(request, stack, agent, report);
  checkProvider(agent, request.project, report);
  // Assembled field by field, each checked against its type; the required fields are always set.
  const policy = policyOf(request.project, environmentName);
  const tools = agentTools(agent.config as unknown as EffectiveAgent, request.project, agent.originAt, report, policy !== undefined);
  for (const problem of checkRequired(agent, stack, request, environmentName)) report(problem);

  return new Resolution(agent, llm, {
    problems: problems.all(),
    files: Object.freeze([...stack.files, ...[agent.prompt?.file.path, tools.tool_files.mcp, tools.tool_files.lock].filter(isText)]),
    environment_name: environmentName,
    layers: stack.fragments,
    models: userModelsOf(agent.config, request.project),
    ...(policy && { policy }),
    ...tools,
  });
}

/** With the message of the rule unknown-provider, if a file names it. */
function checkProvider({ config, originAt }: Assembled, project: ProjectIndex, report: (problem: LayerProblem) => void): void {
  const { provider: name } = config;
  const providers = knownProviders(project);
  if (typeof name !== 'string' || providers.includes(name)) return;
  const nearest = nearestNames(name, providers);
  const { file, pointer } = originAt(['provider']);
  const rest = nearest.length > 0 ? didYouMean(nearest) : howToAddProviders(providers);
  report({
    code: 'unknown-provider',
    message: `There is no provider ${JSON.stringify(name)}.${rest}`,
    file,
    pointer,
    data: { name, nearest },
  });
}

function userModelsOf({ model_name }: JsonObject, { settings: { models } }: ProjectIndex): JsonObject {
  if (typeof model_name !== 'string') return noModels;
  const names = modelNames(model_name).filter((name) => Object.hasOwn(models, name));
  // Plain JSON; its type is more precise than `Json`.
  return names.length === 0
    ? noModels
    : (frozenCopy(Object.fromEntries(names.map((name) => [name, models[name] as unknown as Json]))) as JsonObject);
}

const noModels: JsonObject = Object.freeze({});

function isText(path: string | null | undefined): path is string {
  return typeof path === 'string';
}

/** Frozen except for the origins, which are computed on first access: most callers never need them. */
class Resolution implements ResolvedAgent {
  readonly config: EffectiveAgent;
  readonly llm: EffectiveLlm;
  readonly problems: readonly LayerProblem[];
  readonly files: readonly string[];
  readonly environment_name: string;
  readonly servers: JsonObject;
  readonly tools: readonly FrozenTool[];
  readonly unlisted: readonly string[];
  readonly protocols: ResolvedAgent['protocols'];
  readonly offered: readonly string[];
  readonly tool_files: ResolvedAgent['tool_files'];
  readonly models: JsonObject;
  declare readonly policy?: LayeredPolicy;
  readonly #layers: readonly Fragment[];
  readonly #agent: Assembled;
  readonly #llm: Assembled;
  #origins: ReadonlyMap<string, Origin> | undefined;
  #llmOrigins: ReadonlyMap<string, Origin> | undefined;

  constructor(
    agent: Assembled,
    llm: Assembled,
    {
      problems,
      files,
      environment_name,
      layers,
      servers,
      tools,
      unlisted,
      protocols,
      offered,
      tool_files,
      models,
      policy,
    }: Omit<ResolvedAgent, 'config' | 'llm' | 'origins' | 'llm_origins' | 'sources'>,
  ) {
    // See `resolveAgent`: both were assembled field by field.
    this.config = agent.config as unknown as EffectiveAgent;
    this.llm = llm.config as unknown as EffectiveLlm;
    this.problems = problems;
    this.files = files;
    this.environment_name = environment_name;
    // Fragments are the files' own values, which belong to the index and are not frozen.
    this.#layers = layers;
    this.servers = servers;
    this.tools = tools;
    this.unlisted = unlisted;
    this.protocols = protocols;
    this.offered = offered;
    this.tool_files = tool_files;
    this.models = models;
    if (policy !== undefined) this.policy = policy;
    this.#agent = agent;
    this.#llm = llm;
    Object.freeze(this);
  }

  get layers(): readonly Fragment[] {
    return this.#layers;
  }

  get sources(): NonNullable<ResolvedAgent['sources']> {
    return { config: this.#agent, llm: this.#llm };
  }

  get origins(): ReadonlyMap<string, Origin> {
    this.#origins ??= leafOrigins(this.#agent.config, this.#agent);
    return this.#origins;
  }

  get llm_origins(): ReadonlyMap<string, Origin> {
    this.#llmOrigins ??= leafOrigins(this.#llm.config, this.#llm);
    return this.#llmOrigins;
  }
}
