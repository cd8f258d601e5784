import type { RunContext, RunResult } from '../agent/events.js';
import { agentsOfSnapshot } from '../agent/load/agentsOfSnapshot.js';
import { resultOf, runAgent } from '../agent/runAgent.js';
import type { Agent } from '../agent/types.js';
import { builtInTools } from '../config/builtInTools.js';
import { InputInvalidError } from '../errors.js';
import { type Json, type JsonObject, parseObject } from '../json.js';
import type { Ports } from '../ports.js';
import { loadSchemaCompiler } from '../schema/schemaCompiler.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import type { CallOverrides } from '../snapshot/types.js';
import { createRunTask } from '../team/createRunTask.js';
import { orchestrationOfSnapshot } from '../team/orchestrationOfSnapshot.js';
import { runOrchestration } from '../team/runOrchestration.js';
import type { Orchestration } from '../team/types.js';
import type { TrustedTools } from '../tools/openTools.js';
import type { Tool } from '../tools/types.js';
import { runBudget } from './durableRun.js';
import { findRunId } from './findRun.js';
import type { JournalFiles } from './journal/journalFiles.js';
import { type KeptSteps, readKept } from './journal/readJournal.js';
import { isJournalId } from './openRun.js';
import { parseRecording, type RunRecording, type TeamRunRecording } from './readRecording.js';
import { readRunFiles, readText, runsFolder } from './readRuns.js';
import { readFrozenConfig } from './readSnapshot.js';
import { recordAgents, recordPrepared } from './recordedAgents.js';
import type { RecordedError, RecordedTool, RecordLine } from './recordLines.js';
import { StepPlayer } from './stepPlayer.js';
import { needsApproval } from './takeOver.js';
import { objectAt, ownAt } from './untrusted.js';

/** What a kept run is read with. */
export interface KeptRunSources {
  readonly ports: Pick<Ports, 'files' | 'sha256' | 'clock' | 'random' | 'knownSecrets'>;
  readonly storage: JournalFiles;
  /** The program's own tools: the run has frozen their words only. */
  readonly tools: readonly Tool[];
  readonly trusted?: TrustedTools | undefined;
}

/** A kept run, with everything that a replay of it needs. */
export interface KeptRun {
  readonly recording: RunRecording | TeamRunRecording;
  /** What was frozen when it began. */
  readonly frozen: { readonly agent: Agent } | { readonly orchestration: Orchestration };
  readonly input: JsonObject;
  readonly context: RunContext;
}

/**
 * The record of a kept run, as `--record` would have written it, but for the pieces in which its answers arrived. Its requests were not kept: they
 * are made again by its frozen config and the answers that were kept, without calling or writing anything. A run that was cut off gives its
 * record up to there.
 *
 * @param written the id of the run, the beginning of it, or `last`
 * @throws InputInvalidError if there is no such run or it cannot be made again exactly, StorageError if its journal cannot be read
 */
export async function recordingOfRun(sources: KeptRunSources, written: string): Promise<KeptRun> {
  const { files, sha256 } = sources.ports;
  const run_id = await findRunId(files, written);
  if (typeof run_id !== 'string') throw refused(run_id.problem);
  const refuse: Refuse = (why) => refused(`The run ${run_id} cannot be replayed: ${why}`);
  const { run, result, summary } = await readRunFiles(files, run_id);
  if (summary.problem !== null) throw refuse(summary.problem);
  const config = await readFrozenConfig({ files, sha256 }, run_id);
  if (config === 'gone') throw refuse('its frozen config is missing.');
  if ('problem' in config) throw refuse(config.problem);

  // Written by the run itself.
  const overrides = ownAt(run, 'overrides') as CallOverrides | undefined;
  const snapshot = { ...config, ...(overrides && { overrides }) };
  const context = objectAt(run, 'context') as unknown as RunContext;
  const input = objectAt(run, 'input');
  const ended = result === null ? undefined : (result as unknown as RunResult);
  const schemas = await loadSchemaCompiler();
  const steps = await readSteps(sources, run_id, ownAt(run, 'journals'), refuse);
  if (steps === undefined)
    throw refuse('its steps were not kept: it ran on a worker, replayed another run, or was kept by an earlier version. Run it again.');
  const orchestration = orchestrationOfSnapshot(snapshot, schemas);
  const agent = orchestration ? undefined : agentsOfSnapshot(snapshot, { schemas }).get(snapshot.value.name);
  const player = new StepPlayer(steps, { isTeam: orchestration !== undefined, end: errorOf(ended) });
  const play: Play = { sources, player, run_id, context, input, refuse };
  const played = agent ? await playAgent(play, agent, ended) : await playTeam(play, orchestration as Orchestration, ended);
  checkPlayed(played.result, player, ended, refuse);
  return {
    recording: recordingIn(played.text, refuse),
    frozen: agent ? { agent } : { orchestration: orchestration as Orchestration },
    input,
    context,
  };
}

