import type { AgentEvent } from '../../agent/events.js';
import { RepeatedCalls } from '../../agent/repeatedCalls.js';
import { isObject, type JsonObject } from '../../json.js';
import { numberAt, objectAt, objectsAt, ownAt, textAt } from '../untrusted.js';
import { readEnd, readIssue, readUsage, textsIn } from './readEnd.js';
import type {
  Story,
  StoryCall,
  StoryChange,
  StoryCounts,
  StoryNote,
  StoryPlace,
  StoryState,
  StoryStep,
  StoryTask,
  StoryTeam,
} from './types.js';

type Growing<Type> = { -readonly [Key in keyof Type]: Type[Key] extends readonly (infer Item)[] ? Item[] : Type[Key] };
type GrowingStep = Growing<StoryStep>;
type GrowingTeam = Omit<Growing<StoryTeam>, 'tasks'> & { tasks: Growing<StoryTask>[] };

/** Reads the events of a run one by one: of a live run, or of a stored one, whose events are not trusted. */
export interface StoryReader {
  readonly story: Story;
  /** Returns what the event changed. */
  add(event: JsonObject | AgentEvent): StoryChange;
}

/** The story of these events. A prefix of a run's events gives the story up to that point. */
export function storyOf(events: Iterable<JsonObject | AgentEvent>): Story {
  const reader = createStory();
  for (const event of events) reader.add(event);
  return reader.story;
}

const noCounts: StoryCounts = { retries: 0, repairs: 0, calls: 0, failed_calls: 0, contradictions: 0, rejected: 0 };

