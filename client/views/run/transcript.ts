import { isObject, type Json, type JsonObject, segmentsOf } from '../../../core/json.js';
import { createPartialAnswer, type PartialAnswer } from '../../../core/prompt/partialAnswer.js';
import { numberAt, objectAt, objectsAt, ownAt, textAt } from '../../../core/run/untrusted.js';
import type { ViewEvent, ViewFacts, ViewField, ViewIssue, ViewStatus } from './messages.js';

/** Whether the schema accepts a field of the answer, taken by itself. */
export type FieldCheck = (name: string, value: Json) => boolean;

/** Fields beyond these are shown when the run has ended, so that an answer of very many small ones cannot slow it down. */
const mostFields = 200;

/**
 * A run as its panel shows it, made from its events one by one: of a run that is going on, or of one read back from its folder, whose
 * events may say anything.
 */
export class Transcript {
  #facts: ViewFacts;
  #events: ViewEvent[] = [];
  #text = '';
  #output: JsonObject | null = null;
  #partial: PartialAnswer = createPartialAnswer();
  readonly #check: FieldCheck | undefined;

  constructor(facts: ViewFacts, check?: FieldCheck) {
    this.#facts = facts;
    this.#check = check;
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

  set(facts: Partial<ViewFacts>): void {
    this.#facts = { ...this.#facts, ...facts };
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
      });
      return [];
    }
    const shown = toViewEvents(event);
    for (const one of shown) {
      this.#keep(one);
      if (one.type === 'step') this.#partial = createPartialAnswer();
      else if (one.type === 'text') this.#read(one.text);
    }
    return shown;
  }

  /** Takes over the result, which has the last word. */
  end(result: JsonObject): void {
    const output = ownAt(result, 'output');
    const metadata = objectAt(result, 'metadata');
    const usage = objectAt(metadata, 'token_usage');
    const repairs = objectsAt(metadata, 'repairs').map(toIssue);
    const error = toError(result);
    this.#output = isObject(output) ? output : null;
    const text = textAt(result, 'text');
    if (text !== null && text !== '') this.#complete(text);
    const defaults = new Set(repairs.filter(({ keyword }) => keyword === 'default').map(({ path }) => segmentsOf(path)[0] ?? ''));
    const refused = new Set(error?.issues.map(({ path }) => segmentsOf(path)[0] ?? ''));
    this.set({
      run_id: textAt(result, 'run_id') ?? this.#facts.run_id,
      status: toStatus(textAt(result, 'status')),
      duration_ms: numberAt(metadata, 'execution_time_ms'),
      provider: textAt(metadata, 'provider') ?? this.#facts.provider,
      model: textAt(metadata, 'model_name') ?? this.#facts.model,
      simulated: ownAt(metadata, 'simulated') === true,
      tokens: {
        prompt: numberAt(usage, 'prompt_tokens') ?? 0,
        completion: numberAt(usage, 'completion_tokens') ?? 0,
        cached: numberAt(usage, 'cached_tokens') ?? 0,
      },
      cost: numberAt(metadata, 'estimated_cost_usd'),
      left_out: listOfTexts(ownAt(metadata, 'left_out')),
      snapshot: textAt(metadata, 'snapshot_hash') ?? this.#facts.snapshot,
      isKept: this.#facts.isKept || textAt(metadata, 'snapshot_path') !== null,
      error,
      fields:
        this.#output === null
          ? this.#facts.fields.map((field) => (refused.has(field.name) ? { ...field, verdict: 'invalid' as const } : field))
          : toFields(this.#output, 'valid', defaults),
    });
  }

  #keep(event: ViewEvent): void {
    const last = this.#events.at(-1);
    const joins = last?.type === event.type && last.place === event.place && (event.type === 'text' || event.type === 'thinking');
    if (joins && (last.type === 'text' || last.type === 'thinking')) {
      this.#events[this.#events.length - 1] = { ...last, text: last.text + event.text };
    } else this.#events.push(event);
  }

  /** Of text whose pieces were not kept, what is missing of the answer. */
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

function toViewEvents(event: JsonObject): readonly ViewEvent[] {
  const place = [textAt(event, 'team'), textAt(event, 'task')].filter((part) => part !== null).join(' / ');
  const text = textAt(event, 'text') ?? '';
  const type = textAt(event, 'type') ?? '';
  switch (type) {
    case 'step_start':
      return [{ type: 'step', place, step: numberAt(event, 'step') ?? 0 }];
    case 'chunk':
      return text === '' ? [] : [{ type: 'text', place, text }];
    case 'thinking':
      return text === '' ? [] : [{ type: 'thinking', place, text }];
    case 'tool_call':
      return objectsAt(event, 'tool_calls').map((call) => ({
        type: 'tool_call',
        place,
        ...toolOf(call),
        text: readable(ownAt(call, 'args')),
      }));
    case 'tool_result':
      return objectsAt(event, 'tool_results').map((result) => ({
        type: 'tool_result',
        place,
        ...toolOf(result),
        text: readable(ownAt(result, 'result')),
        isError: ownAt(result, 'is_error') === true,
      }));
    case 'retry':
      return [
        {
          type: 'retry',
          place,
          attempt: numberAt(event, 'attempt') ?? 0,
          wait_ms: numberAt(event, 'wait_ms') ?? 0,
          reason: textAt(event, 'reason') ?? '',
        },
      ];
    case 'repair':
      return [{ type: 'repair', place, issues: objectsAt(event, 'issues').map(toIssue) }];
    case 'step_end':
      return [
        {
          type: 'step_end',
          place,
          step: numberAt(event, 'step') ?? 0,
          thought: textAt(event, 'thought') ?? '',
          observation: textAt(event, 'observation') ?? '',
          tokens: numberAt(objectAt(event, 'usage'), 'total_tokens'),
        },
      ];
    default:
      return [{ type: 'other', place, name: type.replaceAll('_', ' '), text: restOf(event) }];
  }
}

/** What an event says beside what every event does. A result that it carries is shown by its own events. */
function restOf(event: JsonObject): string {
  const usual = new Set(['type', 'run_id', 'seq', 'time', 'final', 'team', 'task', 'result']);
  const rest = Object.entries(event).filter(([name, value]) => !usual.has(name) && value !== null);
  return rest
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

function toolOf(object: JsonObject): { readonly id: string; readonly name: string } {
  return { id: textAt(object, 'id') ?? '', name: textAt(object, 'name') ?? '' };
}

function readable(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2);
}

function toIssue(issue: JsonObject): ViewIssue {
  return { path: textAt(issue, 'path') ?? '', keyword: textAt(issue, 'keyword') ?? '', message: textAt(issue, 'message') ?? '' };
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

function toStatus(status: string | null): ViewStatus {
  return status === 'completed' || status === 'failed' || status === 'cancelled' ? status : 'broken';
}

function listOfTexts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
