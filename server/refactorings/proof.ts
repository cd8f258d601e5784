import { isObject, type Json, type JsonObject, pointerOf, setAt } from '../../core/json.js';
import { fileTextAfter } from '../../core/jsonText/promptEdits.js';
import { createAgentPrompt } from '../../core/prompt/agentPrompt.js';
import { templatesOf } from '../../core/prompt/agentTemplates.js';
import { findTemplatePaths } from '../../core/prompt/template.js';
import { canonicalJson } from '../../core/snapshot/canonicalJson.js';
import { environmentNames } from '../../core/snapshot/checkEnvironment.js';
import { resolveAgent } from '../../core/snapshot/resolveAgent.js';
import { type ResolvedOrchestration, resolveOrchestration } from '../../core/snapshot/resolveOrchestration.js';
import type { ResolvedAgent } from '../../core/snapshot/types.js';
import { editedProject } from '../edits/editedProject.js';
import type { FileChange } from '../edits/fileChange.js';
import { requestFailed } from '../requestFailed.js';
import type { Project } from '../workspace.js';

/** The references of an agent may change; the config that they resolve to must not. A template may be written for the text it stands for. */
const mayDiffer = new Set(['persona_key', 'llm_config_id', 'prompts', 'template', 'system_text', 'purpose_text']);

/**
 * Composes an agent before and after changes and accepts them only if nothing that reaches a model has changed: the effective config, the
 * connection, and the messages for a sample payload, byte for byte, in every environment. Environment variables stand for themselves.
 *
 * @throws ResponseError with what would change, or why that cannot be determined
 */
export function proveSamePrompt(project: Project, path: string, changes: readonly FileChange[]): readonly FileChange[] {
  const after = editedProject(project, textsAfter(project, changes));
  for (const environment of environmentsOf(project)) {
    const [was, is] = [resolved(project, path, environment), resolved(after, path, environment)];
    if (was === undefined || is === undefined)
      throw requestFailed('The agent file cannot be read, so it is unknown whether its prompt stays the same.');
    prove(was, is, 'the agent');
  }
  return changes;
}

/** The same for all agents and tasks of orchestrations that a file is a layer of. */
export function proveSamePrompts(project: Project, path: string, changes: readonly FileChange[]): readonly FileChange[] {
  if (!project.index.complete && project.identityOf(path)?.kind !== 'agent')
    throw requestFailed('Not all files of the project can be read, so it is unknown whether their prompts stay the same.');
  const after = editedProject(project, textsAfter(project, changes));
  for (const environment of environmentsOf(project)) {
    for (const [id, agent] of project.index.ids('agent')) {
      const was = resolved(project, agent, environment);
      const is = was?.files.includes(path) ? resolved(after, agent, environment) : undefined;
      if (was !== undefined && is !== undefined) prove(was, is, `the agent ${id}`);
    }
    for (const orchestration of project.index.ids('orchestration').values()) {
      const was = tasksOf(project, orchestration, environment);
      const is = was?.files.includes(path) ? tasksOf(after, orchestration, environment) : undefined;
      for (const [instance, agent] of was?.agents ?? []) {
        const changed = is?.agents.get(instance);
        if (changed !== undefined) prove(agent, changed, `${instance} in ${orchestration}`);
      }
    }
  }
  return changes;
}

/** @throws ResponseError */
function prove(was: ResolvedAgent, is: ResolvedAgent, who: string): void {
  const fault = is.problems.find(
    ({ code, message }) => !was.problems.some((earlier) => earlier.code === code && earlier.message === message),
  );
  if (fault !== undefined) throw requestFailed(`After this ${who} would not run: ${fault.message}`);
  const changed = firstDifference(was, is);
  if (changed !== undefined)
    throw requestFailed(`This would change ${changed} of ${who}, which another layer also sets. Move it by hand, or leave it where it is.`);
  const payload = samplePayload(was);
  if (composed(was, payload) !== composed(is, payload)) throw requestFailed(`This would change the composed prompt of ${who}.`);
}

/** That of the settings, which need not have a file, and all others. */
function environmentsOf({ index }: Project): readonly string[] {
  return [...new Set([index.settings.environment, ...environmentNames(index)])];
}

function textsAfter(project: Project, changes: readonly FileChange[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const change of changes) {
    if (change.type === 'create') texts.set(change.path, change.text);
    else if (change.type === 'edit')
      texts.set(change.path, fileTextAfter(change.path, project.documentAt(change.path)?.fileText ?? '', change.replacements));
  }
  return texts;
}

/** A variable may expand to any text: its name in brackets works as well as its value, and is not a secret. */
const symbolic = { get: (name: string) => `<${name}>` };

function resolved(project: Project, path: string, environment_name: string): ResolvedAgent | undefined {
  const { identity, value } = project.documentAt(path)?.config ?? {};
  if (identity?.kind !== 'agent' || identity.version === undefined || !isObject(value)) return undefined;
  const request = { agent_name: identity.name, version: identity.version, file: { path, value } };
  return resolveAgent({ ...request, project: project.ruleContext.project, environment_name, variables: symbolic });
}

/** The agents of an orchestration, with all their layers. */
function tasksOf(project: Project, path: string, environment_name: string): ResolvedOrchestration | undefined {
  const { value } = project.documentAt(path)?.config ?? {};
  if (!isObject(value)) return undefined;
  const sourceOf = (id: string) => {
    const agent = project.index.ids('agent').get(id);
    const config = agent === undefined ? undefined : project.documentAt(agent)?.config;
    return isObject(config?.value) ? { path: config.path, value: config.value } : undefined;
  };
  const agents = { get: sourceOf };
  return resolveOrchestration({
    file: { path, value },
    project: project.ruleContext.project,
    environment_name,
    variables: symbolic,
    agents,
  });
}

function firstDifference(was: ResolvedAgent, is: ResolvedAgent): string | undefined {
  // Effective configs are JSON, as their snapshots are.
  const parts: readonly (readonly [JsonObject, JsonObject])[] = [
    [was.config as unknown as JsonObject, is.config as unknown as JsonObject],
    [was.llm as unknown as JsonObject, is.llm as unknown as JsonObject],
    [was.servers, is.servers],
  ];
  for (const [left, right] of parts) {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      if (mayDiffer.has(key) || key === 'llm_id') continue;
      if (comparable(left[key]) !== comparable(right[key])) return key;
    }
  }
  return undefined;
}

function comparable(value: Json | undefined): string {
  // The order of the fields of a schema is the order in which a prompt lists them.
  return value === undefined ? '' : `${canonicalJson(value)} ${JSON.stringify(value)}`;
}

function composed({ config, origins, tools, llm }: ResolvedAgent, payload: JsonObject): string {
  const schemas = { compile: () => ({ ok: false, problems: [] }) as const };
  const { messages, response_format, tools: sent } = createAgentPrompt({ config, origins, tools, llm, schemas }).compose(payload);
  return JSON.stringify([messages, response_format, sent]);
}

/** Every input key that the agent declares or its templates read, each with its own name as value. */
function samplePayload({ config }: ResolvedAgent): JsonObject {
  let payload: JsonObject = {};
  const { input_schema: schema } = config;
  const properties = isObject(schema?.properties) ? Object.keys(schema.properties) : [];
  for (const key of [...(config.input_keys ?? []), ...properties]) payload = setAt(payload, [key], key);
  for (const { segments } of templatesOf(config).flatMap(({ text }) => findTemplatePaths(text))) {
    if (segments[0] === 'input' && segments.length > 1) payload = setAt(payload, segments.slice(1), pointerOf(...segments));
  }
  return payload;
}
