import type { AgentEvent, RunResult } from '../core/agent/events.js';
import type { Project } from '../core/project/types.js';
import { toSafeJson } from '../core/visibleText.js';
import { type Cli, type ExitCode, exitCodes } from './cli.js';
import { catchInterrupts } from './interrupt.js';
import type { RunView } from './runView.js';

/** Shows the events of a run to their end. An interrupt cancels it. */
export async function followRun(
  cli: Cli,
  project: Pick<Project, 'flush'>,
  view: RunView,
  begin: (signal: AbortSignal) => AsyncIterable<AgentEvent>,
): Promise<RunResult> {
  const { signal, release } = catchInterrupts(cli.terminal);
  let result: RunResult | undefined;
  try {
    for await (const event of begin(signal)) {
      view.event(event);
      if (event.final) result = event.result;
    }
  } finally {
    release();
    await project.flush();
  }
  if (result === undefined) throw new Error('The run ended without a final event');
  return result;
}

/** Errors that no second try and no other model would get past. */
const unusable: ReadonlySet<string> = new Set([
  'unknown-agent-config',
  'config-syntax',
  'config-invalid',
  'input-invalid',
  'secret-missing',
]);

/** @param allowPartial whether an orchestration may end without tasks that it requires */
export function exitCodeOf(
  { status, error, metadata }: RunResult,
  { allowPartial = false }: { readonly allowPartial?: boolean } = {},
): ExitCode {
  if (status === 'cancelled') return exitCodes.cancelled;
  if (status === 'completed') return exitCodes.ok;
  if (status === 'partial') return allowPartial ? exitCodes.ok : exitCodes.failed;
  // Deep in an orchestration or a plan the same errors come after work that was done and paid for.
  const hasWorked = metadata.iterations > 0 || metadata.tools_used.length > 0;
  return unusable.has(error?.code ?? '') && !hasWorked ? exitCodes.unusable : exitCodes.failed;
}

export interface MachineOptions {
  readonly events?: 'jsonl';
  readonly json?: boolean;
}

/** Machine formats print to stdout and nothing else there; what went wrong before the run is on stderr for all of them. Undefined: the run is for people. */
export function machineView(cli: Cli, { events, json }: MachineOptions): RunView | undefined {
  if (events === 'jsonl') return { event: (event) => cli.terminal.print(toSafeJson(event, 0)) };
  if (json !== true) return undefined;
  return {
    event(event) {
      if (!event.final) return;
      cli.terminal.print(toSafeJson(event.result));
      cli.hasPrintedJson();
    },
  };
}
