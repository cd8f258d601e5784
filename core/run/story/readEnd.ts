import type { Json, JsonObject } from '../../json.js';
import { numberAt, objectAt, objectsAt, ownAt, textAt } from '../untrusted.js';
import type { StoryEnd, StoryError, StoryIssue, StoryUsage } from './types.js';

/** The end of a run from its result, which may come from a file and is not trusted. */
export function readEnd(result: JsonObject): StoryEnd {
  const metadata = objectAt(result, 'metadata');
  const reasoning = objectAt(result, 'reasoning');
  const usage = readUsage(objectAt(metadata, 'token_usage'));
  const dropped = objectAt(metadata, 'context_dropped');
  const [results, messages] = [numberAt(dropped, 'tool_results') ?? 0, numberAt(dropped, 'messages') ?? 0];
  return {
    run_id: textAt(result, 'run_id'),
    status: textAt(result, 'status'),
    error: readError(objectAt(result, 'error')),
    output: ownAt(result, 'output'),
    text: textAt(result, 'text') ?? '',
    name: textAt(metadata, 'agent_name'),
    version: textAt(metadata, 'agent_version'),
    provider: textAt(metadata, 'provider'),
    model_name: textAt(metadata, 'model_name'),
    snapshot_hash: textAt(metadata, 'snapshot_hash'),
    snapshot_path: textAt(metadata, 'snapshot_path'),
    duration_ms: numberAt(metadata, 'execution_time_ms'),
    iterations: numberAt(metadata, 'iterations'),
    tools_used: Array.isArray(ownAt(metadata, 'tools_used')) ? textsIn(ownAt(metadata, 'tools_used')) : null,
    usage,
    total_tokens: usage.total_tokens,
    tokens_estimated: ownAt(metadata, 'token_usage_estimated') === true,
    tokens_incomplete: ownAt(metadata, 'token_usage_incomplete') === true,
    predicted_cached_tokens: numberAt(metadata, 'predicted_cached_tokens') ?? 0,
    cost: numberAt(metadata, 'estimated_cost_usd'),
    replayed: ownAt(metadata, 'recorded_cost_usd') !== undefined,
    recorded_cost: numberAt(metadata, 'recorded_cost_usd'),
    simulated: ownAt(metadata, 'simulated') === true,
    edits: numberAt(metadata, 'edits') ?? 0,
    dropped: results + messages === 0 ? null : { results, messages },
    left_out: textsIn(ownAt(metadata, 'left_out')),
    unpriced_models: textsIn(ownAt(metadata, 'unpriced_models')),
    repairs: objectsAt(metadata, 'repairs').map(readIssue),
    decision: textAt(reasoning, 'decision') ?? '',
    // Earlier versions wrote the number as `confidence` only.
    smoothness: numberAt(reasoning, 'smoothness') ?? numberAt(reasoning, 'confidence'),
    source_quality: textAt(reasoning, 'source_quality'),
  };
}

export function readUsage(usage: JsonObject): StoryUsage {
  return {
    prompt_tokens: numberAt(usage, 'prompt_tokens'),
    completion_tokens: numberAt(usage, 'completion_tokens'),
    total_tokens: numberAt(usage, 'total_tokens'),
    cached_tokens: numberAt(usage, 'cached_tokens') ?? 0,
    cache_write_tokens: numberAt(usage, 'cache_write_tokens') ?? 0,
  };
}

/** Null without a code. */
function readError(error: JsonObject): StoryError | null {
  const code = textAt(error, 'code');
  return code === null ? null : { code, message: textAt(error, 'message') ?? '', details: objectAt(error, 'details') };
}

export function readIssue(issue: JsonObject): StoryIssue {
  return { path: textAt(issue, 'path') ?? '', keyword: textAt(issue, 'keyword') ?? '', message: textAt(issue, 'message') ?? '' };
}

export function textsIn(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
