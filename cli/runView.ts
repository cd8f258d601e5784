import type { AgentEvent, RunResult } from '../core/agent/events.js';
import { plural } from '../core/plural.js';
import { toVisibleJson, visibleLines, visibleText } from '../core/visibleText.js';
import { cutLine, fold } from './terminal/fold.js';
import type { Terminal } from './terminal/terminal.js';
import { usdText } from './usd.js';

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
          for (const { name, args } of event.tool_calls) {
            const label = `-> ${visibleText(name)} `;
            terminal.note(cyan(label) + cutLine(typeof args === 'string' ? args : JSON.stringify(args), terminal.columns - label.length));
          }
          terminal.progress(`waiting for ${plural(event.tool_calls.length, 'tool')} ...`);
          break;
        case 'tool_result':
          results = event.tool_results;
          break;
        case 'step_end':
          terminal.endLine();
          showObservation(terminal, results, event.observation);
          results = [];
          break;
        case 'retry':
          retries += 1;
          terminal.note(yellow(`try ${event.attempt} failed, next in ${seconds(event.wait_ms)}: ${visibleText(event.reason)}`));
          break;
        case 'repair':
          for (const { message } of event.issues) terminal.note(yellow(`repaired: ${visibleText(message)}`));
          break;
        case 'final':
          terminal.endLine();
          showResult(terminal, event.result, retries);
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
  for (const { name, result, is_error } of results) {
    const mark = is_error ? red('<-') : cyan('<-');
    if (results.length === 1) show(observation, mark, is_error ? red : dim);
    else {
      const text = typeof result === 'string' ? result : JSON.stringify(result);
      show(`${name}: ${text}`, mark, is_error ? red : dim);
    }
  }
}

function showResult(terminal: Terminal, result: RunResult, retries: number): void {
  const { status, error, metadata, output } = result;
  // What stopped the run before it began is shown in full by the command's error report.
  if (status === 'failed' && metadata.snapshot_hash === null) return;
  const { bold, green, red, yellow } = terminal.err;
  if (output !== null) terminal.print(toVisibleJson(output));
  else if (status === 'completed') terminal.print(visibleLines(result.text));
  if (error !== null) {
    const reason = typeof error.details?.reason === 'string' ? ` (${error.details.reason})` : '';
    terminal.note(`${red(`${error.code}${reason}:`)} ${visibleLines(error.message)}`);
  }
  const colour = status === 'completed' ? green : status === 'cancelled' ? yellow : red;
  terminal.note(`${bold(colour(status))} ${facts(result, retries).join(' | ')}`);
  if (metadata.snapshot_path !== null) terminal.note(`kept in  ${visibleText(folderOf(metadata.snapshot_path))}`);
}

/** What the run took, in words. */
function facts({ metadata }: RunResult, retries: number): string[] {
  const {
    agent_name,
    agent_version,
    provider,
    model_name,
    execution_time_ms,
    token_usage,
    estimated_cost_usd,
    repairs,
    simulated,
    left_out,
    iterations,
    tools_used,
  } = metadata;
  const { prompt_tokens, completion_tokens, cached_tokens } = token_usage;
  const cached = cached_tokens > 0 ? ` (${cached_tokens} cached)` : '';
  return [
    `${agent_name}@${agent_version}`,
    simulated ? `simulated by ${provider}, no model was asked` : `${model_name} (${provider})`,
    ...(tools_used.length > 0 ? [`${plural(iterations, 'turn')}, ${tools_used.map(visibleText).join(', ')}`] : []),
    seconds(execution_time_ms),
    `${prompt_tokens}${cached} + ${completion_tokens} tokens${simulated ? ' (estimated)' : ''}`,
    ...(simulated ? [] : [estimated_cost_usd === null ? 'cost unknown: no price for this model' : usdText(estimated_cost_usd)]),
    retries === 0 ? 'no retries' : retries === 1 ? '1 retry' : `${retries} retries`,
    repairs.length === 0 ? 'no repairs' : plural(repairs.length, 'repair'),
    ...(left_out.length > 0 ? [`not sent, because the model refuses it: ${left_out.join(', ')}`] : []),
  ];
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Names the step. It is not known yet whether a step of a plan waits for a model. */
function waitingWords({ step, plan_step }: { readonly step: number; readonly plan_step?: string }): string {
  if (plan_step !== undefined) return `step ${step}, ${visibleText(plan_step)} ...`;
  return step === 1 ? 'waiting for the model ...' : `step ${step}: waiting for the model ...`;
}
