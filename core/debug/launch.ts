import type { DebugProtocol } from '@vscode/debugprotocol';
import type { AgentEvent } from '../agent/events.js';
import type { Stop } from '../agent/gate.js';
import { type EvalCase, readCases } from '../eval/readCases.js';
import { isObject, type JsonObject, parseObject } from '../json.js';
import type { Project, RunOptions } from '../project/types.js';
import { mergePatch } from '../snapshot/mergePatch.js';

/** What the face gives to a debugger. */
export interface DebugHost {
  /**
   * @param folder as `launch` says it; undefined: the default of the face
   * @param allowTools as `launch` says it; a face that asks the person takes nothing from it
   */
  open(folder: string | undefined, allowTools: readonly string[] | undefined): Promise<DebuggedProject>;
  /** How a recording was called. @throws if it is none */
  recordedCall(file: string): Pick<LaunchArguments, 'agent' | 'orchestration' | 'input' | 'llm'>;
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
  /** A record, which answers instead of models and tools. Default of what is debugged, of the input and of the llm profile. */
  readonly recording?: string;
  /** A kept run, which is replayed with its frozen config and its own input: its id, the beginning of it, or `last`. */
  readonly run?: string;
  readonly stopBefore?: readonly string[];
  /** Whether the run is kept with its steps, so that it can be resumed where it stopped. Default true; a replay is never kept. */
  readonly keep?: boolean;
  /** Tools that are called without approval, as `server/tool`, by name or with `*`. */
  readonly allowTools?: readonly string[];
}

export const stopKinds: { readonly [name: string]: readonly Stop['at'][] } = {
  model: ['model'],
  tool: ['tool'],
  answer: ['answer', 'tool_answer'],
  route: ['route'],
};

const typesOf = {
  text: ['project', 'agent', 'orchestration', 'case', 'llm', 'recording', 'run'],
  'list of texts': ['stopBefore', 'allowTools'],
  'JSON object': ['input'],
} as const;

/** Clients send what a person has written. @throws for an argument of another type */
export function checkTypes(args: LaunchArguments): void {
  const isOf = {
    text: (value: unknown) => typeof value === 'string',
    'list of texts': (value: unknown) => Array.isArray(value) && value.every((each) => typeof each === 'string'),
    'JSON object': isObject,
  };
  for (const type of ['text', 'list of texts', 'JSON object'] as const)
    for (const name of typesOf[type])
      if (args[name] !== undefined && !isOf[type](args[name])) throw new Error(`"${name}" must be a ${type}.`);
}

/** What is debugged: the same arguments, with the agent or orchestration of a kept run. */
export interface PreparedLaunch {
  readonly launch: LaunchArguments;
  /** The context with which an orchestration begins. */
  readonly context?: JsonObject;
  /** Begins when its events are read. */
  readonly begin: () => AsyncIterable<AgentEvent>;
}

type Stops = Required<Pick<RunOptions, 'gate' | 'signal'>>;

