import type { ConfigFile } from '../../core/config/configFile.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { worstCaseWords } from '../../core/llm/worstCase.js';
import { staticWorstCase } from '../../core/prompt/staticWorstCase.js';
import { boundsIn, boundsWords, createFacts, teamBoundWords } from '../../core/rules/facts/orchestrationBounds.js';
import type { FeatureContext } from '../feature.js';
import { language, translate } from '../texts.js';
import type { Project } from '../workspace.js';

/**
 * The highest cost of a run of an agent, with the longest of its payloads, or of an orchestration. Undefined for invalid JSON, and
 * where an agent is missing.
 *
 * @param team of an orchestration: how often that team runs, and what it costs each time
 */
export async function costTitle(uri: string, team: string | undefined, { workspace }: FeatureContext): Promise<string | undefined> {
  const file = workspace.document(uri)?.config;
  const project = workspace.projectOf(uri);
  if (project === undefined || !isObject(file?.value)) return undefined;
  if (file.identity.kind === 'orchestration') return orchestrationTitle(file, team, project);
  return file.identity.kind === 'agent' ? agentTitle(file, project) : undefined;
}

function agentTitle(file: ConfigFile, project: Project): string | undefined {
  const { effective, called, models } = project.ruleContext;
  const resolved = effective(file);
  const facts = createFacts(called(resolved), models, project.ruleContext.project.settings.assumed_input_tokens)(resolved);
  const bounds = staticWorstCase({ ...facts, payloads: samples(project, file.identity.name) });
  return bounds && worstCaseWords(bounds, translate, language());
}

async function orchestrationTitle(file: ConfigFile, team: string | undefined, project: Project): Promise<string | undefined> {
  // The proofs about routes may need the schema compiler, which the rules load.
  await project.findings(file.path);
  const bounds = boundsIn(file, project.ruleContext);
  if (bounds === undefined) return undefined;
  if (team === undefined) return boundsWords(bounds, translate, language());
  const teamBounds = bounds.teams.find((candidate) => candidate.team === team);
  return teamBounds && teamBoundWords(teamBounds, translate, language());
}

/** Each sample has to be read, so only the first ones are. */
const mostSamples = 20;

function samples(project: Project, agent: string): readonly JsonObject[] {
  const paths = [...project.index.ids('payload')].flatMap(([id, path]) => (id.startsWith(`${agent}/`) ? [path] : []));
  return paths.slice(0, mostSamples).flatMap((path) => {
    const value = project.documentAt(path)?.config?.value;
    return isObject(value) && isObject(value.input) ? [value.input] : [];
  });
}