/** An empty story. */
export function createStory(): StoryReader {
  const steps: GrowingStep[] = [];
  const teams: GrowingTeam[] = [];
  const story: Omit<Growing<Story>, 'counts'> & { counts: Growing<StoryCounts> } = {
    run_id: null,
    snapshot_hash: null,
    is_kept: false,
    steps,
    teams,
    since: { step: 0, team: 0 },
    counts: { ...noCounts },
    tools: [],
    end: null,
  };
  /** The last step of each place, and the calls that wait for an answer, by place and id. */
  const lastSteps = new Map<string, GrowingStep>();
  const waiting = new Map<string, { readonly step: GrowingStep; readonly call: Growing<StoryCall> }>();
  let repeated = new RepeatedCalls();

  function begin(event: JsonObject): void {
    story.run_id = textAt(event, 'run_id');
    story.snapshot_hash = textAt(event, 'snapshot_hash');
    story.is_kept = textAt(event, 'snapshot_path') !== null;
    story.since = { step: steps.length, team: teams.length };
    story.counts = { ...noCounts };
    story.end = null;
    lastSteps.clear();
    waiting.clear();
    repeated = new RepeatedCalls();
  }

  function beginStep(place: StoryPlace, number: number, plan_step: string | null): GrowingStep {
    const step: GrowingStep = {
      ...place,
      index: steps.length,
      number,
      plan_step,
      parts: [],
      thought: '',
      observation: '',
      is_correction: false,
      usage: readUsage({}),
      is_ended: false,
    };
    steps.push(step);
    lastSteps.set(keyOf(place), step);
    if (place.task !== '') findTask(place)?.steps.push(step.index);
    return step;
  }

  /** Stored events may lack the start of their step. */
  function stepAt(place: StoryPlace): GrowingStep {
    return lastSteps.get(keyOf(place)) ?? beginStep(place, 1, null);
  }

  function write(type: 'text' | 'thinking', place: StoryPlace, text: string): StoryChange {
    const step = stepAt(place);
    const last = step.parts.at(-1);
    if (text !== '' && last?.type === type) step.parts[step.parts.length - 1] = { type, text: last.text + text };
    else if (text !== '') step.parts.push({ type, text });
    return { type, step, text };
  }

  function call(place: StoryPlace, requested: readonly JsonObject[]): StoryChange {
    const step = stepAt(place);
    const calls = requested.map((each): Growing<StoryCall> => {
      const made: Growing<StoryCall> = {
        type: 'call',
        id: textAt(each, 'id') ?? '',
        name: textAt(each, 'name') ?? '',
        input: ownAt(each, 'input') ?? null,
        state: 'waiting',
        output: undefined,
        contradicts: false,
      };
      waiting.set(callKey(place, made.id), { step, call: made });
      if (!story.tools.includes(made.name)) story.tools.push(made.name);
      return made;
    });
    step.parts.push(...calls);
    story.counts.calls += calls.length;
    return { type: 'calls', step, calls };
  }

  function answer(place: StoryPlace, results: readonly JsonObject[]): StoryChange {
    let step = stepAt(place);
    const calls = results.map((result) => {
      const id = textAt(result, 'id') ?? '';
      const is_error = ownAt(result, 'is_error') === true;
      const output = ownAt(result, 'output') ?? null;
      const answered = { state: is_error ? 'failed' : 'done', output } as const;
      const key = callKey(place, id);
      const open = waiting.get(key);
      waiting.delete(key);
      if (is_error) story.counts.failed_calls += 1;
      if (open === undefined) {
        const lost: StoryCall = { type: 'call', id, name: textAt(result, 'name') ?? '', input: undefined, contradicts: false, ...answered };
        step.parts.push(lost);
        return lost;
      }
      step = open.step;
      Object.assign(open.call, answered);
      open.call.contradicts = repeated.add(open.call.name, open.call.input ?? null, output, is_error) === 'contradicts';
      if (open.call.contradicts) story.counts.contradictions += 1;
      return open.call;
    });
    return { type: 'answers', step, calls };
  }

  function addPart(place: StoryPlace, part: StoryNote): StoryChange {
    const step = stepAt(place);
    step.parts.push(part);
    if (part.type === 'retry') story.counts.retries += 1;
    else if (part.type === 'repair') story.counts.repairs += part.issues.length;
    return { type: 'part', step, part };
  }

  function endStep(place: StoryPlace, event: JsonObject): StoryChange {
    const step = stepAt(place);
    step.thought = textAt(event, 'thought') ?? '';
    step.observation = textAt(event, 'observation') ?? '';
    // The observation of a step without calls is the feedback on the model's answer; that of a plan step is its result.
    step.is_correction = step.observation !== '' && step.plan_step === null && !step.parts.some(({ type }) => type === 'call');
    step.usage = readUsage(objectAt(event, 'usage'));
    step.is_ended = true;
    if (step.is_correction) story.counts.rejected += 1;
    return { type: 'step_end', step };
  }

  function beginTeam(name: string, event: JsonObject): GrowingTeam {
    const team: GrowingTeam = {
      index: teams.length,
      team: name,
      execution: numberAt(event, 'execution') ?? 0,
      has_new_context: textAt(event, 'snapshot_hash') !== null,
      tasks: [],
      route: null,
      state: 'running',
    };
    teams.push(team);
    return team;
  }

  function findTask({ team, task }: StoryPlace): Growing<StoryTask> | undefined {
    return teams.findLast((each) => each.team === team)?.tasks.findLast((each) => each.task === task);
  }

  function teamAt(name: string): GrowingTeam {
    return teams.findLast(({ team }, index) => team === name && index >= story.since.team) ?? beginTeam(name, {});
  }

  function beginTask(team: GrowingTeam, place: StoryPlace): Growing<StoryTask> {
    const task: Growing<StoryTask> = { ...place, state: 'running', status: null, steps: [], end: null };
    team.tasks.push(task);
    return task;
  }

  function endTask(place: StoryPlace, event: JsonObject): StoryChange {
    const team = teamAt(place.team);
    const status = textAt(event, 'status');
    const state = status === 'completed' || status === 'cancelled' ? status : 'failed';
    const ended = { state, status, end: readEnd(objectAt(event, 'result')) } as const;
    let task = team.tasks.findLast((each) => each.task === place.task);
    task ??= beginTask(team, place);
    Object.assign(task, ended);
    return { type: 'task_end', team, task };
  }

  function end(event: JsonObject): StoryChange {
    const result = readEnd(objectAt(event, 'result'));
    story.end = result;
    return { type: 'end', end: result };
  }

  return {
    story,
    add(typed) {
      // Events are plain JSON; their types say more than `JsonObject` can.
      const event = typed as JsonObject;
      const place = { team: textAt(event, 'team') ?? '', task: textAt(event, 'task') ?? '' };
      switch (event.type) {
        case 'run_start':
          begin(event);
          return { type: 'start', resumed: numberAt(event, 'resumed') };
        case 'step_start':
          return { type: 'step', step: beginStep(place, numberAt(event, 'step') ?? 0, textAt(event, 'plan_step')) };
        case 'chunk':
          return write('text', place, textAt(event, 'text') ?? '');
        case 'thinking':
          return write('thinking', place, textAt(event, 'text') ?? '');
        case 'tool_call':
          return call(place, objectsAt(event, 'tool_calls'));
        case 'tool_result':
          return answer(place, objectsAt(event, 'tool_results'));
        case 'retry': {
          const [attempt, wait_ms] = [numberAt(event, 'attempt') ?? 0, numberAt(event, 'wait_ms') ?? 0];
          return addPart(place, { type: 'retry', attempt, wait_ms, reason: textAt(event, 'reason') ?? '' });
        }
        case 'repair':
          return addPart(place, { type: 'repair', issues: objectsAt(event, 'issues').map(readIssue) });
        case 'edit':
          // The context belongs to no step.
          if (place.task === '' && textAt(event, 'path') === '/context') return { type: 'other', place, event };
          return addPart(place, {
            type: 'edit',
            path: textAt(event, 'path') ?? '',
            before: ownAt(event, 'before') ?? null,
            after: ownAt(event, 'after') ?? null,
          });
        case 'output_limit':
          return addPart(place, { type: 'output_limit', max_output_tokens: numberAt(event, 'max_output_tokens') ?? 0 });
        case 'step_end':
          return endStep(place, event);
        case 'team_start':
          return { type: 'team', team: beginTeam(place.team, event) };
        case 'task_start': {
          const team = teamAt(place.team);
          return { type: 'task', team, task: beginTask(team, place) };
        }
        case 'task_end':
          return endTask(place, event);
        case 'route': {
          const team = teamAt(place.team);
          const updates = ownAt(event, 'context_updates');
          team.route = {
            rule: numberAt(event, 'rule'),
            next_team: textAt(event, 'next_team'),
            context_updates: isObject(updates) ? updates : null,
            notes: textsIn(ownAt(event, 'notes')),
          };
          return { type: 'route', team };
        }
        case 'team_end': {
          const team = teamAt(place.team);
          team.state = stateOfTeam(team);
          return { type: 'team_end', team };
        }
        case 'final':
          return end(event);
        default:
          return { type: 'other', place, event };
      }
    },
  };
}

/** A team ends even if a task failed; while the end of a task is not known, the team is running. */
function stateOfTeam({ tasks }: Pick<StoryTeam, 'tasks'>): StoryState {
  const states = new Set(tasks.map(({ state }) => state));
  for (const state of ['failed', 'cancelled', 'running'] as const) if (states.has(state)) return state;
  return 'completed';
}

function keyOf({ team, task }: StoryPlace): string {
  return `${team}\0${task}`;
}

function callKey(place: StoryPlace, id: string): string {
  return `${keyOf(place)}\0${id}`;
}
