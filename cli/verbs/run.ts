import { InvalidArgumentError, Option } from 'commander';
import { checkPayload } from '../../core/agent/agentFactory.js';
import type { AgentEvent, RunResult } from '../../core/agent/events.js';
import { type AgentCall, addCallOptions, type CallOptions, prepareCall } from '../agentCall.js';
import type { Cli, VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { type ExitCode, exitCodes } from '../exitCodes.js';
import { catchInterrupts } from '../interrupt.js';
import { createRunView, type RunView } from '../runView.js';
import { UsageError } from '../usageError.js';

interface RunOptions extends CallOptions {
  readonly events?: 'jsonl';
  readonly timeout?: number;
  /** False with `--no-keep`. */
  readonly keep?: boolean;
}

export const run: VerbSetup = (command, cli) => {
  addCallOptions(command)
    .addOption(new Option('--events <format>', 'print every event as it happens, one JSON object a line').choices(['jsonl']))
    .option('--timeout <ms>', 'end the run after this many milliseconds (default: timeout_ms of the agent)', toMilliseconds)
    .option('--no-keep', 'write nothing: without it the run is kept in .agentstack/runs')
    .addHelpText('after', () =>
      example(cli, [
        'run A2 --case parser',
        'run A2 --case parser --llm openai',
        'run IssueLabels --input issue.json > labels.json',
        'run A2 --input - --events jsonl < payload.json',
      ]),
    )
    .addHelpText(
      'after',
      '\nThe validated answer goes to stdout, everything said about it to stderr. With --json stdout has the whole result instead.\n' +
        'Exit codes: 0 completed, 1 failed, 2 the config, the input or the command cannot be used, 130 cancelled.',
    )
    .action(async (spec: string) => {
      const options = command.optsWithGlobals<RunOptions>();
      if (options.json) cli.expectJson();
      if (options.events !== undefined && options.json) throw new UsageError('Give --events or --json, not both.');
      const call = await prepareCall(cli, spec, options, options.timeout === undefined ? {} : { timeout_ms: options.timeout });
      cli.exit(await runCall(cli, call, viewOf(cli, options), options.keep === false ? 'none' : 'folder'));
    });
};

async function runCall(cli: Cli, call: AgentCall, view: RunView, keep: 'folder' | 'none'): Promise<ExitCode> {
  const { project, ...request } = call;
  const { signal, release } = catchInterrupts(cli.terminal);
  let result: RunResult | undefined;
  try {
    for await (const event of project.run({ ...request, signal, keep })) {
      view.event(event);
      if (event.final) result = event.result;
    }
  } finally {
    release();
  }
  if (result === undefined) throw new Error('The run ended without a final event');
  if (result.status === 'cancelled') return exitCodes.cancelled;
  if (result.status === 'completed') return exitCodes.ok;
  if (result.metadata.snapshot_hash === null) await throwRefusal(call);
  return unusable.has(result.error?.code ?? '') ? exitCodes.unusable : exitCodes.failed;
}

/** What stopped a run before it began, thrown as what it is, so that its findings are shown with their code. */
async function throwRefusal({ project, agent_name, version, overrides, payload }: AgentCall): Promise<void> {
  const { prompt } = await project.factory.load(agent_name, version, overrides);
  checkPayload(prompt, payload);
}

/** Errors that no second try and no other model would get past. */
const unusable: ReadonlySet<string> = new Set([
  'unknown-agent-config',
  'config-syntax',
  'config-invalid',
  'input-invalid',
  'secret-missing',
]);

/** Machine formats print to stdout and nothing else there; what went wrong before the run is on stderr for all of them. */
function viewOf(cli: Cli, { events, json }: RunOptions): RunView {
  if (events === 'jsonl') return { event: (event: AgentEvent) => cli.terminal.print(JSON.stringify(event)) };
  if (json) {
    return {
      event(event) {
        if (!event.final) return;
        cli.terminal.print(JSON.stringify(event.result, null, 2));
        cli.hasPrintedJson();
      },
    };
  }
  return createRunView(cli.terminal);
}

function toMilliseconds(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Expected milliseconds, a whole number above 0.');
  return Number(value);
}
