import { unlessRefused } from '../../core/agent/load/refused.js';
import { splitAgentReference } from '../../core/config/agentReference.js';
import { learnSecrets } from '../../core/secrets/learnSecrets.js';
import { checkOrchestrationInput } from '../../core/team/orchestrationInput.js';
import { checkProfile, collect } from '../agentCall.js';
import { checkAllowedTools, readAllowedTools } from '../allowTools.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { example, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { addEngineOptions, type EngineOptions, openCliEngine } from '../dbosEngine.js';
import { exitCodeOf, followRun, machineView } from '../followRun.js';
import { type ContextOptions, caseNames, readContext } from '../input.js';
import { openCliProject } from '../openCliProject.js';
import {
  allowToolsOption,
  environmentOption,
  eventsOption,
  parseUsd,
  replayOption,
  toMilliseconds,
  unpricedOption,
} from '../optionValues.js';
import { locateProject } from '../project.js';
import { readRecordedCall } from '../recordedCall.js';
import { noteResume } from '../resumeHint.js';
import { checkRequest, type RequestOptions, readRequest, reportRefusal } from '../runRequest.js';
import { breakOption, createTerminalStops, type StopOptions, stepOption } from '../stopAtCalls.js';
import { createTeamView } from '../teamView.js';

interface OrchestrateOptions extends GlobalOptions, EngineOptions, ContextOptions, RequestOptions, StopOptions {
  readonly llm?: string;
  readonly environment?: string;
  readonly timeout?: number;
  readonly allowPartial?: true;
}

export const orchestrate: VerbSetup = (command, cli) => {
  addEngineOptions(command)
    .argument('<name>', 'of the orchestration: orchestrations/NAME.json')
    .option('--context <json>', 'merged over its own context: a JSON file, - for stdin, or the object itself')
    .option('--case <name>', 'case of the project in place of --context: payloads/NAME/CASE.json')
    .option('--set <key=value>', 'set one key of the context; valid JSON is read as JSON, dots address nested keys; repeatable', collect)
    .option('--llm <id>', 'use this llm profile for all agents, instead of their own')
    .option(...environmentOption)
    .addOption(eventsOption())
    .option('--max-cost <usd>', 'start no task and no model call that could take the cost of the run above this', parseUsd)
    .option(...unpricedOption)
    .option('--timeout <ms>', 'end the run after this many milliseconds', toMilliseconds)
    .option(...allowToolsOption('its agents'))
    .option('--allow-partial', 'exit with 0 even if a required task did not complete')
    .option('--record <file>', 'write every model and tool exchange of its agents to a file, without secrets')
    .option(...replayOption)
    .addOption(breakOption())
    .addOption(stepOption())
    .option('--no-keep', 'write nothing: without it the run is kept in .agentstack and can be resumed')
    .addHelpText('after', () =>
      example(cli, [
        'orchestrate issue_intake --case outage',
        'orchestrate issue_intake --context issue.json --llm openai',
        `orchestrate issue_intake --set title="Checkout fails" --set body="A blank page" --json`,
        'orchestrate issue_intake --case outage --record intake.jsonl',
        'runs resume last',
        'orchestrate issue_intake --case outage --engine dbos --database-url postgres://me@localhost/agents',
      ]),
    )
    .addHelpText(
      'after',
      '\nThe output goes to stdout, everything said about it to stderr. With --json stdout has the whole result instead.\n' +
        'Finished steps are kept as they happen: `runs resume` continues a run whose process ended.\n' +
        'Exit codes: 0 completed, 1 failed or partial, 2 the config, the context or the command cannot be used, 130 cancelled.',
    )
    .action(async (name: string) => {
      const options = readOptions<OrchestrateOptions>(cli, command);
      checkRequest(options);
      const { root } = locateProject(cli, options);
      const engine = await openCliEngine(cli, root, options);
      if (engine && (options.record !== undefined || options.replay !== undefined))
        throw new UsageError('--record and --replay are for runs of this process: leave --engine out.');
      if (engine && (options.break !== undefined || options.step))
        throw new UsageError('--break and --step are for runs of this process: leave --engine out.');
      const project = openCliProject(cli, root, options);
      const index = await project.index();
      if (!index.ids('orchestration').has(name) && index.versions(splitAgentReference(name).name).length > 0)
        throw new UsageError(`${name} is an agent, not an orchestration. Run it with \`${cli.name} run ${name}\`.`);
      checkEnvironment(index, options.environment);
      checkProfile(index, options.llm);
      const payloads = index.ids('payload');
      const names = caseNames(payloads, name);
      const hints = names.map((sample) => `--case ${sample}`).join(', ');
      cli.inputHint = `Give the context with --context FILE or --set KEY=VALUE${names.length === 0 ? '' : `, or a saved one: ${hints}`}.`;
      const read = async (sample: string) => project.ports.files.readText(payloads.get(`${name}/${sample}`) ?? '');
      const recorded = readRecordedCall(cli, options.replay);
      const { llm = recorded.llm } = options;
      const loaded = await project.loadOrchestration({ index, name, ...(llm !== undefined && { overrides: { llm } }) });
      // An orchestration that does not exist has no cases either, and only the first is worth saying.
      if (options.case !== undefined && !index.ids('orchestration').has(name)) unlessRefused(loaded);
      const input = await readContext(options, { cli, agentName: name, cases: { names, read }, recorded: recorded.input });
      learnSecrets(input, cli.knownSecrets);
      const request = { input, ...readRequest(cli, options, options.timeout) };
      if (typeof options.allowTools === 'string') {
        const { agents } = unlessRefused(loaded).orchestration;
        checkAllowedTools(readAllowedTools(options.allowTools), toolsOf([...agents.values()].map(({ resolved }) => resolved)));
      }
      const stops = createTerminalStops(cli, options);
      const view = machineView(cli, options) ?? createTeamView(cli.terminal);
      const result = await followRun(cli, project, view, (interrupted) => {
        const signal = stops ? AbortSignal.any([interrupted, stops.signal]) : interrupted;
        return engine
          ? engine.orchestrate({ ...request, orchestration: loaded, allow_tools: readAllowedTools(options.allowTools), signal })
          : project.orchestrate({ ...request, orchestration: loaded, ...(stops && { gate: stops.gate }), signal });
      }).finally(() => stops?.close());
      reportRefusal(cli, result, () => checkOrchestrationInput(unlessRefused(loaded).orchestration, input));
      noteResume(cli, result, request.keep !== 'none' && options.replay === undefined, options.engine);
      cli.exit(exitCodeOf(result, options));
    });
};

type Tools = Parameters<typeof checkAllowedTools>[1];

function toolsOf(agents: readonly Tools[]): Tools {
  return { tools: agents.flatMap(({ tools }) => tools), unlisted: agents.flatMap(({ unlisted }) => unlisted) };
}
