import { resolve } from 'node:path';
import { Option } from 'commander';
import { Refused, unlessRefused } from '../../core/agent/load/refused.js';
import type { AgentRunOptions } from '../../core/project/types.js';
import { checkPayload } from '../../core/prompt/payloadCheck.js';
import { readTraceparent } from '../../core/runContext.js';
import { visibleText } from '../../core/visibleText.js';
import { type AgentCall, addCallOptions, type CallOptions, prepareCall } from '../agentCall.js';
import { approveTools, checkAllowedTools, readAllowedTools } from '../allowTools.js';
import { type Cli, type ExitCode, example, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { errorHeading } from '../errorWords.js';
import { exitCodeOf, followRun, machineView } from '../followRun.js';
import { parseUsd, toMilliseconds } from '../optionValues.js';
import { noteWhatIsLeft } from '../resumeHint.js';
import { createRunView, type RunView } from '../runView.js';

interface RunOptions extends CallOptions {
  readonly events?: 'jsonl';
  readonly timeout?: number;
  /** False with `--no-keep`. */
  readonly keep?: boolean;
  readonly durable?: boolean;
  readonly session?: string;
  /** USD. */
  readonly maxCost?: number;
  readonly allowUnpriced?: true;
  readonly allowTools?: string | true;
  readonly record?: string;
  readonly replay?: string;
}

export const run: VerbSetup = (command, cli) => {
  addCallOptions(command)
    .addOption(new Option('--events <format>', 'print every event as it happens, one JSON object a line').choices(['jsonl']))
    .option('--timeout <ms>', 'end the run after this many milliseconds (default: timeout_ms of the agent)', toMilliseconds)
    .option('--no-keep', 'do not keep the run in .agentstack/runs; a session is saved all the same')
    .option('--durable', 'also keep each model and tool call, so that `runs resume` can continue where the process ended')
    .option('--session <id>', 'continue this conversation; for agents with include_history')
    .option('--max-cost <usd>', 'end the run before a model call that could take its cost above this', parseUsd)
    .option('--allow-unpriced', 'run although a budget cannot be enforced, since the price of a model is unknown')
    .option(
      '--allow-tools [names]',
      'let the run call these tools of MCP servers (TOOL or SERVER/TOOL, with commas between; * for any characters; all without names)',
    )
    .option('--record <file>', 'write every model and tool exchange to a file, without secrets')
    .option(
      '--replay <file>',
      'answer from such a file: no model, no tool, no server, no key; without an input of its own it takes the recorded one',
    )
    .addHelpText('after', () =>
      example(cli, [
        'run A2 --case parser',
        'run A2 --case parser --llm openai',
        'run IssueLabels --input issue.json > labels.json',
        'run A2 --input - --events jsonl < payload.json',
        'run DocsHelper --message "How do I install it?" --record run.jsonl',
      ]),
    )
    .addHelpText(
      'after',
      '\nThe validated answer goes to stdout, everything said about it to stderr. With --json stdout has the whole result instead.\n' +
        'Exit codes: 0 completed, 1 failed, 2 the config, the input or the command cannot be used, 130 cancelled.',
    )
    .action(async (spec: string) => {
      const options = readOptions<RunOptions>(cli, command);
      if (options.events !== undefined && options.json) throw new UsageError('Give --events or --json, not both.');
      if (options.record !== undefined && options.replay !== undefined) throw new UsageError('Give --record or --replay, not both.');
      if (options.durable && options.keep === false) throw new UsageError('Give --durable or --no-keep, not both.');
      if (options.durable && options.replay !== undefined) throw new UsageError('Give --durable or --replay, not both.');
      const call = await prepareCall(cli, spec, options, options.timeout === undefined ? {} : { timeout_ms: options.timeout });
      if (typeof options.allowTools === 'string') checkAllowed(options.allowTools, call);
      if (options.session !== undefined && options.json !== true && options.events === undefined) noteUnusedSession(cli, call);
      cli.exit(await runCall(cli, call, machineView(cli, options) ?? createRunView(cli.terminal), requestOf(cli, options, call)));
    });
};

/** The options of a run other than its agent and input. */
function requestOf(cli: Cli, options: RunOptions, { recordedSession }: AgentCall): Omit<AgentRunOptions, 'payload'> {
  const { session = recordedSession, maxCost, allowUnpriced, record, replay, durable = false } = options;
  const parent = readTraceparent(cli.env.TRACEPARENT ?? '');
  const budget = { ...(maxCost !== undefined && { max_cost: maxCost }), ...(allowUnpriced && { allow_unpriced: true }) };
  return {
    keep: options.keep === false ? 'none' : 'folder',
    durable,
    context: {
      ...parent,
      ...(session !== undefined && { session_id: session }),
      ...(Object.keys(budget).length > 0 && { budget }),
    },
    approve: approveTools(readAllowedTools(options.allowTools)),
    ...(record !== undefined && { record: resolve(cli.cwd, record) }),
    ...(replay !== undefined && { replay: resolve(cli.cwd, replay) }),
  };
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

async function runCall(cli: Cli, call: AgentCall, view: RunView, more: ReturnType<typeof requestOf>): Promise<ExitCode> {
  const { project, loaded, payload, case: name } = call;
  const context = { ...more.context, ...(name !== undefined && { case: name }) };
  const result = await followRun(cli, project, view, (signal) => project.run({ agent: loaded, payload, ...more, context, signal }));
  if (result.status === 'failed' && result.metadata.snapshot_hash === null) {
    // Thrown as what it is, so that its findings are shown with their code.
    checkPayload(unlessRefused(loaded).agent.prompt, payload);
    // A session or a record was refused.
    if (result.error) cli.terminal.note(`${errorHeading(result.error, cli.terminal.err)} ${visibleText(result.error.message)}`);
  }
  noteWhatIsLeft(cli, result, more.durable === true);
  return exitCodeOf(result);
}
