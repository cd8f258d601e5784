import type { AgentEvent, RunResult } from '../core/agent/events.js';
import { toVisibleJson, visibleLines, visibleText } from '../core/visibleText.js';
import { plural } from './reports/report.js';
import type { Terminal } from './terminal/terminal.js';

/** Shows a run while it happens. */
export interface RunView {
  event(event: AgentEvent): void;
}

/**
 * A run for people: the answer's text as it comes, retries and repairs, then what it took, on stderr; the validated answer
 * on stdout.
 */
export function createRunView(terminal: Terminal): RunView {
  const { dim, yellow } = terminal.err;
  let lineOpen = false;
  let retries = 0;
  const endLine = () => {
    if (lineOpen) terminal.note('');
    lineOpen = false;
  };
  return {
    event(event) {
      switch (event.type) {
        case 'step_start':
          terminal.progress('waiting for the model ...');
          break;
        case 'chunk':
        case 'thinking':
          if (event.text === '') break;
          terminal.writeNote(dim(visibleLines(event.text)));
          lineOpen = true;
          break;
        case 'retry':
          retries += 1;
          endLine();
          terminal.note(yellow(`try ${event.attempt} failed, next in ${seconds(event.wait_ms)}: ${visibleText(event.reason)}`));
          break;
        case 'repair':
          endLine();
          for (const { message } of event.issues) terminal.note(yellow(`repaired: ${visibleText(message)}`));
          break;
        case 'final':
          endLine();
          showResult(terminal, event.result, retries);
          break;
        default:
          break;
      }
    },
  };
}

function showResult(terminal: Terminal, result: RunResult, retries: number): void {
  const { status, error, metadata, output } = result;
  // What stopped the run before it began is shown in full by the command's error report.
  if (status === 'failed' && metadata.snapshot_hash === null) return;
  const { bold, green, red, yellow } = terminal.err;
  if (output !== null) terminal.print(toVisibleJson(output));
  if (error !== null) {
    const reason = typeof error.details?.reason === 'string' ? ` (${error.details.reason})` : '';
    terminal.note(`${red(`${error.code}${reason}:`)} ${visibleText(error.message)}`);
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
  } = metadata;
  const { prompt_tokens, completion_tokens, cached_tokens } = token_usage;
  const cached = cached_tokens > 0 ? ` (${cached_tokens} cached)` : '';
  return [
    `${agent_name}@${agent_version}`,
    simulated ? `simulated by ${provider}, no model was asked` : `${model_name} (${provider})`,
    seconds(execution_time_ms),
    `${prompt_tokens}${cached} + ${completion_tokens} tokens${simulated ? ' (estimated)' : ''}`,
    ...(simulated ? [] : [estimated_cost_usd === null ? 'cost unknown: no price for this model' : `${cost(estimated_cost_usd)} USD`]),
    retries === 0 ? 'no retries' : retries === 1 ? '1 retry' : `${retries} retries`,
    repairs.length === 0 ? 'no repairs' : plural(repairs.length, 'repair'),
    ...(left_out.length > 0 ? [`not sent, because the model refuses it: ${left_out.join(', ')}`] : []),
  ];
}

function seconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

/** Six places, as single calls cost fractions of a cent. */
function cost(usd: number): string {
  return usd === 0 ? '0' : usd.toFixed(6);
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
