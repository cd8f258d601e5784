import { Refused, unlessRefused } from '../../core/agent/load/refused.js';
import type { AgentRunOptions } from '../../core/project/types.js';
import { checkPayload } from '../../core/prompt/payloadCheck.js';
import { type AgentCall, addCallOptions, type CallOptions, prepareCall } from '../agentCall.js';
import { checkAllowedTools, readAllowedTools } from '../allowTools.js';
import { type Cli, type ExitCode, example, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { exitCodeOf, followRun, machineView } from '../followRun.js';
import { allowToolsOption, eventsOption, parseUsd, replayOption, toMilliseconds, unpricedOption } from '../optionValues.js';
import { noteResume } from '../resumeHint.js';
import { checkRequest, type RequestOptions, readRequest, reportRefusal } from '../runRequest.js';
import { createRunView, type RunView } from '../runView.js';
import { breakOption, createTerminalStops, type StopOptions, stepOption } from '../stopAtCalls.js';

interface RunOptions extends CallOptions, RequestOptions, StopOptions {
  readonly timeout?: number;
  readonly durable?: boolean;
  readonly session?: string;
}

export const run: VerbSetup = (command, cli) => {
  addCallOptions(command)
    .addOption(eventsOption())
    .option('--timeout <ms>', 'end the run after this many milliseconds (default: timeout_ms of the agent)', toMilliseconds)
    .option('--no-keep', 'do not keep the run in .agentstack/runs; a session is saved all the same')
    .option('--durable', 'also keep each model and tool call, so that `runs resume` can continue where the process ended')
    .option('--session <id>', 'continue this conversation; for agents with include_history')
    .option('--max-cost <usd>', 'end the run before a model call that could take its cost above this', parseUsd)
    .option(...unpricedOption)
    .option(...allowToolsOption('the run'))
    .option('--record <file>', 'write every model and tool exchange to a file, without secrets')
    .option(...replayOption)
    .addOption(breakOption())
    .addOption(stepOption())
    .addHelpText('after', () =>
      example(cli, [
        'run A2 --case parser',
        'run A2 --case parser --llm openai',
        'run IssueLabels --input issue.json > labels.json',
        'run A2 --input - --events jsonl < payload.json',
        'run DocsHelper --message "How do I install it?" --record run.jsonl',
        'run A2 --case parser --break before-call',
      ]),
    )
    .addHelpText(
      'after',
      '\nThe validated answer goes to stdout, everything said about it to stderr. With --json stdout has the whole result instead.\n' +
        'Exit codes: 0 completed, 1 failed, 2 the config, the input or the command cannot be used, 130 cancelled.',
    )
    .action(async (spec: string) => {
      const options = readOptions<RunOptions>(cli, command);
      checkRequest(options);
      if (options.durable && options.keep === false) throw new UsageError('Give --durable or --no-keep, not both.');
      if (options.durable && options.replay !== undefined) throw new UsageError('Give --durable or --replay, not both.');
      const call = await prepareCall(cli, spec, options, options.timeout === undefined ? {} : { timeout_ms: options.timeout });
      const stops = createTerminalStops(cli, options);
      if (typeof options.allowTools === 'string') checkAllowed(options.allowTools, call);
      if (options.session !== undefined && options.json !== true && options.events === undefined) noteUnusedSession(cli, call);
      const view = machineView(cli, options) ?? createRunView(cli.terminal);
      const request = { ...requestOf(cli, options, call), ...(stops && { gate: stops.gate }) };
      try {
        cli.exit(await runCall(cli, call, view, request, stops?.signal));
      } finally {
        stops?.close();
      }
    });
};

function requestOf(cli: Cli, options: RunOptions, { recordedSession }: AgentCall): Omit<AgentRunOptions, 'payload'> {
  const { session = recordedSession, durable = false } = options;
  const request = readRequest(cli, options);
  return { ...request, durable, context: { ...request.context, ...(session !== undefined && { session_id: session }) } };
}

function checkAllowed(names: string, { loaded }: AgentCall): void {
  if (!(loaded instanceof Refused)) checkAllowedTools(readAllowedTools(names), loaded.agent.resolved);
}

/** An agent without include_history answers too, and would seem to forget. */
function noteUnusedSession(cli: Cli, { loaded }: AgentCall): void {
  if (loaded instanceof Refused) return;
  const { agent_name, version, include_history } = loaded.agent.resolved.config;
  if (include_history) return;
  cli.terminal.note(cli.terminal.err.yellow(`${agent_name}@${version} remembers no session: set "include_history": true in it.`));
}

async function runCall(
  cli: Cli,
  call: AgentCall,
  view: RunView,
  more: Omit<AgentRunOptions, 'payload'>,
  stopped?: AbortSignal,
): Promise<ExitCode> {
  const { project, loaded, payload, case: name } = call;
  const context = { ...more.context, ...(name !== undefined && { case: name }) };
  const result = await followRun(cli, project, view, (interrupted) => {
    const signal = stopped ? AbortSignal.any([interrupted, stopped]) : interrupted;
    return project.run({ agent: loaded, payload, ...more, context, signal });
  });
  reportRefusal(cli, result, () => checkPayload(unlessRefused(loaded).agent.prompt, payload));
  noteResume(cli, result, more.durable === true);
  return exitCodeOf(result);
}
