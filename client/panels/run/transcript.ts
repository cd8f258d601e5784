import { isObject, type Json, type JsonObject, segmentsOf } from '../../../core/json.js';
import type { ModelPrice } from '../../../core/llm/modelTable.js';
import { estimateCost } from '../../../core/llm/price.js';
import { createPartialAnswer, type PartialAnswer } from '../../../core/prompt/partialAnswer.js';
import { isEnded } from '../../../core/run/runSummary.js';
import { createStory } from '../../../core/run/story/createStory.js';
import { readEnd, readIssue } from '../../../core/run/story/readEnd.js';
import type { Story, StoryCounts, StoryEnd, StoryUsage } from '../../../core/run/story/types.js';
import { objectAt, objectsAt, ownAt, textAt } from '../../../core/run/untrusted.js';
import { discardsText, type ViewEvent, type ViewFacts, type ViewField, type ViewReason } from './messages.js';
import { Texts } from './texts.js';
import { type EventKnowledge, toSource, toViewEvents } from './viewEvents.js';

/** Whether the schema accepts a field of the answer, taken by itself. */
export type FieldCheck = (name: string, value: Json) => boolean;

/** What a run is shown with besides its events. */
export interface TranscriptOptions {
  readonly check?: FieldCheck | undefined;
  /** Of the model; what a step cost is not known without. */
  readonly price?: ModelPrice | undefined;
  /** Of the model of one agent among several, by its instance `team/task`. */
  readonly priceOf?: (instance: string) => ModelPrice | undefined;
  /** Who offers a tool to an agent: `built-in`, `skill`, the id of an MCP server, or empty. */
  readonly originOf?: (tool: string, instance: string) => string;
}

/** Fields beyond these are shown when the run has ended, so that an answer of very many small ones cannot slow it down. */
const mostFields = 200;

/**
 * A run as its panel shows it, built from its events one by one: those of a run in progress, or of one read back from its folder, whose
 * events may say anything.
 */
export class Transcript {
  #facts: ViewFacts;
  #events: ViewEvent[] = [];
  #text = '';
  #output: JsonObject | null = null;
  #partial: PartialAnswer = createPartialAnswer();
  readonly #reader = createStory();
  readonly #check: FieldCheck | undefined;
  readonly #texts = new Texts();
  readonly #knowledge: EventKnowledge;

  constructor(facts: ViewFacts, { check, price, priceOf = () => price, originOf = () => '' }: TranscriptOptions = {}) {
    this.#facts = facts;
    this.#check = check;
    this.#knowledge = { texts: this.#texts, originOf, costOf: ({ usage }, instance) => costOf(usage, priceOf(instance)) };
  }

  get story(): Story {
    return this.#reader.story;
  }

  get facts(): ViewFacts {
    return this.#facts;
  }

  /** All so far; text that came in pieces is joined. */
  get events(): readonly ViewEvent[] {
    return this.#events;
  }

  /** What to copy: the checked output as JSON, or the text as far as it came. */
  get result(): string {
    return this.#output === null ? this.#text : JSON.stringify(this.#output, null, 2);
  }

  /** A text that is shown by its start only; undefined for an unknown number. */
  whole(part: number): { readonly text: string; readonly more: number } | undefined {
    return this.#texts.find(part);
  }

