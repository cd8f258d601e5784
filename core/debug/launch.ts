import type { DebugProtocol } from '@vscode/debugprotocol';
import type { AgentEvent } from '../agent/events.js';
import type { Stop } from '../agent/gate.js';
import { isObject, type JsonObject, parseObject } from '../json.js';
import type { Project, RunOptions } from '../project/types.js';

/** What the face gives to a debugger. */
export interface DebugHost {
  /** @param folder as `launch` says it; undefined: the default of the face */
  open(folder: string | undefined): Promise<DebuggedProject>;
  /** How a recording was called. @throws if it is none */
  recordedCall(file: string): { readonly input?: JsonObject; readonly llm?: string };
}

export interface DebuggedProject {
  readonly project: Project;
  /** An absolute path as a project path; undefined when it is outside. */
  toProjectPath(path: string): string | undefined;
  /** The other way round. */
  toPath(file: string): string;
  readonly approve: RunOptions['approve'];
}

/** The arguments of `launch`. */
export interface LaunchArguments extends DebugProtocol.LaunchRequestArguments {
  readonly project?: string;
  /** NAME or NAME@VERSION. */
  readonly agent?: string;
  readonly orchestration?: string;
  readonly case?: string;
  readonly input?: JsonObject;
  readonly llm?: string;
  /** A record, which answers instead of models and tools. */
  readonly recording?: string;
  readonly stopBefore?: readonly string[];
}

export const stopKinds: { readonly [name: string]: readonly Stop['at'][] } = {
  model: ['model'],
  tool: ['tool'],
  answer: ['answer', 'tool_answer'],
  route: ['route'],
};

/** The run, which begins when its events are read. @throws if its input or its recording cannot be read */
export async function prepareLaunch(
  { project, approve }: DebuggedProject,
  args: LaunchArguments,
  recordedCall: DebugHost['recordedCall'],
  stops: Required<Pick<RunOptions, 'gate' | 'signal'>>,
): Promise<() => AsyncIterable<AgentEvent>> {
  const { recording } = args;
  const recorded = recording === undefined ? {} : recordedCall(recording);
  const llm = args.llm ?? recorded.llm;
  const [agent_name = '', version] = (args.agent ?? '').split('@');
  const name = args.orchestration ?? agent_name;
  const input = args.input ?? (args.case === undefined ? recorded.input : await caseOf(project, name, args.case)) ?? {};
  const options = {
    ...stops,
    ...(approve && { approve }),
    ...(recording !== undefined && { replay: recording }),
  };
  const overrides = llm === undefined ? {} : { overrides: { llm } };
  if (args.orchestration !== undefined) return () => project.orchestrate({ name, input, ...overrides, ...options });
  return () => project.run({ agent_name, ...(version !== undefined && { version }), payload: input, ...overrides, ...options });
}

export async function readFile({ project }: DebuggedProject, file: string): Promise<string | undefined> {
  try {
    return await project.ports.files.readText(file);
  } catch {
    // It may have vanished while the run was stopped.
    return undefined;
  }
}

/** The first case of an agent or an orchestration that one run can take; undefined without any. */
export async function firstCase(project: Project, owner: string): Promise<string | undefined> {
  const payloads = (await project.index()).ids('payload');
  for (const id of [...payloads.keys()].filter((each) => each.startsWith(`${owner}/`)).sort())
    if (await inputIn(project, payloads.get(id) ?? '')) return id.slice(owner.length + 1);
  return undefined;
}

async function caseOf(project: Project, owner: string, name: string): Promise<JsonObject> {
  const index = await project.index();
  const path = index.ids('payload').get(`${owner}/${name}`);
  if (path === undefined) throw new Error(`There is no case ${name} of ${owner}.`);
  const input = await inputIn(project, path);
  if (input) return input;
  throw new Error(`${path} has no input.`);
}

async function inputIn({ ports }: Project, path: string): Promise<JsonObject | undefined> {
  const value = parseObject(await ports.files.readText(path));
  const input = value?.input ?? value?.context;
  return isObject(input) ? input : undefined;
}
