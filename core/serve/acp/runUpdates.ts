import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk';
import type { AgentEvent, RunResult } from '../../agent/events.js';
import { answerOf } from '../../agent/runResult.js';
import type { Json } from '../../json.js';
import { createStory } from '../../run/story/createStory.js';
import type { StoryCall, StoryEnd, StoryPart, StoryPlace, StoryStep, StoryTask } from '../../run/story/types.js';
import { deedsWords, reasonWords } from '../../tools/policyReason.js';
import type { ToolRequest } from '../../tools/types.js';
import { shorten } from '../../words.js';
import type { Exposed } from '../exposed.js';

/** A run as the updates of a session. */
export interface RunUpdates {
  add(event: AgentEvent): void;
  /** The tool call that a request for approval is about, as it is shown. */
  shownCall(request: ToolRequest): ToolCallUpdate;
  /**
   * Ends the calls that got no answer, sends what has not been streamed of the result, and says how large the conversation is.
   *
   * @param notice a message below the answer
   */
  end(result: RunResult, notice?: string): void;
}

interface UpdatesOptions {
  readonly exposed: Pick<Exposed, 'kind' | 'output_schema'>;
  readonly send: (update: SessionUpdate) => void;
  /** Prefix of ids, unique in the session. */
  readonly turn: string;
  readonly windowOf: (model_name: string, provider: string | null) => number | undefined;
  /** USD of the session with a run of this cost; null if unknown. */
  readonly sessionCost: (cost: number | null) => number | null;
}

/** Characters that are shown of what a tool returned. */
const longestResult = 20_000;
/** Characters of a tool's input in the title of its call. */
const longestTitle = 120;

/**
 * The text of an agent without an output schema is streamed as it is written; any other answer is sent once it has been checked. The tasks of an
 * orchestration are shown as tool calls.
 */
