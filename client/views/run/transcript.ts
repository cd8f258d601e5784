import { isObject, type Json, type JsonObject, segmentsOf } from '../../../core/json.js';
import type { ModelPrice } from '../../../core/llm/modelTable.js';
import { estimateCost } from '../../../core/llm/price.js';
import { createPartialAnswer, type PartialAnswer } from '../../../core/prompt/partialAnswer.js';
import { isEnded } from '../../../core/run/runSummary.js';
import { numberAt, objectAt, objectsAt, ownAt, textAt } from '../../../core/run/untrusted.js';
import type { ViewEvent, ViewFacts, ViewField, ViewStatus } from './messages.js';
import { Contradictions, smoothnessOf } from './smoothness.js';
import { toSource } from './sources.js';
import { Texts } from './texts.js';
import { type EventKnowledge, toIssue, toViewEvents } from './viewEvents.js';

/** Whether the schema accepts a field of the answer, taken by itself. */
export type FieldCheck = (name: string, value: Json) => boolean;

/** What a run is shown with beside its events. */
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
  /** The step that goes on in each place: what the model said and thought aloud in it, and how many tools it called. */
  readonly #steps = new Map<string, { said: string; calls: number }>();
  #calls = 0;
  #failedCalls = 0;
  readonly #contradictions = new Contradictions();
  #rejected = 0;
  readonly #check: FieldCheck | undefined;
  readonly #texts = new Texts();
  readonly #knowledge: EventKnowledge;

  constructor(facts: ViewFacts, { check, price, priceOf = () => price, originOf = () => '' }: TranscriptOptions = {}) {
    this.#facts = facts;
    this.#check = check;
    this.#knowledge = { texts: this.#texts, originOf, costOf: (usage, instance) => costOf(usage, priceOf(instance)) };
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

  /** A text that is shown by its beginning only; undefined for a number that none has. */
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
    const type = textAt(event, 'type');
    if (type === 'final') {
      this.end(objectAt(event, 'result'));
      return [];
    }
    if (type === 'run_start') {
      this.set({
        run_id: textAt(event, 'run_id'),
        snapshot: textAt(event, 'snapshot_hash'),
        isKept: textAt(event, 'snapshot_path') !== null,
        canResume: false,
      });
    }
    this.#contradictions.take(event);
    const shown = toViewEvents(event, this.#knowledge).map((one) => this.#inItsStep(one));
    for (const one of shown) {
      this.#keep(one);
      if (one.type === 'step') this.#partial = createPartialAnswer();
      else if (one.type === 'text' && one.place === '') this.#read(one.text);
      else if (one.type === 'tool_call') this.#called(one.name);
      else if (one.type === 'tool_result' && one.isError) this.#failedCalls += 1;
      else if (one.type === 'step_end' && one.isCorrection) this.#rejected += 1;
    }
    return shown;
  }

  /** What only the step as a whole tells: a thought that was shown as it came is not shown again, and an observation without calls is a correction. */
  #inItsStep(event: ViewEvent): ViewEvent {
    const { place } = event;
    if (event.type === 'step') this.#steps.set(place, { said: '', calls: 0 });
    const step = this.#steps.get(place);
    if (step === undefined) return event;
    if (event.type === 'text' || event.type === 'thinking') step.said += event.text;
    else if (event.type === 'tool_call') step.calls += 1;
    else if (event.type === 'step_end') {
      const isCorrection = event.observation !== null && step.calls === 0;
      return {
        ...event,
        isCorrection,
        hints: isCorrection ? [] : event.hints,
        thought: step.said.includes(event.thought.trim()) ? '' : event.thought,
      };
    }
    return event;
  }

  #called(name: string): void {
    this.#calls += 1;
    const { tools } = this.#facts;
    if (!tools.includes(name)) this.set({ tools: [...tools, name] });
  }

  /** Takes over the result, which has the last word. */
  end(result: JsonObject): void {
    const output = ownAt(result, 'output');
    const metadata = objectAt(result, 'metadata');
    const repairs = objectsAt(metadata, 'repairs').map(toIssue);
    const error = toError(result);
    const isTeams = this.#facts.kind === 'orchestration';
    // What the tasks gave stands with them.
    this.#output = isTeams ? objectAt(isObject(output) ? output : {}, 'context') : isObject(output) ? output : null;
    const text = textAt(result, 'text');
    if (text !== null && text !== '') this.#complete(text);
    const status = toStatus(textAt(result, 'status'));
    const counts = {
      calls: this.#calls,
      failedCalls: this.#failedCalls,
      contradictions: this.#contradictions.count,
      rejected: this.#rejected,
    };
    const defaults = new Set(repairs.filter(({ keyword }) => keyword === 'default').map(({ path }) => segmentsOf(path)[0] ?? ''));
    const refused = new Set(error?.issues.map(({ path }) => segmentsOf(path)[0] ?? ''));
    this.set({
      run_id: textAt(result, 'run_id') ?? this.#facts.run_id,
      status,
      duration_ms: numberAt(metadata, 'execution_time_ms') ?? this.#facts.duration_ms,
      provider: textAt(metadata, 'provider') ?? this.#facts.provider,
      model: textAt(metadata, 'model_name') ?? this.#facts.model,
      simulated: ownAt(metadata, 'simulated') === true,
      tokens: toTokens(metadata),
      cost: numberAt(metadata, 'estimated_cost_usd'),
      iterations: numberAt(metadata, 'iterations'),
      // A result that says nothing of tools leaves those that were seen.
      tools: Array.isArray(ownAt(metadata, 'tools_used')) ? listOfTexts(ownAt(metadata, 'tools_used')) : this.#facts.tools,
      dropped: toDropped(objectAt(metadata, 'context_dropped')),
      left_out: listOfTexts(ownAt(metadata, 'left_out')),
      unpriced: listOfTexts(ownAt(metadata, 'unpriced_models')),
      snapshot: textAt(metadata, 'snapshot_hash') ?? this.#facts.snapshot,
      isKept: this.#facts.isKept || textAt(metadata, 'snapshot_path') !== null,
      error,
      answer: this.#output === null && status === 'completed' && text ? this.#texts.add(text) : null,
      smoothness: isTeams || status !== 'completed' ? null : smoothnessOf(result, counts),
      quality: textAt(objectAt(result, 'reasoning'), 'source_quality'),
      sources: objectsAt(result, 'source_documents').map((source) => toSource(source, this.#texts)),
      approvals: [],
      canContinue: this.#facts.canContinue && status === 'completed',
      canResume: canGoOn(result, this.#facts),
      fields:
        // JSON within an answer in free text is not a field of it.
        this.#output === null && status === 'completed'
          ? []
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
    const found = this.#partial.push(text);
    if (found.length === 0 || this.#facts.fields.length >= mostFields) return;
    const fields = new Map(this.#facts.fields.map((field) => [field.name, field]));
    for (const { name, value } of found) {
      const verdict = this.#check === undefined ? 'unchecked' : this.#check(name, value) ? 'valid' : 'invalid';
      fields.set(name, toField(name, value, verdict, false));
    }
    this.set({ fields: [...fields.values()] });
  }
}

/** The members of an object as fields, e.g. an input. */
export function toFields(object: JsonObject, verdict: ViewField['verdict'], defaults: ReadonlySet<string> = new Set()): ViewField[] {
  return Object.entries(object).map(([name, value]) => toField(name, value, verdict, defaults.has(name)));
}

function toField(name: string, value: Json, verdict: ViewField['verdict'], isDefault: boolean): ViewField {
  const isJson = typeof value !== 'string';
  return { name, text: isJson ? JSON.stringify(value, null, 2) : value, isJson, isDefault, verdict };
}

/** Null where the result does not say what was used, as of a file that another program wrote. */
function toTokens(metadata: JsonObject): ViewFacts['tokens'] {
  const usage = objectAt(metadata, 'token_usage');
  const [prompt, completion] = [numberAt(usage, 'prompt_tokens'), numberAt(usage, 'completion_tokens')];
  if (prompt === null && completion === null) return null;
  return {
    prompt: prompt ?? 0,
    completion: completion ?? 0,
    cached: numberAt(usage, 'cached_tokens') ?? 0,
    written: numberAt(usage, 'cache_write_tokens') ?? 0,
    predicted: numberAt(metadata, 'predicted_cached_tokens') ?? 0,
    isEstimated: ownAt(metadata, 'token_usage_estimated') === true,
    isIncomplete: ownAt(metadata, 'token_usage_incomplete') === true,
  };
}

function toDropped(dropped: JsonObject): ViewFacts['dropped'] {
  const [results, messages] = [numberAt(dropped, 'tool_results') ?? 0, numberAt(dropped, 'messages') ?? 0];
  return results + messages === 0 ? null : { results, messages };
}

function costOf(usage: JsonObject, price: ModelPrice | undefined): number | null {
  const prompt_tokens = numberAt(usage, 'prompt_tokens');
  if (price === undefined || prompt_tokens === null) return null;
  const completion_tokens = numberAt(usage, 'completion_tokens') ?? 0;
  const cached_tokens = numberAt(usage, 'cached_tokens') ?? 0;
  const cache_write_tokens = numberAt(usage, 'cache_write_tokens') ?? 0;
  return estimateCost({ prompt_tokens, completion_tokens, cached_tokens, cache_write_tokens }, price);
}

function toError(result: JsonObject): ViewFacts['error'] {
  const error = objectAt(result, 'error');
  const code = textAt(error, 'code');
  if (code === null) return null;
  const details = objectAt(error, 'details');
  return {
    code,
    message: textAt(error, 'message') ?? '',
    reason: textAt(details, 'reason') ?? '',
    issues: objectsAt(details, 'issues').map(toIssue),
  };
}

/** A run that was stopped on its way and can be resumed. */
function canGoOn(result: JsonObject, { isDurable, isKept }: ViewFacts): boolean {
  const error = objectAt(result, 'error');
  const code = textAt(error, 'code');
  const isStopped =
    textAt(result, 'status') === 'cancelled' || code === 'storage' || ownAt(objectAt(error, 'details'), 'unfinished') !== undefined;
  return isDurable && isKept && isStopped;
}

function toStatus(status: string | null): ViewStatus {
  return isEnded(status) ? status : 'broken';
}

function listOfTexts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
