import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../../core/json.js';
import { coverSecrets } from '../../core/secrets/secretPatterns.js';
import type { LayerProblem, Origin } from '../../core/snapshot/effective.js';
import type { FeatureContext } from '../feature.js';
import { requestFailed } from '../requestFailed.js';
import type { Project } from '../workspace.js';
import { Argument, findTarget } from './target.js';

export interface EffectiveConfigAnswer {
  readonly agent_name: string;
  readonly version: string;
  readonly environment: string;
  /** Every field of the agent after layering. Variables are shown as written, `${VAR}`, and secrets are covered. */
  readonly config: Json;
  readonly llm: Json;
  /** Pointer into `config` (into `llm`) of every scalar, empty object and empty list to where it is written. */
  readonly origins: Readonly<Record<string, Origin>>;
  readonly llm_origins: Readonly<Record<string, Origin>>;
  /** Empty when the agent can run. */
  readonly problems: readonly LayerProblem[];
  /** Files read, lowest layer first. */
  readonly files: readonly string[];
}

/** The effective config of an agent with the layer of every value. @throws ResponseError */
export async function effectiveConfig(value: unknown, context: FeatureContext): Promise<EffectiveConfigAnswer> {
  const argument = new Argument('agentStack.server.effectiveConfig', value);
  const { project, path, id } = await findTarget(argument, 'agent', context);
  const file = project.documentAt(path)?.config;
  if (file === undefined || !isObject(file.value)) throw requestFailed(`${path} is not valid JSON: correct it first.`);
  const { config, llm, origins, llm_origins, problems, files, environment_name } = project.ruleContext.effective(file);
  const at = id.indexOf('@');
  return {
    agent_name: id.slice(0, at),
    version: id.slice(at + 1),
    environment: environment_name,
    config: asWritten(config as unknown as JsonObject, origins, project),
    llm: asWritten(llm as unknown as JsonObject, llm_origins, project),
    origins: Object.fromEntries(origins),
    llm_origins: Object.fromEntries(llm_origins),
    problems: problems.map((problem) => ({ ...problem, message: coverSecrets(problem.message) })),
    files,
  };
}

/** A copy in which no text contains the value of a variable, or anything that looks like a secret. */
function asWritten(config: JsonObject, origins: ReadonlyMap<string, Origin>, project: Project): Json {
  const values = new Map<string, Json | undefined>();
  const written = ({ file, pointer }: Origin): Json | undefined => {
    if (file === null) return undefined;
    if (!values.has(file)) values.set(file, project.documentAt(file)?.config?.value);
    return valueAt(values.get(file), pointer);
  };
  const copy = (value: Json, pointer: string): Json => {
    if (typeof value === 'string') {
      const origin = origins.get(pointer);
      const source = origin === undefined ? undefined : written(origin);
      return coverSecrets(typeof source === 'string' && source.includes('${') ? source : value);
    }
    if (Array.isArray(value)) return value.map((item: Json, index) => copy(item, `${pointer}/${index}`));
    if (!isObject(value)) return value;
    // fromEntries defines properties, so a key named __proto__ stays a key.
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item, pointer + pointerOf(key))]));
  };
  return copy(config, '');
}