/** Of a durable run they are in its journals, else in its folder. Undefined: they were not kept. @throws StorageError */
async function readSteps(
  { ports, storage }: KeptRunSources,
  run_id: string,
  journals: unknown,
  refuse: Refuse,
): Promise<KeptSteps | undefined> {
  if (Array.isArray(journals) && journals.every((id) => typeof id === 'string' && isJournalId(id)))
    return (await readKept(storage, journals as readonly string[], run_id)).steps;
  const read = await readText(ports.files, `${runsFolder}/${run_id}/steps.jsonl`);
  if ('problem' in read) throw refuse(`steps.jsonl: ${read.problem}`);
  if ('missing' in read) return undefined;
  const steps: KeptSteps = new Map();
  for (const line of read.text.split('\n')) {
    const { step, value } = parseObject(line) ?? {};
    if (typeof step === 'string') steps.set(step, { value });
  }
  return steps;
}

/** What was kept of a run that was cut off may have been changed: no end tells. */
function recordingIn(text: string, refuse: Refuse): KeptRun['recording'] {
  try {
    return parseRecording(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refuse('its steps are not as they were kept.');
  }
}

type Refuse = (why: string) => InputInvalidError;

function refused(message: string): InputInvalidError {
  return new InputInvalidError(message, [{ path: '/run', keyword: 'record', message }]);
}

interface Play {
  readonly sources: KeptRunSources;
  readonly player: StepPlayer;
  readonly run_id: string;
  readonly context: RunContext;
  readonly input: JsonObject;
  readonly refuse: Refuse;
}

interface Played {
  readonly text: string;
  readonly result: RunResult;
}

async function playAgent(play: Play, agent: Agent, ended: RunResult | undefined): Promise<Played> {
  const { sources, player, context, input } = play;
  const { writer, text } = collected();
  const connectAgent = (called: Agent) => player.connect('', toolsOf(called, play));
  const prepared = { ...connectAgent(agent), ...(agent.agents && { connectAgent }) };
  const recorded = recordPrepared(agent, prepared, { writer, secrets: sources.ports.knownSecrets, payload: input });
  const request = { ...recorded.prepared, agent, payload: input, context, ...runOf(play) };
  const result = await resultOf(runAgent({ ...request, steps: player.steps }));
  await recorded.end(ended ?? result);
  return { text: text(ended !== undefined), result };
}

async function playTeam(play: Play, orchestration: Orchestration, ended: RunResult | undefined): Promise<Played> {
  const { player, context, input } = play;
  const { writer, text } = collected();
  const { agents, snapshot } = orchestration;
  const { name } = snapshot.value;
  const { ports, ...run } = runOf(play);
  const recorded = recordAgents(
    { kind: 'orchestration', name, version: null, snapshot_hash: snapshot.hash },
    { connectAgent: (agent, place = '') => player.connect(place, toolsOf(agent, play)) },
    { writer, secrets: ports.knownSecrets, asks: true, input, overrides: snapshot.overrides },
  );
  const { connectAgent, edits } = recorded;
  const runTask = createRunTask({ agents, connectAgent, ports, steps: player.steps, budget: runBudget(context) });
  const result = await resultOf(
    runOrchestration({ orchestration, input, context, ports, runTask, steps: player.steps, ...(edits && { edits }), ...run }),
  );
  await recorded.end(ended ?? result);
  return { text: text(ended !== undefined), result };
}

/** The run as it was, in a time that stands still. */
function runOf({ sources: { ports }, player, run_id, context }: Play) {
  const clock: Ports['clock'] = { ...ports.clock, monotonic: () => 0, after: () => () => undefined, sleep: async () => undefined };
  return {
    ports: { ...ports, clock, logger: { log: () => undefined, isWritten: () => false } },
    signal: player.signal,
    resume: { run_id, seq: 0, finished_steps: 0, timestamp: context.timestamp },
  };
}

function collected() {
  const lines: string[] = [];
  return {
    writer: { append: (text: string) => void lines.push(abandonedIn(text)) },
    /** @param isEnded false: without the last line, which says how the run ended */
    text: (isEnded: boolean) => (isEnded ? lines : lines.slice(0, -1)).join(''),
  };
}

/** A tool call that the end of the run interrupted was not answered with that end. */
function abandonedIn(text: string): string {
  const line = JSON.parse(text) as RecordLine;
  if (!('tool' in line)) return text;
  const { error, ...asked } = line.tool;
  if (error?.code !== 'cancelled' && error?.code !== 'timeout') return text;
  return `${JSON.stringify({ ...line, tool: { ...asked, abandoned: error.code } })}\n`;
}

function errorOf(ended: RunResult | undefined): RecordedError | undefined {
  if (!ended?.error) return undefined;
  const { code, message, recoverable } = ended.error;
  return { code, message, recoverable };
}

/** What was played has to be what was kept: all of it, with the same end. */
function checkPlayed(result: RunResult, player: StepPlayer, ended: RunResult | undefined, refuse: Refuse): void {
  const [step] = player.unplayed;
  // A run that a person or a time limit ended at a stop, or between two calls, does not end there by itself.
  const isEndedFromOutside = ended?.error?.code === 'cancelled' || ended?.error?.code === 'timeout';
  const isSame = ended === undefined || (player.isCut ? ended.error !== null : isEndedFromOutside || isSameEnd(result, ended));
  const isOther = step !== undefined || !isSame;
  if (!isOther) return;
  const where = step === undefined ? '' : ` at its step ${step}`;
  throw refuse(
    `its frozen config does not lead to what was kept${where}. It was kept by another version, or its tools have changed since. Run it again with --record.`,
  );
}

function isSameEnd(played: RunResult, kept: RunResult): boolean {
  return (
    played.error?.code === kept.error?.code &&
    (['status', 'output', 'text', 'conversation', 'tool_calls'] as const).every((name) => jsonOf(played[name]) === jsonOf(kept[name]))
  );
}

function jsonOf(value: unknown): string {
  return canonicalJson((value ?? null) as Json);
}

/** The tools of an agent as its run had them, from what it has frozen and, of skills, from the code of today. */
function toolsOf({ resolved }: Agent, { sources, refuse, context }: Play): readonly RecordedTool[] {
  const { config, tools, unlisted } = resolved;
  if (config.agent_type === 'single_shot') return [];
  const isKnown = config.enabled_tools?.every((enabled) => tools.some(({ name }) => name === enabled));
  const [server] = isKnown ? [] : unlisted;
  if (server !== undefined) {
    throw refuse(
      `the tools of the MCP server ${JSON.stringify(server)} were not pinned, so its requests are not known. Pin them with \`npx agent-stack tools ${config.agent_name} --pin\`, or run it with --record.`,
    );
  }
  const offered = tools.map(({ source: _source, annotations: _claimed, ...tool }): RecordedTool => {
    const { name, origin } = tool;
    if (origin.type === 'mcp') {
      const { trusted = {} } = sources;
      const isTrusted = Object.hasOwn(trusted, origin.client_id) && trusted[origin.client_id]?.includes(origin.name) === true;
      return { ...tool, idempotent: isTrusted, side_effects: !isTrusted, needs_approval: !isTrusted };
    }
    const registered =
      origin.type === 'skill' ? sources.tools.find((skill) => skill.name === name) : builtInTools.find((each) => each.name === name);
    if (registered === undefined)
      throw refuse(`the skill ${JSON.stringify(name)} is not registered here. Open the project with the code of its tools.`);
    const { call: _call, ...definition } = registered as Tool;
    return { ...definition, ...tool };
  });
  // As a fork has asked about them.
  return context.forked_from === undefined ? offered : offered.map((tool) => ({ ...tool, needs_approval: needsApproval(tool) }));
}
