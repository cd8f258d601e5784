import type { Agent } from '../agent/types.js';
import { roundedUsd } from '../amounts.js';
import type { ForkPlace, ForkPlan, ForkShare, ForkTool } from '../generated/types.js';
import { estimateCost } from '../llm/price.js';
import { priceToPay } from '../prompt/worstCaseOf.js';
import { doneBefore, waitsOf } from '../routing/taskWaits.js';
import { causesOf, changesBetween, fieldOf, holdsMask } from '../run/changedSince.js';
import type { RunRecording, TeamRunRecording } from '../run/readRecording.js';
import type { RecordLine } from '../run/recordLines.js';
import type { Divergence } from '../run/takeOver.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';

/** What a dry run has shown: the record answered everything in its order, also after the first difference. */
export interface DryWalk {
  /** The agents by their places, in the order in which they began. */
  readonly begun: ReadonlyMap<string, Agent>;
  /** The first difference of each place. */
  readonly divergences: ReadonlyMap<string, Divergence>;
}

export interface ForkFacts {
  readonly recording: RunRecording | TeamRunRecording;
  readonly walk: DryWalk;
  /** The frozen config of the record; undefined if it is not known. */
  readonly before: Snapshot | undefined;
  readonly after: Snapshot;
  /** USD that a whole run can cost; null if it is not known. */
  readonly most_cost_usd: number | null;
}

/** What a fork takes from the record, what it calls itself, and why. */
export function planFork({ recording, walk, before, after, most_cost_usd }: ForkFacts): ForkPlan {
  const parts = 'parts' in recording ? recording.parts : new Map([['', recording]]);
  const shares = { free: new Share(), live: new Share(), may_follow: new Share() };
  const tools = new Map<string, ForkTool>();
  for (const [place, part] of parts) {
    const agent = walk.begun.get(place);
    const divergence = walk.divergences.get(place);
    const answered = divergence?.answered;
    const isUnsure = agent === undefined || [...walk.divergences.keys()].some((diverged) => mayFollow(place, diverged, walk, after));
    let calls = 0;
    for (const line of part.lines) {
      // A tool call follows the model call that asked for it.
      const isBefore = 'llm' in line || divergence?.what !== 'model' ? calls < (answered ?? 0) : calls <= (answered ?? 0);
      const isFree = answered === undefined ? !isUnsure : isBefore;
      const share = isFree ? 'free' : answered === undefined ? 'may_follow' : 'live';
      if ('llm' in line) {
        calls += 1;
        shares[share].add(line.llm, agent);
      } else if ('tool' in line && !isFree) addTool(tools, place, line.tool.name, part);
    }
  }
  return {
    config_known: before !== undefined,
    changes: before === undefined ? [] : fieldsBetween(before, after),
    places: [...walk.divergences].map(([place, divergence]) => placeOf(place, divergence, walk, before, after)),
    free: shares.free.sum,
    live: shares.live.sum,
    may_follow: shares.may_follow.sum,
    tools: [...tools.values()],
    most_cost_usd,
    secrets_masked: holdsMask(recording.header.input ?? {}),
  };
}

function placeOf(place: string, divergence: Divergence, { begun }: DryWalk, before: Snapshot | undefined, after: Snapshot): ForkPlace {
  const { what, tool = null, answered, differences, message, requests } = divergence;
  const { agent_name = '', version = '' } = begun.get(place)?.resolved.config ?? {};
  const difference = { agent_name, differences, recorded: requests?.recorded, now: requests?.now };
  return {
    place,
    agent: `${agent_name}@${version}`,
    what,
    tool,
    model_call: answered + 1,
    differences,
    message,
    causes: before === undefined || differences.length === 0 ? [] : causesOf(before, after, difference),
  };
}

/** Every changed field once. */
function fieldsBetween(before: Snapshot, after: Snapshot): ForkPlan['changes'] {
  const fields = new Map<string, ForkPlan['changes'][number]>();
  for (const { pointer, origin_after, origin_before } of changesBetween(before, after)) {
    const origin = origin_after ?? origin_before;
    const [field, file] = [fieldOf(pointer), origin?.file ?? null];
    if (!fields.has(`${file} ${field}`))
      fields.set(`${file} ${field}`, { field, file, pointer: origin?.pointer ?? pointer, is_certain: false });
  }
  return [...fields.values()];
}

/**
 * Whether what happens at a place can depend on another: in an orchestration a later execution of a team, and a task that waits for the other one;
 * in a plan each agent that begins later.
 */
function mayFollow(place: string, other: string, { begun }: DryWalk, { value: { orchestration } }: Snapshot): boolean {
  if (place === other) return false;
  const [execution = '', team = '', task = ''] = place.split('/');
  const [otherExecution = '', , otherTask = ''] = other.split('/');
  if (orchestration && execution !== otherExecution) return Number(execution) > Number(otherExecution);
  const tasks = orchestration && Object.hasOwn(orchestration.teams, team) ? orchestration.teams[team]?.tasks : undefined;
  if (tasks && task !== otherTask) return doneBefore(waitsOf(tasks)).includes(task, otherTask);
  const order = [...begun.keys()];
  return order.indexOf(place) > order.indexOf(other);
}

function addTool(tools: Map<string, ForkTool>, place: string, name: string, { header, opened = [header] }: RunRecording): void {
  const tool = opened.flatMap(({ tools: offered }) => offered).find((tool) => tool.name === name);
  const key = `${place} ${name}`;
  tools.set(key, { place, name, calls: (tools.get(key)?.calls ?? 0) + 1, idempotent: tool?.idempotent ?? false });
}

/** A part of the record's model calls. */
class Share {
  #calls = 0;
  #cost: number | null = 0;

  add({ parts }: Extract<RecordLine, { readonly llm: unknown }>['llm'], agent: Agent | undefined): void {
    this.#calls += 1;
    const completion = parts.flatMap((part) => (part.type === 'completion' ? [part.completion] : []))[0];
    if (completion?.usage === undefined || completion.simulated) return;
    const price = agent && priceToPay(agent.resolved.llm, agent.price);
    this.#cost = this.#cost === null || price === undefined ? null : roundedUsd(this.#cost + estimateCost(completion.usage, price));
  }

  get sum(): ForkShare {
    return { model_calls: this.#calls, cost_usd: this.#cost };
  }
}
