import { Option } from 'commander';
import { findingsLine } from '../../core/agent/load/throwErrors.js';
import { ConfigSyntaxError } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import { createGraphModel, type GraphModel } from '../../core/routing/graph/graphModel.js';
import { findOrchestration } from '../../core/team/loadOrchestration.js';
import { toSafeJson } from '../../core/visibleText.js';
import { example, type GlobalOptions, type VerbSetup } from '../cli.js';
import { openCliProject } from '../openCliProject.js';
import { locateProject } from '../project.js';

interface GraphOptions extends GlobalOptions {
  readonly format?: 'mermaid' | 'svg' | 'json';
}

export const graph: VerbSetup = (command, cli) => {
  command
    .argument('<orchestration>', 'its name: orchestrations/NAME.json')
    .addOption(new Option('--format <format>', 'output format (default: mermaid)').choices(['mermaid', 'svg', 'json']))
    .addHelpText('after', () =>
      example(cli, ['graph issue_intake', 'graph issue_intake --format svg > issue_intake.svg', 'graph issue_intake --json | jq .edges']),
    )
    .addHelpText(
      'after',
      '\nMermaid is drawn by GitHub, GitLab and others in a fenced block; an SVG needs nothing but itself. What `check` finds is marked in it.\n' +
        'Exit codes: 0 drawn, 2 the orchestration or the command cannot be used.',
    )
    .action(async (name: string) => {
      const options = command.optsWithGlobals<GraphOptions>();
      const format = options.format ?? (options.json ? 'json' : 'mermaid');
      if (format === 'json') cli.expectJson();
      const { root } = locateProject(cli, options);
      const project = openCliProject(cli, root, { code: 'never' });
      const index = await project.index();
      const file = await findOrchestration(index, project.ports, name);
      const { findings } = await project.check({ index, paths: [file.path] });
      const { value } = file;
      if (!isObject(value)) throw new ConfigSyntaxError(findingsLine(file.path, 'cannot be drawn', findings), findings);
      const marks = findings.map(({ severity, message, pointer }) => ({ severity, message, pointer }));
      const model = createGraphModel(value, marks);
      cli.terminal.write(await draw(model, name, format));
    });
};

/** The graph as data that leaves the process: in the spelling of all such data. */
function toData({ nodes, edges }: GraphModel) {
  return {
    nodes: nodes.map((node) => {
      if (node.kind !== 'team') return node;
      const { isEntry: is_entry, isUnreachable: is_unreachable, ...rest } = node;
      return { ...rest, is_entry, is_unreachable };
    }),
    edges: edges.map(({ isInCycle: is_in_cycle, ...rest }) => ({ ...rest, is_in_cycle })),
  };
}

async function draw(model: GraphModel, name: string, format: NonNullable<GraphOptions['format']>): Promise<string> {
  switch (format) {
    case 'json':
      return `${toSafeJson(toData(model))}\n`;
    case 'mermaid':
      return (await import('../../core/routing/graph/graphMermaid.js')).graphMermaid(model);
    case 'svg': {
      const [{ layOutGraph }, { graphSvg }] = await Promise.all([
        import('../../core/routing/graph/graphLayout.js'),
        import('../../core/routing/graph/graphSvg.js'),
      ]);
      return graphSvg(layOutGraph(model), name);
    }
  }
}
