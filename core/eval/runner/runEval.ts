import type { RunResult } from '../../agent/events.js';
import type { SessionStore } from '../../agent/types.js';
import type { Json, JsonObject } from '../../json.js';
import type { Patterns } from '../../routing/patterns.js';
import { createConversation } from '../../run/sessionStore.js';
import { couldNotBeAsked } from '../couldNotBeAsked.js';
import { gradeRepeat } from '../gradeRun.js';
import type { Outcome } from '../types.js';
import { costOf, type KeptRun, type KeptTurn, type ResultPart, type ResultWriter } from './evalStore.js';
import { countSlots, type EvalPlan, type EvalSubject, judgesOf, type Slot, slotKey, slotsOf } from './plan.js';

/** One run to make, of the subject of a case or of a judge. */
export interface EvalCall extends EvalSubject {
  readonly llm: string | null;
  readonly input: JsonObject;
  /**
   * Path of its recording below the folder of recordings: `Agent/case/profile/1.jsonl`, with `Agent%40v1` if several versions run, and
   * `1.turn2.jsonl` in a conversation.
   */
  readonly record: string;
  /** The conversation to continue, and the path of its repeat among the recordings; undefined if the case has one turn. */
  readonly conversation?: { readonly place: string; readonly sessions: SessionStore } | undefined;
  readonly signal: AbortSignal;
}

export interface EvalProgress {
  /** Repeats with an outcome, and all repeats. */
  readonly done: number;
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly unknown: number;
  /** USD so far, earlier processes included. */
  readonly spent: number;
  /** Whether it may have been more. */
  readonly spent_incomplete: boolean;
}

export interface RunEvalOptions {
  readonly plan: EvalPlan;
  /** Stored repeats. Incomplete ones are run again. */
  readonly kept: ReadonlyMap<string, KeptRun>;
  readonly spent: number;
  readonly spent_incomplete: boolean;
  readonly writer: ResultWriter;
  /** Number of its results file. */
  readonly process: number;
  /** Never throws: errors are in the result. */
  readonly run: (call: EvalCall) => Promise<RunResult>;
  /** Resolves the reference of a judge; undefined if there is none. */
  readonly judgeOf: (reference: string) => EvalSubject | undefined;
  readonly patterns: Patterns;
  /** Maximum number of parallel repeats. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: EvalProgress) => void) | undefined;
  readonly onStart?: ((slot: Slot) => void) | undefined;
  /** Called when a repeat has its outcome. */
  readonly onRun?: ((slot: Slot, run: KeptRun) => void) | undefined;
}

/**
 * Makes every run of a plan that is not stored yet, and runs its judges. Each result is stored before anything depends on it, so that a killed
 * process loses only the calls in progress.
 *
 * @returns all repeats by `slotKey`; after an abort those that were made
 * @throws StorageError
 */
