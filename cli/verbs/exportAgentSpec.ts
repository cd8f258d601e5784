import { unlessRefused } from '../../core/agent/load/refused.js';
import { agentSpecOf, flowSpecOf } from '../../core/serve/agentSpec/agentSpec.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { example, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { openCliProject } from '../openCliProject.js';
import { environmentOption } from '../optionValues.js';
import { parseAgent } from '../parseAgent.js';
import { locateProject } from '../project.js';
import { readSpec } from '../snapshotSource.js';
import { writeExport } from './exportExposed.js';

interface AgentSpecOptions extends GlobalOptions {
  readonly environment?: string;
  readonly force?: true;
}

export const exportAgentSpec: VerbSetup = (command, cli) => {
  command
    .argument('<name>', 'agent NAME or NAME@VERSION, or orchestration NAME')
    .option(...environmentOption)
    .option('--force', 'replace the file if it exists')
    .addHelpText('after', () => example(cli, ['export agentspec A2', 'export agentspec triage --env prod --force']))
    .addHelpText(
      'after',
      '\nWrites NAME.agent_spec.json in the project, with the effective settings, and says what has no counterpart.\n' +
        'Exit codes: 0 written, 2 it cannot be written in Agent Spec, or the file exists.',
    )
    .action(async (spec: string) => {
      const options = readOptions<AgentSpecOptions>(cli, command);
      const opened = locateProject(cli, options);
      const project = openCliProject(cli, opened.root, { ...options, code: 'never' });
      const index = await project.index();
      checkEnvironment(index, options.environment);
      const load = { index, environment_name: options.environment };
      const { kind, name } = readSpec(spec, index);
      const made = await (async () => {
        if (kind === 'agent') {
          const [agent_name, version] = parseAgent(name, index);
          return agentSpecOf(unlessRefused(await project.load({ ...load, agent_name, version })).agent.resolved);
        }
        const { frozen, agents } = unlessRefused(await project.loadOrchestration({ ...load, name })).orchestration;
        return flowSpecOf(name, frozen, new Map([...agents].map(([instance, { resolved }]) => [instance, resolved])));
      })();
      const notes = made.notes.map((note) => visibleText(note));
      if (made.spec === undefined) throw new UsageError(notes.join(' '));
      const path = `${name.split('@', 1)[0]}.agent_spec.json`;
      await writeExport(opened, path, made.spec, options.force);
      if (options.json) {
        cli.terminal.print(toSafeJson({ created: [path], notes: [...notes] }));
        return;
      }
      cli.terminal.print(`wrote ${opened.shownPath(path)}`);
      for (const note of notes) cli.terminal.note(note);
    });
};
