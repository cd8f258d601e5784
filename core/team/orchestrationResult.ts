import type { ReasoningStep, ResultMetadata, RunContext, RunError, RunResult } from '../agent/events.js';
import { answerOf, emptyResult } from '../agent/runResult.js';
import { spentOf, uncachedCostOf } from '../agent/runUsage.js';
import { roundedUsd } from '../amounts.js';
import { type Json, type JsonObject, pointerOf } from '../json.js';
import { addUsage, noUsage } from '../llm/tokenUsage.js';
import { plural } from '../words.js';

/** One execution of a team, as far as it got. */
export interface TeamExecution {
  readonly team: string;
  /** Results of finished tasks, in file order. */
  readonly results: ReadonlyMap<string, RunResult>;
  /** How the team ended: a sentence or more, and when (ISO 8601). */
  readonly end: { readonly words: string; readonly time: string };
}

export interface ResultFacts {
  readonly run_id: string;
  readonly name: string;
  readonly status: RunResult['status'];
  readonly error: RunError | null;
  readonly executions: readonly TeamExecution[];
  /** Its final value. */
  readonly context: JsonObject;
  readonly runContext: RunContext;
  readonly snapshot_hash: string;
  readonly snapshot_path: string | null;
  readonly execution_time_ms: number;
  /** Of its context. */
  readonly edits: number;
}

/** The result of an orchestration: the results of its tasks, with their usage, cost and documents added up. */
export function orchestrationResult(facts: ResultFacts): RunResult {
  const { run_id, status, error, executions, context } = facts;
  const results = executions.flatMap((execution) => [...execution.results.values()]);
  return {
    ...emptyResult,
    run_id,
    success: status === 'completed',
    status,
    output: { teams: executions.map(teamOutput), context },
    error,
    tool_calls: results.flatMap(({ tool_calls }) => tool_calls),
    source_documents: documentsOf(results),
    reasoning: {
      steps: executions.map(toStep),
      decision: decisionOf(facts, results),
      smoothness: lowest(results, 'smoothness'),
      confidence: lowest(results, 'confidence'),
    },
    metadata: metadataOf(facts, results),
  };
}

function teamOutput({ team, results }: TeamExecution): Json {
  // Task names may be those of built-in object members; `fromEntries` defines own members.
  const tasks = [...results].map(([name, result]): [string, Json] => {
    const { status, error } = result;
    return [name, { status, output: answerOf(result), error: error && { ...error } }];
  });
  return { team, tasks: Object.fromEntries(tasks) };
}

function toStep({ end }: TeamExecution, index: number): ReasoningStep {
  return { step: index + 1, thought: '', observation: end.words, timestamp: end.time };
}

/** A document counts once, even when several tasks found it. */
function documentsOf(results: readonly RunResult[]): RunResult['source_documents'] {
  const documents = new Map<unknown, JsonObject>();
  for (const document of results.flatMap(({ source_documents }) => source_documents))
    if (!documents.has(document.id)) documents.set(document.id, document);
  return [...documents.values()];
}

/** The lowest of the tasks that completed. */
function lowest(results: readonly RunResult[], name: 'smoothness' | 'confidence'): number {
  const completed = results.filter(({ status }) => status === 'completed');
  return completed.length === 0 ? 0 : Math.min(...completed.map(({ reasoning }) => reasoning[name]));
}

/** Most teams to name; of the others the number is given. */
const mostNamed = 10;

function decisionOf({ status, error, executions }: ResultFacts, results: readonly RunResult[]): string {
  const namedTeams = executions.slice(0, mostNamed).map(({ team }) => team);
  if (executions.length > mostNamed) namedTeams.push(`${executions.length - mostNamed} more`);
  const failed = results.filter((result) => result.status !== 'completed').length;
  const tasks = `${plural(results.length, 'task')}${failed === 0 ? '' : `, ${failed} of them not completed`}`;
  const end = { completed: '', partial: '; is partial', cancelled: '; was cancelled', failed: `; ended with ${error?.code ?? 'an error'}` }[
    status
  ];
  return `Ran ${plural(executions.length, 'team')}${namedTeams.length > 0 ? ` (${namedTeams.join(', ')})` : ''} with ${tasks}${end}.`;
}

function metadataOf(facts: ResultFacts, results: readonly RunResult[]): ResultMetadata {
  const all = results.map(({ metadata }) => metadata);
  const sum = (of: (metadata: ResultMetadata) => number) => all.reduce((total, metadata) => total + of(metadata), 0);
  const total = (costs: readonly (number | null)[]) =>
    costs.includes(null) ? null : roundedUsd(costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0));
  const isRecorded = all.some(({ recorded_cost_usd }) => recorded_cost_usd !== undefined);
  const spent = total(all.map(spentOf));
  const uncached = total(all.map(uncachedCostOf));
  const dropped = {
    tool_results: sum(({ context_dropped }) => context_dropped?.tool_results ?? 0),
    messages: sum(({ context_dropped }) => context_dropped?.messages ?? 0),
  };
  const predicted = sum(({ predicted_cached_tokens }) => predicted_cached_tokens ?? 0);
  const edits = facts.edits + sum(({ edits = 0 }) => edits);
  const unpriced = new Set(all.flatMap(({ unpriced_models = [] }) => unpriced_models));
  return {
    agent_name: facts.name,
    agent_version: null,
    provider: null,
    model_name: null,
    execution_time_ms: facts.execution_time_ms,
    iterations: sum(({ iterations }) => iterations),
    tools_used: [...new Set(all.flatMap(({ tools_used }) => tools_used))],
    token_usage: all.reduce((usage, { token_usage }) => addUsage(usage, token_usage), noUsage),
    ...(all.some(({ token_usage_estimated }) => token_usage_estimated) && { token_usage_estimated: true }),
    ...(all.some(({ token_usage_incomplete }) => token_usage_incomplete) && { token_usage_incomplete: true }),
    ...(predicted > 0 && { predicted_cached_tokens: predicted }),
    estimated_cost_usd: total(all.map(({ estimated_cost_usd }) => estimated_cost_usd)),
    ...(isRecorded && { recorded_cost_usd: total(all.map(({ recorded_cost_usd = 0 }) => recorded_cost_usd)) }),
    ...(uncached !== null && uncached !== spent && { uncached_cost_usd: uncached }),
    snapshot_hash: facts.snapshot_hash,
    snapshot_path: facts.snapshot_path,
    trace_id: facts.runContext.trace_id,
    correlation_id: facts.runContext.correlation_id,
    repairs: facts.executions.flatMap(repairsOf),
    simulated: all.some(({ simulated }) => simulated),
    left_out: [...new Set(all.flatMap(({ left_out }) => left_out))],
    ...(unpriced.size > 0 && { unpriced_models: [...unpriced] }),
    ...(edits > 0 && { edits }),
    ...(dropped.tool_results + dropped.messages > 0 && { context_dropped: dropped }),
  };
}

/** Repairs in the answers, with their place in the output of the whole. */
function repairsOf({ results }: TeamExecution, index: number): ResultMetadata['repairs'] {
  return [...results].flatMap(([task, { metadata }]) => {
    const place = pointerOf('teams', index, 'tasks', task, 'output');
    return metadata.repairs.map((issue) => ({ ...issue, path: `${place}${issue.path}` }));
  });
}