export async function runEval(options: RunEvalOptions): Promise<ReadonlyMap<string, KeptRun>> {
  const { plan, kept, writer, signal, concurrency } = options;
  const runs = new Map(kept);
  const counts: Record<Outcome, number> = { passed: 0, failed: 0, unknown: 0 };
  const total = countSlots(plan);
  const versionsOf = new Map<string, Set<string | null>>();
  for (const { subject, version } of plan.cases) versionsOf.set(subject, (versionsOf.get(subject) ?? new Set()).add(version));
  let { spent, spent_incomplete } = options;
  const stopped = new AbortController();
  const both = AbortSignal.any([signal, stopped.signal]);
  const call = async (slot: Slot, request: Omit<EvalCall, 'signal'>, part: ResultPart): Promise<RunResult> => {
    const result = keptResult(await options.run({ ...request, signal: both }));
    spent += result.metadata.estimated_cost_usd ?? 0;
    spent_incomplete ||= costOf(result) === null;
    await writer.add(slot, result, part);
    return result;
  };

  async function make(slot: Slot): Promise<void> {
    const planned = plan.cases[slot.case];
    const llm = plan.llms[slot.llm];
    if (planned === undefined || llm === undefined) throw new Error('A slot is not in its plan.');
    const { kind, subject, version, turns } = planned;
    const name = versionsOf.get(subject)?.size === 1 ? subject : `${subject}@${version}`;
    const place = [name, ...planned.name.split('/'), llm ?? 'own', String(slot.repeat + 1)].map(fileName).join('/');
    options.onStart?.(slot);
    const before = runs.get(slotKey(slot));
    const earlier = before !== undefined && isWhole(before.turns, turns.length) ? before : undefined;
    const answeredTurns: KeptTurn[] = [];
    const run: KeptRun = { turns: answeredTurns, process: earlier?.process ?? options.process };
    const isConversation = turns.some(({ pointer }) => pointer !== planned.pointer);
    const conversation = turns.length === 1 ? undefined : { place, sessions: createConversation() };
    const history: Json[] = [];
    for (const [turn, { input, expect, expected }] of turns.entries()) {
      const at = turns.length === 1 ? place : `${place}.turn${turn + 1}`;
      const part = turn === 0 ? {} : { turn };
      const kept = earlier?.turns[turn];
      const result = kept?.result ?? (await call(slot, { kind, subject, version, llm, input, conversation, record: `${at}.jsonl` }, part));
      const judges = new Map(kept?.judges);
      answeredTurns.push({ result, judges });
      // Without an answer there is nothing to judge.
      if (result.status !== 'completed' && result.status !== 'partial') break;
      for (const reference of judgesOf(expect.map(({ entry }) => entry))) {
        const verdict = judges.get(reference);
        if (both.aborted || verdict?.status === 'completed') continue;
        const judge = options.judgeOf(reference);
        if (judge === undefined) continue;
        const earlierTurns = isConversation ? { conversation: [...history] } : {};
        const question = { input, output: result.output, expected: expected ?? null, text: result.text, ...earlierTurns };
        const record = `${at}.${fileName(reference)}.jsonl`;
        judges.set(reference, await call(slot, { ...judge, llm: null, input: question, record }, { ...part, judge: reference }));
      }
      history.push({ input, output: result.output, text: result.text });
    }
    if (!both.aborted || answeredTurns.at(-1)?.result.status !== 'cancelled') runs.set(slotKey(slot), run);
    const { outcome } = gradeRepeat(turns, answeredTurns, options.patterns);
    counts[outcome] += 1;
    const done = counts.passed + counts.failed + counts.unknown;
    options.onProgress?.({ done, total, ...counts, spent, spent_incomplete });
    if (runs.has(slotKey(slot))) options.onRun?.(slot, run);
  }

  const slots = slotsOf(plan);
  const work = async () => {
    for (const slot of slots) {
      if (both.aborted) return;
      await make(slot);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, Math.min(concurrency, total)) }, work));
  } finally {
    // If one worker fails, the others stop.
    stopped.abort();
  }
  await writer.end();
  return runs;
}

/** Whether a repeat need not run again: all its turns have a result, up to one whose run failed. */
function isWhole(turns: readonly KeptTurn[], count: number): boolean {
  const last = turns.at(-1)?.result;
  return (
    last !== undefined && !couldNotBeAsked(last) && (turns.length === count || (last.status !== 'completed' && last.status !== 'partial'))
  );
}

/** The name of a case may be any text, and must not leave the folder. */
function fileName(name: string): string {
  return encodeURIComponent(name.toWellFormed())
    .replaceAll('*', '%2A')
    .replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length));
}

/** The parts of a result that grading reads: the conversation and tool results would be most of its size. */
export function keptResult(result: RunResult): RunResult {
  const { reasoning } = result;
  return {
    ...result,
    conversation: [],
    final_response: null,
    tool_uses_in_final_turn: [],
    source_documents: [],
    tool_calls: result.tool_calls.map((call) => ({ ...call, output: null })),
    reasoning: { ...reasoning, steps: reasoning.steps.map(({ step, thought, timestamp }) => ({ step, thought, timestamp })) },
  };
}
