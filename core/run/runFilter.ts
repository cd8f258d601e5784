import { isObject, type Json } from '../json.js';
import type { RunFiles } from './readRuns.js';
import type { RunState, RunSummary } from './runSummary.js';
import { ownAt } from './untrusted.js';

/** Selects runs. A run must match one value of each list; an empty filter matches every run. */
export interface RunFilter {
  /** Names of agents or orchestrations. */
  readonly agents?: readonly string[];
  readonly states?: readonly RunState[];
  /** Names of cases. */
  readonly cases?: readonly string[];
  /** Ids of LLM profiles. */
  readonly profiles?: readonly string[];
  /** Milliseconds since 1970: started then or later. */
  readonly since?: number;
  /** Contained in the names, the input, the answer or the error, in upper or lower case. */
  readonly text?: string;
}

/** Whether the summary of a run matches the filter, apart from its text. */
export function fitsSummary(summary: RunSummary, { agents, states, cases, profiles, since }: RunFilter): boolean {
  return (
    isOneOf(summary.name, agents) &&
    isOneOf(summary.state, states) &&
    isOneOf(summary.case, cases) &&
    isOneOf(summary.llm_id, profiles) &&
    (since === undefined || (summary.started ?? 0) >= since)
  );
}

/** Whether a run contains a text: in its id and names, its input, its answer or its error. */
export function containsText({ summary, run, result }: RunFiles, text: string): boolean {
  const { run_id, name, version, llm_id, model_name, error, problem } = summary;
  const query = text.toLowerCase();
  const ended = result ?? {};
  const named = [run_id, `${name ?? ''}@${version ?? ''}`, summary.case, llm_id, model_name, error?.code, error?.message, problem];
  const texts = [...named, ...[ownAt(run, 'input'), ownAt(ended, 'output'), ownAt(ended, 'text')].map((value) => plainText(value))];
  return texts.some((value) => typeof value === 'string' && value.toLowerCase().includes(query));
}

/** A value without escapes for quotes and line breaks. Values nested deeper than any schema allows are left out. */
function plainText(value: Json | undefined, depth = 0): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null || depth > deepest) return '';
  if (Array.isArray(value)) return value.map((item) => plainText(item, depth + 1)).join('\n');
  if (!isObject(value)) return String(value);
  return Object.entries(value)
    .map(([key, member]) => `${key}: ${plainText(member, depth + 1)}`)
    .join('\n');
}

const deepest = 100;

function isOneOf(value: string | null, allowed: readonly string[] | undefined): boolean {
  return allowed === undefined || allowed.length === 0 || (value !== null && allowed.includes(value));
}
