import type { Command } from 'commander';
import type { LoadedAgent } from '../core/agent/load/loadAgent.js';
import { type Refused, unlessRefused } from '../core/agent/load/refused.js';
import type { ProjectIndex } from '../core/config/projectIndex.js';
import type { JsonObject } from '../core/json.js';
import { didYouMean, firstNames, nearestNames } from '../core/names.js';
import type { Project } from '../core/project/types.js';
import { learnSecrets } from '../core/secrets/learnSecrets.js';
import { checkEnvironment } from './checkEnvironment.js';
import { type Cli, type GlobalOptions, UsageError } from './cli.js';
import { caseNames, type InputOptions, readInput } from './input.js';
import { openCliProject } from './openCliProject.js';
import { environmentOption } from './optionValues.js';
import { parseAgent } from './parseAgent.js';
import { locateProject } from './project.js';
import { readRecordedCall } from './recordedCall.js';

/** Options of every verb that calls an agent. */
export interface CallOptions extends GlobalOptions, InputOptions {
  readonly llm?: string;
  readonly environment?: string;
  /** A record to answer from. Its input and profile apply where no other option gives them. */
  readonly replay?: string;
  /** Replaces the `system_text` of the agent, and its template. */
  readonly systemPrompt?: string;
}

/** An agent and its input, as a command line names them. */
export interface AgentCall {
  readonly project: Project;
  readonly loaded: LoadedAgent | Refused;
  readonly payload: JsonObject;
  /** Whether it holds what looks like a secret, which no output shows. */
  readonly holdsSecret: boolean;
  /** Name of the case; undefined when other options changed it. */
  readonly case: string | undefined;
  /** Session of the record that is replayed. */
  readonly recordedSession: string | undefined;
}

export function addCallOptions(command: Command): Command {
  return command
    .argument('<agent>', 'NAME, or NAME@VERSION; without a version the newest')
    .option('--input <file>', 'JSON file with the input, or - for stdin; a payload file {"input": {...}} works too')
    .option('--case <name>', 'case of the project: payloads/NAME/CASE.json, or SET/CASE of a data set')
    .option('--message <text>', 'the input {"message": TEXT}, on top of --input or --case')
    .option('--set <key=value>', 'set one key of the input; valid JSON is read as JSON, dots address nested keys; repeatable', collect)
    .option('--llm <id>', "call with this llm profile instead of the agent's own")
    .option('--system-prompt <text>', "this system text instead of the agent's own or its template")
    .option(...environmentOption);
}

/** @throws UsageError when the input cannot be read; what is wrong with agent or payload is found later */
export async function prepareCall(cli: Cli, spec: string, options: CallOptions, config: JsonObject = {}): Promise<AgentCall> {
  const { root, files } = locateProject(cli, options);
  const project = openCliProject(cli, root, options);
  const index = await project.index();
  const [agent_name, version] = parseAgent(spec, index);
  if (index.versions(agent_name).length === 0 && index.ids('orchestration').has(spec))
    throw new UsageError(`${spec} is an orchestration, not an agent. Run it with \`${cli.name} orchestrate ${spec}\`.`);
  checkEnvironment(index, options.environment);
  checkProfile(index, options.llm);
  const payloads = index.ids('payload');
  const names = caseNames(payloads, agent_name);
  const read = async (name: string) => files.readText(payloads.get(`${agent_name}/${name}`) ?? '');
  if (names.length > 0) cli.inputHint = `Cases of ${agent_name}: ${names.map((name) => `--case ${name}`).join(', ')}`;
  const recorded = readRecordedCall(cli, options.replay);
  const { systemPrompt, llm = recorded.llm } = options;
  const fields = { ...config, ...(systemPrompt !== undefined && withSystemText(systemPrompt)) };
  const overrides = { ...(llm !== undefined && { llm }), ...(Object.keys(fields).length > 0 && { config: fields }) };
  const loaded = await project.load({ index, agent_name, version, overrides });
  // An agent that does not exist has no cases either, and only the first is worth saying.
  if (options.case !== undefined && index.versions(agent_name).length === 0) unlessRefused(loaded);
  const source = { cli, agentName: agent_name, cases: { names, read }, recorded: recorded.input };
  const isCase = options.message === undefined && options.set === undefined;
  const payload = await readInput(options, source);
  // What was typed is as secret as what was looked up: nothing prints it.
  const holdsSecret = learnSecrets(payload, cli.knownSecrets);
  return { project, loaded, payload, holdsSecret, case: isCase ? options.case : undefined, recordedSession: recorded.session };
}

/** A template would override the text, so it is removed. */
function withSystemText(system_text: string): JsonObject {
  return { system_text, prompts: { system_prompt: null, system_prompt_version: null } };
}

/** The option is at fault, not a file: so it is reported here, before the config of the agent is read. */
export function checkProfile(index: ProjectIndex, llm: string | undefined): void {
  const ids = index.ids('llm');
  if (llm === undefined || ids.has(llm)) return;
  const names = [...ids.keys()];
  const hint = names.length === 0 ? 'The project has none.' : `There are: ${firstNames(names)}.`;
  throw new UsageError(`--llm ${llm}: there is no such llm profile.${didYouMean(nearestNames(llm, names))} ${hint}`);
}

export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}
