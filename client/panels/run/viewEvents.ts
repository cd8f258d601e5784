import { isObject, type Json, type JsonObject } from '../../../core/json.js';
import type { StoryCall, StoryChange, StoryPlace, StoryStep, StoryTask } from '../../../core/run/story/types.js';
import { textAt } from '../../../core/run/untrusted.js';
import { shorten } from '../../../core/words.js';
import type { ViewEvent, ViewSource } from './messages.js';
import type { Texts } from './texts.js';

/** What events themselves do not say. */
export interface EventKnowledge {
  readonly texts: Texts;
  /** Who offers a tool of this name to an agent: its instance, `team/task` in an orchestration, else empty. */
  readonly originOf: (name: string, instance: string) => string;
  /** What a step of an agent cost, in USD; null when it is not known. */
  readonly costOf: (step: StoryStep, instance: string) => number | null;
}

/** A change in the story of a run, as the page shows it. */
export function toViewEvents(change: StoryChange, { texts, originOf, costOf }: EventKnowledge): readonly ViewEvent[] {
  switch (change.type) {
    case 'start':
      return change.resumed === null ? [] : [{ type: 'resumed', place: '', steps: change.resumed }];
    case 'step': {
      const { number, plan_step } = change.step;
      return [{ type: 'step', place: placeOf(change.step), step: number, name: plan_step }];
    }
    case 'text':
    case 'thinking':
      return change.text === '' ? [] : [{ type: change.type, place: placeOf(change.step), text: change.text }];
    case 'calls':
      return change.calls.map(({ id, name, input = null }) => {
        const excerpt = isObject(input) ? shortInput(input) : undefined;
        const text = texts.add(readable(input));
        return {
          type: 'tool_call',
          place: placeOf(change.step),
          id,
          name,
          origin: originOf(name, instanceOf(change.step)),
          input: { ...text, excerpt: excerpt ?? text.excerpt },
        };
      });
    case 'answers':
      return change.calls.map((call) => toolResult(call, placeOf(change.step), texts));
    case 'part': {
      const place = placeOf(change.step);
      const { part } = change;
      if (part.type === 'output_limit') return [{ type: part.type, place, tokens: part.max_output_tokens }];
      if (part.type === 'edit') return [{ type: part.type, place, path: part.path, after: shorten(readable(part.after), 200) }];
      return [{ place, ...part }];
    }
    case 'step_end': {
      const { step } = change;
      const { observation, is_correction: isCorrection } = step;
      return [
        {
          type: 'step_end',
          place: placeOf(step),
          step: step.number,
          thought: wasShown(step) ? '' : step.thought,
          observation: observation === '' ? null : texts.add(observation),
          isCorrection,
          hints: isCorrection ? [] : hintsIn(observation),
          tokens: step.usage.total_tokens,
          cost: costOf(step, instanceOf(step)),
        },
      ];
    }
    case 'team': {
      const { team, execution, has_new_context } = change.team;
      return [{ type: 'team', place: team, team, execution, isNewContext: has_new_context }];
    }
    case 'task':
      return [{ type: 'task', place: placeOf(change.task), team: change.task.team, task: change.task.task }];
    case 'task_end':
      return [taskEnd(change.task, texts)];
    case 'route': {
      const { team, route } = change.team;
      if (route === null) return [];
      const { rule, next_team, context_updates, notes } = route;
      const updates = context_updates === null ? '' : JSON.stringify(context_updates);
      return [{ type: 'route', place: team, rule, next: next_team, updates, notes }];
    }
    case 'team_end':
      return [{ type: 'team_end', place: change.team.team }];
    case 'end':
      return [];
    case 'other': {
      const { type = '' } = change.event;
      const name = typeof type === 'string' ? type.replaceAll('_', ' ') : '';
      return [{ type: 'other', place: placeOf(change.place), name, text: restOf(change.event) }];
    }
  }
}

/** `team / task`, or the team alone. */
export function placeOf({ team, task }: StoryPlace): string {
  return [team, task].filter((part) => part !== '').join(' / ');
}

function instanceOf({ team, task }: StoryPlace): string {
  return task === '' ? '' : `${team}/${task}`;
}

function toolResult({ id, name, output = null, state }: StoryCall, place: string, texts: Texts): ViewEvent {
  return { type: 'tool_result', place, id, name, output: texts.add(readable(output)), isError: state === 'failed' };
}

/** A thought that came in pieces is not shown again at the end of its step. */
function wasShown({ thought, parts }: StoryStep): boolean {
  return parts
    .map((part) => ('text' in part ? part.text : ''))
    .join('')
    .includes(thought.trim());
}

function taskEnd(task: StoryTask, texts: Texts): ViewEvent {
  const { end, state } = task;
  const output = isObject(end?.output) ? readable(end.output) : (end?.text ?? '');
  return {
    type: 'task_end',
    place: placeOf(task),
    status: state === 'running' ? 'failed' : state,
    duration_ms: end?.duration_ms ?? null,
    tokens: end?.total_tokens ?? null,
    cost: end === null || end.simulated ? null : end.cost,
    output: output === '' ? null : texts.add(output),
    error: end?.error?.message ?? '',
  };
}

function readable(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** `query: "budget", limit: 5`: what a call is about, in a line; undefined for an input of very much. */
function shortInput(input: JsonObject): string | undefined {
  const parts: string[] = [];
  let units = 0;
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === 'object' && value !== null) parts.push(`${name}: ${Array.isArray(value) ? '[…]' : '{…}'}`);
    else if (typeof value === 'string' && value.length > 80) parts.push(`${name}: ${JSON.stringify(shorten(value, 80))}`);
    else parts.push(`${name}: ${JSON.stringify(value)}`);
    units += parts.at(-1)?.length ?? 0;
    if (units > 140) break;
  }
  return units > 300 ? undefined : parts.join(', ');
}

const mostHints = 12;

/** The lines by which core tells the model what a tool says about its own result. */
function hintsIn(observation: string): readonly string[] {
  const lines = observation.slice(0, 20_000).match(/^(?:Estimated impact|Risks|Source quality): .{1,400}$/gm);
  return (lines ?? []).slice(0, mostHints);
}

/** The fields of an event that not every event has. A result that it carries is shown by its own events. */
function restOf(event: JsonObject): string {
  const usual = new Set(['type', 'run_id', 'seq', 'time', 'final', 'team', 'task', 'result']);
  const otherFields = Object.entries(event).filter(([name, value]) => !usual.has(name) && value !== null);
  return otherFields
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

/** A document of `source_documents` as the page shows it. */
export function toSource(source: JsonObject, texts: Texts): ViewSource {
  const id = textAt(source, 'id') ?? '';
  const text = textAt(source, 'text') ?? '';
  return {
    id,
    title: textAt(source, 'title') ?? id,
    isLinked: linkOfSource(source) !== null,
    text: text === '' ? null : texts.add(text),
  };
}

/** Where a document is: its web address, or else what may be a path of the project; null for neither. */
export function linkOfSource(source: JsonObject): string | null {
  const uri = textAt(source, 'uri');
  if (uri !== null && /^https?:\/\//.test(uri)) return uri;
  const id = textAt(source, 'id') ?? '';
  return /^[^\s:\\]+\.\w+$/.test(id) && !id.startsWith('/') && !id.split('/').includes('..') ? id : null;
}
