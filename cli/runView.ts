import type { AgentEvent } from '../core/agent/events.js';
import { durationText } from '../core/amounts.js';
import { createStory } from '../core/run/story/createStory.js';
import type { StoryCall, StoryCounts, StoryEnd, StoryNote, StoryStep } from '../core/run/story/types.js';
import { toVisibleJson, visibleLines, visibleText } from '../core/visibleText.js';
import { plural } from '../core/words.js';
import { errorHeading } from './errorWords.js';
import { cutLine, fold } from './terminal/fold.js';
import type { Terminal } from './terminal/terminal.js';
import { costWords, usageWords } from './usedText.js';

/** Shows a run while it happens. */
export interface RunView {
  event(event: AgentEvent): void;
}

/** Lines shown of what a tool answered. */
const resultLines = 4;

/**
 * A run for people: what the model writes and thinks as it comes, the tools it calls and what they answer, retries and repairs, then what it took,
 * on stderr; the answer on stdout.
 */
export function createRunView(terminal: Terminal): RunView {
  const { dim, yellow, cyan } = terminal.err;
  const { story, add } = createStory();
  let answers: readonly StoryCall[] = [];
  return {
    event(event) {
      const change = add(event);
      switch (change.type) {
        case 'step':
          terminal.progress(waitingWords(change.step));
          break;
        case 'text':
        case 'thinking':
          if (change.text !== '') terminal.writeNote(dim(visibleLines(change.text)));
          break;
        case 'calls':
          for (const { name, input } of change.calls) {
            const label = `-> ${visibleText(name)} `;
            terminal.note(cyan(label) + cutLine(valueText(input), terminal.columns - label.length));
          }
          terminal.progress(`waiting for ${plural(change.calls.length, 'tool')} ...`);
          break;
        case 'answers':
          answers = change.calls;
          break;
        case 'step_end':
          terminal.endLine();
          showObservation(terminal, answers, change.step.observation);
          answers = [];
          break;
        case 'part':
          for (const words of partWords(change.part)) terminal.note((change.part.type === 'output_limit' ? dim : yellow)(words));
          break;
        case 'end':
          terminal.endLine();
          showEnd(terminal, change.end, story.counts);
          break;
        default:
          break;
      }
    },
  };
}

/** The message to the model: the answers of its tools, or the errors of its reply. A single answer is shown unchanged, several separately. */
function showObservation(terminal: Terminal, answers: readonly StoryCall[], observation: string): void {
  const { dim, yellow, cyan, red } = terminal.err;
  const show = (text: string, mark: string, colour: (line: string) => string) => {
    fold(text, terminal.columns - 3, resultLines).forEach((line, index) => {
      terminal.note(`${index === 0 ? mark : '  '} ${colour(line)}`);
    });
  };
  if (answers.length === 0) {
    if (observation !== '') show(observation, yellow('<-'), yellow);
    return;
  }
  for (const { name, output, state } of answers) {
    const hasFailed = state === 'failed';
    const text = answers.length === 1 ? observation : `${name}: ${valueText(output)}`;
    show(text, hasFailed ? red('<-') : cyan('<-'), hasFailed ? red : dim);
  }
}

/** What was given to a tool, or what it gave. */
export function valueText(value: StoryCall['input']): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** What happened between a call and its answer, a line each. */
export function partWords(part: StoryNote): readonly string[] {
  switch (part.type) {
    case 'retry':
      return [`try ${part.attempt} failed, next in ${durationText(part.wait_ms)}: ${visibleText(part.reason)}`];
    case 'repair':
      return part.issues.map(({ message }) => `repaired: ${visibleText(message)}`);
    case 'edit':
      return [`changed by you: ${visibleText(part.path)} ${cutLine(valueText(part.after), 80)}`];
    case 'output_limit':
      return [`the budget limited the answer to ${plural(part.max_output_tokens, 'token')}`];
  }
}

function showEnd(terminal: Terminal, end: StoryEnd, counts: StoryCounts): void {
  const { status, error, output = null, snapshot_hash, snapshot_path } = end;
  // What stopped the run before it began is shown in full by the command's error report.
  if (status === 'failed' && snapshot_hash === null) return;
  const { bold, green, red, yellow } = terminal.err;
  if (output !== null) terminal.print(toVisibleJson(output));
  else if (status === 'completed') terminal.print(visibleLines(end.text));
  if (error !== null) {
    terminal.note(`${errorHeading(error, terminal.err)} ${visibleLines(error.message)}`);
  }
  const colour = status === 'completed' ? green : status === 'cancelled' ? yellow : red;
  terminal.note(`${bold(colour(status ?? '?'))} ${facts(end, counts).join(' | ')}`);
  if (snapshot_path !== null) terminal.note(keptWords(snapshot_path));
}

/** What the run took, in words. */
function facts(end: StoryEnd, counts: StoryCounts): string[] {
  const { name, version, provider, model_name, simulated, left_out, tools_used, repairs, edits } = end;
  const tools = tools_used ?? [];
  return [
    `${name}@${version}`,
    ...(simulated ? [`simulated by ${provider}, no model was asked`] : model_name === null ? [] : [`${model_name} (${provider})`]),
    ...(tools.length > 0 ? [`${plural(end.iterations ?? 0, 'turn')}, ${tools.map(visibleText).join(', ')}`] : []),
    durationText(end.duration_ms ?? 0),
    usageWords(end),
    ...(simulated ? [] : [costWords(end)]),
    ...retryFacts(counts),
    ...(edits === 0 ? [] : [`${plural(edits, 'value')} changed by hand`]),
    repairs.length === 0 ? 'no repairs' : plural(repairs.length, 'repair'),
    ...budgetFacts(end),
    ...(left_out.length > 0 ? [`not sent, because the model refuses it: ${left_out.join(', ')}`] : []),
  ];
}

/** How often a call failed and was sent again, and how often the model was asked again for an answer that did not fit. */
function retryFacts({ retries, rejected }: StoryCounts): string[] {
  if (retries === 0 && rejected === 0) return ['no retries'];
  return [
    ...(retries === 0 ? [] : [retries === 1 ? '1 retry' : `${retries} retries`]),
    ...(rejected === 0 ? [] : [`asked again ${rejected === 1 ? 'once' : `${rejected} times`}`]),
  ];
}

/** What a run reports about a budget that was not kept. */
export function budgetFacts({ unpriced_models }: StoryEnd): readonly string[] {
  return unpriced_models.length === 0 ? [] : [`budget not enforced: no price for ${unpriced_models.map(visibleText).join(', ')}`];
}

/** The folder of a run, by the path of its frozen config. */
export function keptWords(snapshot_path: string): string {
  return `kept in  ${visibleText(snapshot_path.slice(0, snapshot_path.lastIndexOf('/')))}`;
}

/** Names the step. It is not known yet whether a step of a plan waits for a model. */
function waitingWords({ number, plan_step }: StoryStep): string {
  if (plan_step !== null) return `step ${number}, ${visibleText(plan_step)} ...`;
  return number === 1 ? 'waiting for the model ...' : `step ${number}: waiting for the model ...`;
}
