import { resolve } from 'node:path';
import { Option } from 'commander';
import { unlessRefused } from '../../core/agent/refused.js';
import { splitAgentReference } from '../../core/config/agentReference.js';
import type { OrchestrationRunOptions } from '../../core/node/projectRuns.js';
import { readTraceparent } from '../../core/traceContext.js';
import { visibleText } from '../../core/visibleText.js';
import { checkProfile, collect } from '../agentCall.js';
import { approveTools, checkAllowedTools, readAllowedTools } from '../allowTools.js';
import { checkEnvironment } from '../checkEnvironment.js';
import type { Cli, GlobalOptions, VerbSetup } from '../cli.js';
import { addEngineOptions, type EngineOptions, openCliEngine, toAllowedByRun } from '../dbosEngine.js';
import { example } from '../example.js';
import { exitCodeOf, followRun, machineView } from '../followRun.js';
import { type ContextOptions, readContext } from '../input.js';
import { openCliProject } from '../openCliProject.js';
import { locateProject } from '../project.js';
import { noteWhatIsLeft } from '../resumeHint.js';
import { createTeamView } from '../teamView.js';
import { toMilliseconds } from '../toMilliseconds.js';
import { UsageError } from '../usageError.js';
import { parseUsd } from '../usd.js';

interface OrchestrateOptions extends GlobalOptions, EngineOptions, ContextOptions {
  readonly llm?: string;
  readonly environment?: string;
  readonly events?: 'jsonl';
  /** USD. */
  readonly maxCost?: number;
  readonly timeout?: number;
  readonly allowTools?: string | true;
  /** False with `--no-keep`. */
  readonly keep?: boolean;
  readonly record?: string;
  readonly replay?: string;
}

export const orchestrate: VerbSetup = (command, cli) => {
  addEngineOptions(command)
    .argument('<name>', 'of the orchestration: orchestrations/NAME.json')
    .option('--context <json>', 'laid over its own context: a JSON file, - for stdin, or the object itself')
    .option('--set <key=value>', 'set one key of the context; JSON where it is JSON, dots reach inside; repeatable', collect)
    .option('--llm <id>', 'call with this llm profile in place of those of all its agents')
    .option('--env, --environment <name>', "environment whose settings apply (default: the project's)")
    .addOption(new Option('--events <format>', 'print every event as it happens, one JSON object a line').choices(['jsonl']))
    .option('--max-cost <usd>', 'begin no task and no model call that could take the cost of the run above this', parseUsd)
    .option('--timeout <ms>', 'end the run after this many milliseconds', toMilliseconds)
    .option('--allow-tools [names]', 'let its agents call these tools of MCP servers (names with commas between; all without names)')
    .option('--record <file>', 'write every model and tool exchange of its agents to a file, without secrets')
    .option('--replay <file>', 'answer from such a file: no model, no tool, no server, no key')
    .option('--no-keep', 'write nothing: without it the run is kept in .agentstack and can be resumed')
    .addHelpText('after', () =>
      example(cli, [
        'orchestrate issue_intake',
        'orchestrate issue_intake --context issue.json --llm openai',
        `orchestrate issue_intake --set title="Checkout fails" --json`,
        'orchestrate issue_intake --record intake.jsonl',
        'runs resume last',
        'orchestrate issue_intake --engine dbos --database-url postgres://me@localhost/agents',
      ]),
    )
    .addHelpText(
      'after',
      '\nThe output goes to stdout, everything said about it to stderr. With --json stdout has the whole result instead.\n' +
        'What was finished is kept as it happens: a run whose process ends goes on with `runs resume`.\n' +
        'Exit codes: 0 completed, 1 failed, 2 the config, the context or the command cannot be used, 130 cancelled.',
    )
    .action(async (name: string) => {
      const options = command.optsWithGlobals<OrchestrateOptions>();
      if (options.json) cli.expectJson();
      if (options.events !== undefined && options.json) throw new UsageError('Give --events or --json, not both.');
      if (options.record !== undefined && options.replay !== undefined) throw new UsageError('Give --record or --replay, not both.');
      const { root } = locateProject(cli, options);
      const engine = await openCliEngine(cli, root, options);
      if (engine && (options.record !== undefined || options.replay !== undefined))
        throw new UsageError('--record and --replay are for runs of this process: leave --engine out.');
      const project = openCliProject(cli, root, options);
      const index = await project.index();
      if (!index.ids('orchestration').has(name) && index.versions(splitAgentReference(name).name).length > 0)
        throw new UsageError(`${name} is an agent, no orchestration. Run it with \`${cli.name} run ${name}\`.`);
      checkEnvironment(index, options.environment);
      checkProfile(index, options.llm);
      cli.inputHint = 'Give the context with --context FILE or --set KEY=VALUE.';
      const { llm } = options;
      const request = await requestOf(cli, options);
      const loaded = await project.loadOrchestration({ index, name, ...(llm !== undefined && { overrides: { llm } }) });
      if (typeof options.allowTools === 'string') {
        const { agents } = unlessRefused(loaded).orchestration;
        checkAllowedTools(readAllowedTools(options.allowTools), toolsOf([...agents.values()].map(({ resolved }) => resolved)));
      }
      const view = machineView(cli, options) ?? createTeamView(cli.terminal);
      const result = await followRun(cli, project, view, (signal) =>
        engine
          ? engine.orchestrate({ ...request, orchestration: loaded, allow_tools: toAllowedByRun(options.allowTools), signal })
          : project.orchestrate({ ...request, orchestration: loaded, signal }),
      );
      // What stopped the run before it began, thrown as what it is, so that its findings are shown with their code.
      if (result.status === 'failed' && result.metadata.snapshot_hash === null) {
        unlessRefused(loaded);
        // A key is missing.
        cli.terminal.note(`${cli.terminal.err.red(`${result.error?.code}:`)} ${visibleText(result.error?.message ?? '')}`);
      }
      noteWhatIsLeft(cli, result, request.keep !== 'none' && options.replay === undefined, options.engine);
      cli.exit(exitCodeOf(result));
    });
};

async function requestOf(cli: Cli, options: OrchestrateOptions): Promise<OrchestrationRunOptions> {
  const { maxCost, timeout, keep, allowTools, record, replay } = options;
  const parent = readTraceparent(cli.env.TRACEPARENT ?? '');
  const budget = { ...(maxCost !== undefined && { max_cost: maxCost }), ...(timeout !== undefined && { max_time_ms: timeout }) };
  return {
    input: await readContext(options, cli),
    context: { ...parent, ...(Object.keys(budget).length > 0 && { budget }) },
    keep: keep === false ? 'none' : 'folder',
    approve: approveTools(readAllowedTools(allowTools)),
    ...(record !== undefined && { record: resolve(cli.cwd, record) }),
    ...(replay !== undefined && { replay: resolve(cli.cwd, replay) }),
  };
}

type Tools = Parameters<typeof checkAllowedTools>[1];

function toolsOf(agents: readonly Tools[]): Tools {
  return { tools: agents.flatMap(({ tools }) => tools), unlisted: agents.flatMap(({ unlisted }) => unlisted) };
}
