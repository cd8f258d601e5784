import { FileProblem, type FileSystem } from '../ports.js';
import type { PastRuns } from '../prompt/typicalCost.js';
import { listRunIds, readRunSummary } from '../run/readRuns.js';

/** How many of the newest kept runs are examined, and how many of them are used. */
const mostExamined = 200;
const mostUsed = 20;

/**
 * Tokens and cost of the newest completed runs of an agent; undefined if none of the last 200 kept runs is one. Runs without a known cost and
 * simulated, replayed, forked or edited ones are ignored, and so is an unreadable folder of runs.
 */
export async function readPastRuns(
  files: Pick<FileSystem, 'list' | 'readText'>,
  agent: { readonly agent_name: string; readonly version: string; readonly model_name: string },
): Promise<PastRuns | undefined> {
  const taken: { readonly tokens: number; readonly cost: number }[] = [];
  for (const id of await newestRuns(files)) {
    if (taken.length === mostUsed) break;
    const run = await readRunSummary(files, id);
    const { cost, completion_tokens: tokens } = run;
    if (run.kind !== 'agent' || run.state !== 'completed' || run.simulated || run.tokens_incomplete) continue;
    if (run.replayed || run.forked_from !== null || run.edits > 0) continue;
    if (run.name !== agent.agent_name || run.version !== agent.version || run.model_name !== agent.model_name) continue;
    if (cost !== null && tokens !== null) taken.push({ tokens, cost });
  }
  if (taken.length === 0) return undefined;
  return { runs: taken.length, completion_tokens: median(taken.map(({ tokens }) => tokens)), cost: median(taken.map(({ cost }) => cost)) };
}

/** @param values 1 or more */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) / 2)] as number;
}

async function newestRuns(files: Pick<FileSystem, 'list'>): Promise<readonly string[]> {
  try {
    return (await listRunIds(files)).slice(0, mostExamined);
  } catch (error) {
    if (error instanceof FileProblem) return [];
    throw error;
  }
}