export function createRunUpdates({ exposed, send, turn, windowOf, sessionCost }: UpdatesOptions): RunUpdates {
  const { story, add } = createStory();
  const streamsText = exposed.kind === 'agent' && exposed.output_schema === undefined;
  /** Ids of the calls that have no answer, by place and the model's id: models may use an id again. */
  const open = new Map<string, string>();
  let calls = 0;
  let messages = 0;
  let sent = '';

  function say(text: string): void {
    if (text === '') return;
    sent += text;
    send({ sessionUpdate: 'agent_message_chunk', messageId: `${turn}/message-${messages}`, content: { type: 'text', text } });
  }

  function beginMessage(): void {
    if (sent !== '') messages += 1;
    sent = '';
  }

  function think(text: string): void {
    if (text !== '') send({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } });
  }

  function openCall(key: string): string {
    const id = open.get(key) ?? `${turn}/call-${++calls}`;
    open.set(key, id);
    return id;
  }

  function close(key: string, update: Omit<ToolCallUpdate, 'toolCallId'>): void {
    send({ sessionUpdate: 'tool_call_update', toolCallId: openCall(key), ...update });
    open.delete(key);
  }

  function begin(step: StoryStep): void {
    beginMessage();
    if (step.plan_step !== null && step.task === '') think(`${step.plan_step}\n`);
  }

  function isAnswer({ task, plan_step }: StoryStep): boolean {
    return streamsText && task === '' && plan_step === null;
  }

  function showCalls(step: StoryStep, called: readonly StoryCall[]): void {
    // What was written before the calls is no answer.
    if (!streamsText && step.task === '') think(step.parts.map(textIn).join(''));
    for (const call of called) {
      const toolCallId = openCall(callKey(step, call.id));
      send({ sessionUpdate: 'tool_call', toolCallId, ...callFields(call.name, call.input ?? null), status: 'in_progress' });
    }
  }

  function answerText(result: RunResult): string {
    const team = story.teams.at(-1);
    if (exposed.kind === 'agent' || team === undefined) return valueText(answerOf(result));
    const [only] = team.tasks;
    if (team.tasks.length === 1 && only?.end) return endText(only.end);
    return team.tasks.map(({ task, end }) => `**${task}**\n\n${end === null ? '' : endText(end)}`).join('\n\n');
  }

  return {
    add(event) {
      const change = add(event);
      switch (change.type) {
        case 'step':
          begin(change.step);
          break;
        case 'text':
          if (isAnswer(change.step)) say(change.text);
          break;
        case 'thinking':
          if (change.step.task === '') think(change.text);
          break;
        case 'calls':
          showCalls(change.step, change.calls);
          break;
        case 'answers':
          for (const { id, state, output } of change.calls)
            close(callKey(change.step, id), {
              status: state === 'failed' ? 'failed' : 'completed',
              content: contentOf(valueText(output ?? null)),
            });
          break;
        case 'part':
          beginMessage();
          if (change.part.type === 'retry') think(`Try ${change.part.attempt} failed: ${change.part.reason}\n`);
          break;
        case 'step_end':
          if (change.step.is_correction) think(`${change.step.observation}\n`);
          break;
        case 'task':
          send({
            sessionUpdate: 'tool_call',
            toolCallId: openCall(taskKey(change.task)),
            title: `${change.task.team} / ${change.task.task}`,
            kind: 'other',
            status: 'in_progress',
          });
          break;
        case 'task_end': {
          const { task } = change;
          const status = task.state === 'completed' ? 'completed' : 'failed';
          close(taskKey(task), { status, ...(task.end && { content: contentOf(endText(task.end)) }) });
          break;
        }
        default:
          break;
      }
    },

    shownCall({ team = '', task = '', call_id = '', name, input, deeds, policy }) {
      const words = [
        ...(deeds ? [`What ${name} does: ${deedsWords(deeds)}.`] : []),
        ...(policy ? [`The policy wants each such call approved: ${reasonWords(policy)}`] : []),
      ];
      const content = words.length > 0 && contentOf(words.join('\n\n'));
      const toolCallId = openCall(callKey({ team, task }, call_id));
      return { toolCallId, ...callFields(name, input), ...(content && { content }), status: 'pending' };
    },

    end(result, notice = '') {
      for (const key of [...open.keys()]) close(key, { status: 'failed' });
      const hasAnswer = result.status === 'completed' || (result.status === 'partial' && result.output !== null);
      const answer = hasAnswer ? answerText(result) : '';
      if (hasAnswer && answer.startsWith(sent)) say(answer.slice(sent.length));
      else if (hasAnswer && answer.trim() !== sent.trim()) {
        beginMessage();
        say(answer);
      }
      beginMessage();
      say(notice);
      const { model_name, provider, estimated_cost_usd } = result.metadata;
      const amount = sessionCost(estimated_cost_usd);
      const used = story.steps.at(-1)?.usage.total_tokens ?? null;
      const size = model_name === null || exposed.kind === 'orchestration' ? undefined : windowOf(model_name, provider);
      if (used !== null && size !== undefined)
        send({ sessionUpdate: 'usage_update', used, size, ...(amount !== null && { cost: { amount, currency: 'USD' } }) });
    },
  };
}

function callFields(name: string, input: Json) {
  const words = typeof input === 'string' ? input : JSON.stringify(input);
  return { title: shorten(words === '{}' ? name : `${name} ${words}`, longestTitle), name, kind: 'other', rawInput: input } as const;
}

function contentOf(text: string): ToolCallContent[] {
  return [{ type: 'content', content: { type: 'text', text: shorten(text, longestResult) } }];
}

/** A text unchanged, any other value as JSON in a fenced block, since clients show Markdown. */
export function valueText(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

function endText({ output = null, text, error }: StoryEnd): string {
  if (error !== null) return error.message;
  return output === null ? text : valueText(output);
}

function textIn(part: StoryPart): string {
  return part.type === 'text' ? part.text : '';
}

function callKey({ team, task }: StoryPlace, id: string): string {
  return JSON.stringify([team, task, id]);
}

function taskKey({ team, task }: StoryTask): string {
  return JSON.stringify([team, task]);
}