/** @throws if the arguments do not say what to debug, or its input, its recording or its kept run cannot be read */
export async function prepareLaunch(
  opened: DebuggedProject,
  args: LaunchArguments,
  recordedCall: DebugHost['recordedCall'],
  stops: Stops,
): Promise<PreparedLaunch> {
  if (args.run !== undefined) return prepareKept(opened.project, args, args.run, stops);
  const { project, approve } = opened;
  const { recording } = args;
  const recorded = recording === undefined ? {} : recordedCall(recording);
  const { agent, orchestration } = args.agent === undefined && args.orchestration === undefined ? recorded : args;
  if ((agent === undefined) === (orchestration === undefined))
    throw new Error('Say what to debug: "agent", "orchestration", "recording" or "run", and only one of agent, orchestration and run.');
  const llm = args.llm ?? recorded.llm;
  const [agent_name = '', version] = (agent ?? '').split('@');
  const name = orchestration ?? agent_name;
  const input = args.input ?? (args.case === undefined ? recorded.input : await caseOf(project, name, args.case)) ?? {};
  const isKept = args.keep !== false && recording === undefined;
  const options = {
    ...stops,
    keep: isKept ? 'folder' : 'none',
    ...(args.case !== undefined && { context: { case: args.case } }),
    ...(approve && { approve }),
    ...(recording !== undefined && { replay: recording }),
    ...(llm !== undefined && { overrides: { llm } }),
  } as const;
  const request = { agent_name, ...(version !== undefined && { version }), payload: input, durable: isKept, ...options };
  if (orchestration === undefined) return { launch: { ...args, agent: agent ?? '' }, begin: () => project.run(request) };
  const loaded = await project.loadOrchestration({ name, ...options });
  return {
    launch: { ...args, orchestration },
    ...('orchestration' in loaded && { context: merged(loaded.orchestration.frozen.context, input) }),
    begin: () => project.orchestrate({ orchestration: loaded, input, ...options }),
  };
}

async function prepareKept(project: Project, args: LaunchArguments, written: string, stops: Stops): Promise<PreparedLaunch> {
  const others = (['agent', 'orchestration', 'case', 'input', 'llm', 'recording'] as const).filter((name) => args[name] !== undefined);
  if (others.length > 0) throw new Error(`"run" has its own config, input and llm profile: leave out "${others.join('", "')}".`);
  const kept = await project.recordingOf(written);
  const { frozen } = kept;
  const subject =
    'agent' in frozen
      ? { agent: `${frozen.agent.resolved.config.agent_name}@${frozen.agent.resolved.config.version}` }
      : { orchestration: frozen.orchestration.snapshot.value.name };
  return {
    launch: { ...args, ...subject },
    ...('orchestration' in frozen && { context: merged(frozen.orchestration.frozen.context, kept.input) }),
    begin: () => project.replay(kept, stops),
  };
}

function merged(context: JsonObject, input: JsonObject): JsonObject {
  const value = mergePatch(context, input);
  return isObject(value) ? value : {};
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
  for (const file of [...(await payloadsOf(project, owner)).keys()].sort()) {
    const first = (await casesIn(project, owner, file)).find(({ turns }) => turns.length === 1);
    if (first) return first.name;
  }
  return undefined;
}

/** @param name as `run --case` takes it: a file, or SET/CASE */
async function caseOf(project: Project, owner: string, name: string): Promise<JsonObject> {
  const [file = ''] = name.split('/');
  const payloads = await payloadsOf(project, owner);
  if (!payloads.has(file))
    throw new Error(`There is no case ${name} of ${owner}. There are: ${[...payloads.keys()].sort().join(', ') || 'none'}.`);
  const cases = await casesIn(project, owner, file);
  const namedCase = cases.find((each) => each.name === name);
  const [turn, ...others] = namedCase?.turns ?? [];
  if (others.length > 0)
    throw new Error(`The case ${name} is a conversation of ${others.length + 1} turns. Give one of their inputs as "input".`);
  if (turn) return turn.input;
  const names = cases.map((each) => each.name).join(', ');
  throw new Error(
    `${payloads.get(file)} has no ${name === file && cases.length > 0 ? 'single input' : `case ${name}`}. There are: ${names || 'none'}.`,
  );
}

/** By the name of the file. */
async function payloadsOf(project: Project, owner: string): Promise<ReadonlyMap<string, string>> {
  const payloads = [...(await project.index()).ids('payload')];
  return new Map(payloads.flatMap(([id, path]) => (id.startsWith(`${owner}/`) ? [[id.slice(owner.length + 1), path] as const] : [])));
}

async function casesIn(project: Project, owner: string, file: string): Promise<readonly EvalCase[]> {
  const path = (await payloadsOf(project, owner)).get(file) ?? '';
  return readCases(file, parseObject(await project.ports.files.readText(path)) ?? {});
}
