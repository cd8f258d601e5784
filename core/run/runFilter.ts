import { isObject, type Json } from '../json.js';
import type { StoredRun } from './readRuns.js';
import type { RunState, RunSummary } from './runSummary.js';
import { ownAt } from './untrusted.js';

/** Which runs are listed. A run must match one value of each list; an empty filter matches every run. */
export interface RunFilter {
  /** Names of agents or orchestrations. */
  readonly agents?: readonly string[];
  readonly states?: readonly RunState[];
  /** Names of saved inputs. */
  readonly cases?: readonly string[];
  /** Ids of llm profiles. */
  readonly profiles?: readonly string[];
  /** Milliseconds since 1970: begun then or later. */
  readonly since?: number;
  /** Found in the names, the input, the answer or the error; upper and lower case are the same. */
  readonly text?: string;
}

/** Whether the summary of a run matches the filter, its text aside. */
export function fitsSummary(summary: RunSummary, { agents, states, cases, profiles, since }: RunFilter): boolean {
  return (
    isOneOf(summary.name, agents) &&
    isOneOf(summary.state, states) &&
    isOneOf(summary.case, cases) &&
    isOneOf(summary.llm_id, profiles) &&
    (since === undefined || (summary.started ?? 0) >= since)
  );
}

/** Whether a run holds a text: in its id and names, its input, its answer or its error. */
export function containsText({ summary, run, result }: Pick<StoredRun, 'summary' | 'run' | 'result'>, text: string): boolean {
  const { run_id, name, version, llm_id, model_name, error, problem } = summary;
  const wanted = text.toLowerCase();
  const ended = result ?? {};
  const named = [run_id, `${name ?? ''}@${version ?? ''}`, summary.case, llm_id, model_name, error?.code, error?.message, problem];
  const texts = [...named, ...[ownAt(run, 'input'), ownAt(ended, 'output'), ownAt(ended, 'text')].map((value) => written(value))];
  return texts.some((one) => typeof one === 'string' && one.toLowerCase().includes(wanted));
}

/** As a reader sees it: quotes and line breaks in texts are not escaped. What is nested deeper than any schema allows is left out. */
function written(value: Json | undefined, depth = 0): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null || depth > deepest) return '';
  if (Array.isArray(value)) return value.map((item) => written(item, depth + 1)).join('\n');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, member]) => `${key}: ${written(member, depth + 1)}`)
    .join('\n');
}

const deepest = 100;

function isOneOf(value: string | null, wanted: readonly string[] | undefined): boolean {
  return wanted === undefined || wanted.length === 0 || (value !== null && wanted.includes(value));
}
