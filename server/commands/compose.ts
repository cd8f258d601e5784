import type { ConfigFile } from '../../core/config/configFile.js';
import { AgentStackError } from '../../core/errors.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { priceOf } from '../../core/llm/price.js';
import { createAgentPrompt } from '../../core/prompt/agentPrompt.js';
import { describePrompt, type PromptDescription } from '../../core/prompt/describePrompt.js';
import { loadSchemaCompiler } from '../../core/schema/schemaCompiler.js';
import { resolveCalled } from '../../core/snapshot/calledAgents.js';
import { unknownEnvironment } from '../../core/snapshot/checkEnvironment.js';
import { createSnapshot } from '../../core/snapshot/createSnapshot.js';
import { resolveAgent } from '../../core/snapshot/resolveAgent.js';
import type { AgentSource, ResolvedAgent } from '../../core/snapshot/types.js';
import type { FeatureContext } from '../feature.js';
import { requestFailed } from '../requestFailed.js';
import { Argument, findTarget, type Target } from './target.js';

export interface ComposeAnswer extends PromptDescription {
  readonly agent_name: string;
  readonly version: string;
  /** The messages as text: `[role]`, and the content below it. */
  readonly text: string;
}

/**
 * The prompt an agent sends for a payload, as `agent-stack compose --json` prints it; open documents take precedence over the disk. Sends nothing.
 *
 * @throws ResponseError when the agent or its payload cannot be used, with every reason
 */
export async function compose(value: unknown, context: FeatureContext): Promise<ComposeAnswer> {
  const argument = new Argument('agentStack.server.compose', value);
  const payload = argument.object('payload');
  const sample = argument.text('case');
  if (payload !== undefined && sample !== undefined) argument.refuse('takes payload or case, not both');
  const target = await findTarget(argument, 'agent', context);
  const file = target.project.documentAt(target.path)?.config;
  if (file === undefined) throw requestFailed(`${target.path} cannot be read.`);
  const input = payload ?? (sample === undefined ? {} : readCase(target, sample));
  const calling = { llm: argument.text('llm'), environment: argument.text('environment') };
  const { resolved, called } = resolve(file, target, calling, context);
  await refuseFaults(target, [resolved, ...called.values()]);
  try {
    const { config, llm, origins, tools } = resolved;
    const prompt = createAgentPrompt({ config, llm, origins, tools, schemas: await loadSchemaCompiler() });
    const issues = prompt.checkPayload(input);
    if (issues.length > 0)
      throw requestFailed(`The payload is not valid: ${issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')}`);
    const snapshot = createSnapshot({ kind: 'agent', resolved, called, sha256: (text) => context.workspace.host.sha256(text) });
    const model = target.project.ruleContext.models.find(config.model_name ?? '', llm.provider);
    const described = await describePrompt({ prompt, snapshot, resolved, model, price: priceOf(llm, model, prompt.model_name) }, input);
    const text = described.messages.map(({ role, content }) => `[${role}]\n${content}\n`).join('\n');
    return { agent_name: config.agent_name, version: config.version, ...described, text };
  } catch (error) {
    if (error instanceof AgentStackError) throw requestFailed(error.message);
    throw error;
  }
}

interface Calling {
  readonly llm: string | undefined;
  readonly environment: string | undefined;
}

/** @throws ResponseError */
function resolve(
  { path, value, identity }: ConfigFile,
  { project }: Target,
  { llm, environment }: Calling,
  { workspace }: FeatureContext,
): { readonly resolved: ResolvedAgent; readonly called: ReadonlyMap<string, ResolvedAgent> } {
  const { index } = project;
  if (!isObject(value) || identity.version === undefined) throw requestFailed(`${path} is not valid JSON: correct it first.`);
  if (environment !== undefined && environment !== index.settings.environment && index.value('system', environment) === undefined)
    throw requestFailed(unknownEnvironment(environment, index));
  const together = {
    project: index,
    variables: workspace.host.environment,
    ...(environment !== undefined && { environment_name: environment }),
    ...(llm !== undefined && { overrides: { llm } }),
  };
  const resolved = resolveAgent({ ...together, agent_name: identity.name, version: identity.version, file: { path, value } });
  const agents = new Map<string, AgentSource>();
  let resolution = resolveCalled([resolved], { ...together, agents });
  for (; resolution.unread.length > 0; resolution = resolveCalled([resolved], { ...together, agents })) {
    for (const agent of resolution.unread) agents.set(agent.id, { path: agent.path, value: objectAt(project, agent.path) });
  }
  return { resolved, called: resolution.called };
}

/** @throws ResponseError */
function objectAt(project: Target['project'], path: string): JsonObject {
  const value = project.documentAt(path)?.config?.value;
  if (!isObject(value)) throw requestFailed(`${path} is not valid JSON: correct it first.`);
  return value;
}

/** A run would end before its first message. @throws ResponseError with every reason */
async function refuseFaults({ project, path }: Target, agents: readonly ResolvedAgent[]): Promise<void> {
  const errors = (await project.findings(path)).filter(({ severity }) => severity === 'error');
  // What call overrides correct is still wrong in the file, but does not affect this call.
  const faults = errors.filter(({ code }) => !['effective-config-incomplete', 'model-not-chosen', 'unknown-llm'].includes(code));
  const lines = [
    ...faults.map(({ file, line, column, code, message }) => `${file}:${line}:${column} ${code}: ${message}`),
    ...agents
      .flatMap(({ problems }) => problems)
      .filter(({ code, pointer }) => !faults.some((fault) => fault.code === code && fault.pointer === pointer))
      .map(({ file, code, message }) => `${file ?? path} ${code}: ${message}`),
  ];
  if (lines.length > 0) throw requestFailed(`${path} cannot be composed: ${lines.join('; ')}`);
}

/** `input` of a payload of the agent. @throws ResponseError */
function readCase({ project, id }: Target, sample: string): JsonObject {
  const name = id.slice(0, id.indexOf('@'));
  const payloads = project.index.ids('payload');
  const path = payloads.get(`${name}/${sample}`);
  if (path === undefined) {
    const samples = [...payloads.keys()].flatMap((key) => (key.startsWith(`${name}/`) ? [key.slice(name.length + 1)] : []));
    const there = samples.length === 0 ? `${name} has none.` : `There are: ${samples.slice(0, 10).join(', ')}.`;
    throw requestFailed(`There is no case ${JSON.stringify(sample)}. ${there}`);
  }
  const file = project.documentAt(path)?.config?.value;
  if (!isObject(file) || !isObject(file.input)) throw requestFailed(`${path} has no {"input": {...}}.`);
  return file.input;
}
