import { isObject, type JsonObject } from '../../core/json.js';
import { worstCaseWords } from '../../core/llm/worstCase.js';
import { staticWorstCase } from '../../core/prompt/staticWorstCase.js';
import type { FeatureContext } from '../feature.js';
import type { Project } from '../workspace.js';

/** What a run of an agent may cost at most, with the longest of its sample inputs; undefined for a file that is no JSON or runs a plan. */
export function costTitle(uri: string, { workspace }: FeatureContext): string | undefined {
  const file = workspace.document(uri)?.config;
  const project = workspace.projectOf(uri);
  if (file?.identity.kind !== 'agent' || project === undefined || !isObject(file.value)) return undefined;
  const { effective, models } = project.ruleContext;
  const resolved = effective(file);
  const { config, llm } = resolved;
  const model = models.find(config.model_name ?? '', llm.provider);
  const found = staticWorstCase({ resolved, model, price: llm.price ?? model?.price, payloads: samples(project, file.identity.name) });
  return found && worstCaseWords(found);
}

/** More samples than these say nothing new, and each is read. */
const mostSamples = 20;

function samples(project: Project, agent: string): readonly JsonObject[] {
  const paths = [...project.index.ids('payload')].flatMap(([id, path]) => (id.startsWith(`${agent}/`) ? [path] : []));
  return paths.slice(0, mostSamples).flatMap((path) => {
    const value = project.documentAt(path)?.config?.value;
    return isObject(value) && isObject(value.input) ? [value.input] : [];
  });
}
