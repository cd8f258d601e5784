import type { AgentEvent, RunResult } from '../core/agent/events.js';
import { durationText } from '../core/duration.js';
import type { OutputLimitEvent } from '../core/generated/types.js';
import { plural } from '../core/plural.js';
import { toVisibleJson, visibleLines, visibleText } from '../core/visibleText.js';
import { errorHeading } from './errorWords.js';
import { cutLine, fold } from './terminal/fold.js';
import type { Terminal } from './terminal/terminal.js';
import { costWords, usageWords, usedOf } from './usedText.js';

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
  let retries = 0;
  let askedAgain = 0;
  let results: readonly ToolResult[] = [];
  return {
    event(event) {
      switch (event.type) {
        case 'step_start':
          terminal.progress(waitingWords(event));
          break;
        case 'chunk':
        case 'thinking':
          if (event.text === '') break;
          terminal.writeNote(dim(visibleLines(event.text)));
          break;
        case 'tool_call':
          for (const { name, input } of event.tool_calls) {
            const label = `-> ${visibleText(name)} `;
            terminal.note(
              cyan(label) + cutLine(typeof input === 'string' ? input : JSON.stringify(input), terminal.columns - label.length),
            );
          }
          terminal.progress(`waiting for ${plural(event.tool_calls.length, 'tool')} ...`);
          break;
        case 'tool_result':
          results = event.tool_results;
          break;
        case 'step_end':
          terminal.endLine();
          showObservation(terminal, results, event.observation);
          // Of a step without tools, an observation is what the model is told of its answer; of a step of a plan, the result.
          if (results.length === 0 && event.observation !== undefined && event.plan_step === undefined) askedAgain += 1;
          results = [];
          break;
        case 'retry':
          retries += 1;
          terminal.note(yellow(`try ${event.attempt} failed, next in ${durationText(event.wait_ms)}: ${visibleText(event.reason)}`));
          break;
        case 'output_limit':
          terminal.note(dim(outputLimitWords(event)));
          break;
        case 'repair':
          for (const { message } of event.issues) terminal.note(yellow(`repaired: ${visibleText(message)}`));
          break;
        case 'final':
          terminal.endLine();
          showResult(terminal, event.result, { retries, askedAgain });
          break;
        default:
          break;
      }
    },
  };
}

type ToolResult = Extract<AgentEvent, { type: 'tool_result' }>['tool_results'][number];

/** What the model is told: what its tools answered, or what is wrong with its reply. One answer is shown as it is told, several each on their own. */
function showObservation(terminal: Terminal, results: readonly ToolResult[], observation = ''): void {
  const { dim, yellow, cyan, red } = terminal.err;
  const show = (text: string, mark: string, colour: (line: string) => string) => {
    fold(text, terminal.columns - 3, resultLines).forEach((line, index) => {
      terminal.note(`${index === 0 ? mark : '  '} ${colour(line)}`);
    });
  };
  if (results.length === 0) {
    if (observation !== '') show(observation, yellow('<-'), yellow);
    return;
  }
  for (const { name, output, is_error } of results) {
    const mark = is_error ? red('<-') : cyan('<-');
    if (results.length === 1) show(observation, mark, is_error ? red : dim);
    else {
      const text = typeof output === 'string' ? output : JSON.stringify(output);
      show(`${name}: ${text}`, mark, is_error ? red : dim);
    }
  }
}

/** Told in a team, too. */
export function outputLimitWords({ max_output_tokens }: Pick<OutputLimitEvent, 'max_output_tokens'>): string {
  return `the budget limited the answer to ${plural(max_output_tokens, 'token')}`;
}

function showResult(terminal: Terminal, result: RunResult, tries: Tries): void {
  const { status, error, metadata, output } = result;
  // What stopped the run before it began is shown in full by the command's error report.
  if (status === 'failed' && metadata.snapshot_hash === null) return;
  const { bold, green, red, yellow } = terminal.err;
  if (output !== null) terminal.print(toVisibleJson(output));
  else if (status === 'completed') terminal.print(visibleLines(result.text));
  if (error !== null) {
    terminal.note(`${errorHeading(error, terminal.err)} ${visibleLines(error.message)}`);
  }
  const colour = status === 'completed' ? green : status === 'cancelled' ? yellow : red;
  terminal.note(`${bold(colour(status))} ${facts(result, tries).join(' | ')}`);
  if (metadata.snapshot_path !== null) terminal.note(`kept in  ${visibleText(folderOf(metadata.snapshot_path))}`);
}

/** What the run took, in words. */
function facts({ metadata }: RunResult, tries: Tries): string[] {
  const {
    agent_name,
    agent_version,
    provider,
    model_name,
    execution_time_ms,
    repairs,
    simulated,
    left_out,
    unpriced_models,
    iterations,
    tools_used,
  } = metadata;
  return [
    `${agent_name}@${agent_version}`,
    ...(simulated ? [`simulated by ${provider}, no model was asked`] : model_name === null ? [] : [`${model_name} (${provider})`]),
    ...(tools_used.length > 0 ? [`${plural(iterations, 'turn')}, ${tools_used.map(visibleText).join(', ')}`] : []),
    durationText(execution_time_ms),
    usageWords(metadata),
    ...(simulated ? [] : [costWords(usedOf(metadata))]),
    ...retryFacts(tries),
    repairs.length === 0 ? 'no repairs' : plural(repairs.length, 'repair'),
    ...budgetFacts(unpriced_models),
    ...(left_out.length > 0 ? [`not sent, because the model refuses it: ${left_out.join(', ')}`] : []),
  ];
}

/** How often a call failed and was sent again, and how often the model was asked again for an answer that did not fit. */
interface Tries {
  readonly retries: number;
  readonly askedAgain: number;
}

function retryFacts({ retries, askedAgain }: Tries): string[] {
  if (retries === 0 && askedAgain === 0) return ['no retries'];
  return [
    ...(retries === 0 ? [] : [retries === 1 ? '1 retry' : `${retries} retries`]),
    ...(askedAgain === 0 ? [] : [`asked again ${askedAgain === 1 ? 'once' : `${askedAgain} times`}`]),
  ];
}

/** What a run says of a budget that did not hold. */
export function budgetFacts(unpriced_models: readonly string[] = []): readonly string[] {
  return unpriced_models.length === 0 ? [] : [`budget not enforced: no price for ${unpriced_models.map(visibleText).join(', ')}`];
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Names the step. It is not known yet whether a step of a plan waits for a model. */
function waitingWords({ step, plan_step }: { readonly step: number; readonly plan_step?: string }): string {
  if (plan_step !== undefined) return `step ${step}, ${visibleText(plan_step)} ...`;
  return step === 1 ? 'waiting for the model ...' : `step ${step}: waiting for the model ...`;
}