  /** Takes over what has changed; where nothing has, the facts stay the same object. */
  set(facts: Partial<ViewFacts>): void {
    const changed = Object.entries(facts).some(([key, value]) => this.#facts[key as keyof ViewFacts] !== value);
    if (changed) this.#facts = { ...this.#facts, ...facts };
  }

  /** Takes in one event and returns what is new to show. */
  add(event: JsonObject): readonly ViewEvent[] {
    const { story } = this.#reader;
    const change = this.#reader.add(event);
    const events = toViewEvents(change, this.#knowledge);
    for (const newEvent of events) this.#keep(newEvent);
    if (events.some(discardsText)) {
      this.#text = '';
      this.#partial = createPartialAnswer();
    }
    const { retries, repairs } = story.counts;
    switch (change.type) {
      case 'start':
        this.set({ run_id: story.run_id, snapshot: story.snapshot_hash, isKept: story.is_kept, canResume: false, retries, repairs });
        break;
      case 'text':
        if (change.step.team === '' && change.text !== '') this.#read(change.text);
        break;
      case 'calls':
        // The story adds to its list in place.
        if (story.tools.length > this.#facts.tools.length) this.set({ tools: [...story.tools] });
        break;
      case 'part':
        // A failed try was cut off: its fields are no answer, unlike those of an earlier step.
        if (change.part.type === 'retry' && this.#facts.fields.length > 0) this.set({ fields: [] });
        this.set({ retries, repairs });
        break;
      case 'end':
        this.#end(change.end, objectAt(event, 'result'));
        break;
      default:
        break;
    }
    return events;
  }

  /** Takes over the result, which has the last word. */
  end(result: JsonObject): void {
    this.#end(readEnd(result), result);
  }

  #end(end: StoryEnd, result: JsonObject): void {
    const { output, text } = end;
    const isTeams = this.#facts.kind === 'orchestration';
    // The results of tasks are shown with them.
    this.#output = !isObject(output) ? null : isTeams ? objectAt(output, 'context') : output;
    if (text !== '') this.#complete(text);
    const hasCompleted = end.status === 'completed';
    const hasText = this.#output === null && hasCompleted;
    const details = end.error?.details ?? {};
    const issues = objectsAt(details, 'issues').map(readIssue);
    const placesOf = (paths: readonly { readonly path: string }[]) => new Set(paths.map(({ path }) => segmentsOf(path)[0] ?? ''));
    const defaults = placesOf(end.repairs.filter(({ keyword }) => keyword === 'default'));
    const refused = placesOf(issues);
    this.set({
      run_id: end.run_id ?? this.#facts.run_id,
      status: isEnded(end.status) ? end.status : 'broken',
      duration_ms: end.duration_ms ?? this.#facts.duration_ms,
      provider: end.provider ?? this.#facts.provider,
      model: end.model_name ?? this.#facts.model,
      simulated: end.simulated,
      tokens: toTokens(end),
      cost: end.cost,
      replay: end.replayed ? { cost: end.recorded_cost } : null,
      iterations: end.iterations,
      // A result without tools leaves those that were seen.
      tools: end.tools_used ?? this.#facts.tools,
      dropped: end.dropped,
      left_out: end.left_out,
      unpriced: end.unpriced_models,
      snapshot: end.snapshot_hash ?? this.#facts.snapshot,
      isKept: this.#facts.isKept || end.snapshot_path !== null,
      error: end.error && { code: end.error.code, message: end.error.message, reason: textAt(details, 'reason') ?? '', issues },
      answer: hasText && text !== '' ? this.#texts.add(text) : null,
      smoothness: isTeams || !hasCompleted ? null : smoothnessOf(end, this.story.counts),
      quality: end.source_quality,
      sources: objectsAt(result, 'source_documents').map((source) => toSource(source, this.#texts)),
      approvals: [],
      canContinue: this.#facts.canContinue && hasCompleted,
      canResume: this.#facts.isDurable && this.#facts.isKept && wasStopped(end),
      fields: hasText
        ? // JSON within an answer in free text is not a field of it.
          []
        : this.#output === null
          ? this.#facts.fields.map((field) => (refused.has(field.name) ? { ...field, verdict: 'invalid' as const } : field))
          : toFields(this.#output, isTeams ? 'unchecked' : 'valid', defaults),
    });
  }

  #keep(event: ViewEvent): void {
    const last = this.#events.at(-1);
    const joins = last?.type === event.type && last.place === event.place && (event.type === 'text' || event.type === 'thinking');
    if (joins && (last.type === 'text' || last.type === 'thinking')) {
      this.#events[this.#events.length - 1] = { ...last, text: last.text + event.text };
    } else this.#events.push(event);
  }

  /** The part of the answer that was not streamed in kept pieces. */
  #complete(text: string): void {
    if (!this.#events.some(({ type }) => type === 'text')) this.#keep({ type: 'text', place: '', text });
    this.#text = text;
  }

  #read(text: string): void {
    this.#text += text;
    const members = this.#partial.push(text);
    if (members.length === 0 || this.#facts.fields.length >= mostFields) return;
    const fields = new Map(this.#facts.fields.map((field) => [field.name, field]));
    for (const { name, value } of members) {
      const verdict = this.#check === undefined ? 'unchecked' : this.#check(name, value) ? 'valid' : 'invalid';
      fields.set(name, toField(name, value, verdict, false));
    }
    this.set({ fields: [...fields.values()] });
  }
}

/** The members of an object as fields, such as an input. */
export function toFields(object: JsonObject, verdict: ViewField['verdict'], defaults: ReadonlySet<string> = new Set()): ViewField[] {
  return Object.entries(object).map(([name, value]) => toField(name, value, verdict, defaults.has(name)));
}

function toField(name: string, value: Json, verdict: ViewField['verdict'], isDefault: boolean): ViewField {
  const isJson = typeof value !== 'string';
  return { name, text: isJson ? JSON.stringify(value, null, 2) : value, isJson, isDefault, verdict };
}

/** Null where the result has no usage, as in a file that another program wrote. */
function toTokens(end: StoryEnd): ViewFacts['tokens'] {
  const { prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens } = end.usage;
  if (prompt_tokens === null && completion_tokens === null) return null;
  return {
    prompt: prompt_tokens ?? 0,
    completion: completion_tokens ?? 0,
    cached: cached_tokens,
    written: cache_write_tokens,
    predicted: end.predicted_cached_tokens,
    isEstimated: end.tokens_estimated,
    isIncomplete: end.tokens_incomplete,
  };
}

function costOf({ prompt_tokens, completion_tokens, ...cached }: StoryUsage, price: ModelPrice | undefined): number | null {
  if (price === undefined || prompt_tokens === null) return null;
  return estimateCost({ ...cached, prompt_tokens, completion_tokens: completion_tokens ?? 0 }, price);
}

/** Whether a run was stopped before its end, so that it may be resumed. */
function wasStopped({ status, error }: StoryEnd): boolean {
  return status === 'cancelled' || error?.code === 'storage' || (error !== null && ownAt(error.details, 'unfinished') !== undefined);
}

/**
 * How smoothly a run went, with its counts (docs/loops.md has the formula). Null when the model states its own confidence: a second number beside
 * it would be taken for another statement about the answer.
 */
function smoothnessOf({ smoothness: value, output, iterations, repairs }: StoryEnd, counts: StoryCounts): ViewFacts['smoothness'] {
  const isStated = isObject(output) && Object.keys(output).some((name) => /confidence|certainty/i.test(name));
  if (value === null || isStated) return null;
  const { calls, failed_calls, contradictions, rejected } = counts;
  const turns = iterations ?? 0;
  const reasons: readonly ViewReason[] = [
    { word: 'iterations', count: turns > 1 || calls > 0 ? turns : 0 },
    { word: 'calls', count: calls - failed_calls },
    { word: 'failed', count: failed_calls },
    { word: 'contradictions', count: contradictions },
    { word: 'rejected', count: rejected },
    { word: 'repairs', count: repairs.length },
  ];
  return { value, reasons: reasons.filter(({ count }) => count > 0) };
}

type Unknown = Omit<ViewFacts, 'agent' | 'version' | 'project' | 'root' | 'status'>;

const unknown: Unknown = {
  kind: 'agent',
  run_id: null,
  started: null,
  duration_ms: null,
  provider: null,
  model: null,
  profile: null,
  payload: null,
  simulated: false,
  tokens: null,
  cost: null,
  replay: null,
  permits: null,
  iterations: null,
  retries: 0,
  repairs: 0,
  tools: [],
  left_out: [],
  unpriced: [],
  dropped: null,
  snapshot: null,
  error: null,
  fields: [],
  isText: false,
  answer: null,
  smoothness: null,
  quality: null,
  sources: [],
  input: [],
  problems: [],
  approvals: [],
  stop: null,
  session: null,
  canContinue: false,
  isDurable: false,
  canResume: false,
  isPinned: false,
  recording: null,
  isKept: false,
};

/** The facts of a run about which only this is known. */
export function newFacts(facts: Omit<ViewFacts, keyof Unknown> & Partial<Unknown>): ViewFacts {
  return { ...unknown, ...facts };
}
