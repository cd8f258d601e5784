import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { createConfigChanges } from '../../core/node/projectAdapters.js';
import { FileProblem } from '../../core/ports.js';
import { ProjectCatalog } from '../../core/project/catalog.js';
import { agentCard, agentCardPath } from '../../core/serve/agentCard.js';
import { refusalWords } from '../../core/serve/describe.js';
import { toSafeJson, visibleText } from '../../core/visibleText.js';
import { checkEnvironment } from '../checkEnvironment.js';
import { example, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { openCliProject } from '../openCliProject.js';
import { environmentOption } from '../optionValues.js';
import { locateProject } from '../project.js';

interface ExportOptions extends GlobalOptions {
  readonly url?: string;
  readonly name?: string;
  readonly description?: string;
  readonly cardVersion: string;
  readonly environment?: string;
  readonly force?: true;
}

/** A host that never exists (RFC 2606), for a card whose address is not decided yet. */
const placeholder = 'https://agents.example.com/a2a';

export const exportA2a: VerbSetup = (command, cli) => {
  command
    .option('--url <address>', 'where a server that speaks A2A answers (default: a placeholder)', toAddress)
    .option('--name <text>', 'name of the whole (default: the name of the project folder)')
    .option('--description <text>', 'what the whole is for (default: a list of its skills)')
    .option('--card-version <version>', 'version of the whole', '1.0.0')
    .option(...environmentOption)
    .option('--force', 'replace the card that is there')
    .addHelpText('after', () =>
      example(cli, ['export a2a --url https://agents.example.com/a2a', 'export a2a --url https://agents.example.com/a2a --force']),
    )
    .addHelpText(
      'after',
      `\nWrites ${agentCardPath} in the project. The card describes agents; it does not serve them: \`serve\` speaks MCP and the API of OpenAI.\n` +
        'Exit codes: 0 written, 2 nothing is exposed, or the file is there.',
    )
    .action(async () => {
      const options = readOptions<ExportOptions>(cli, command);
      const opened = locateProject(cli, options);
      const project = openCliProject(cli, opened.root, { ...options, code: 'never' });
      checkEnvironment(await project.index(), options.environment);
      const { exposed } = await new ProjectCatalog({ project, changes: createConfigChanges(opened.root) }).current();
      const usable = exposed.filter(({ refusal }) => refusal === undefined);
      for (const { id, refusal } of exposed)
        if (refusal !== undefined) cli.terminal.note(cli.terminal.err.yellow(`left out ${id}: ${visibleText(refusalWords(refusal))}`));
      if (usable.length === 0)
        throw new UsageError('Nothing to write: no agent or orchestration that can run says "expose": true in its file.');
      const names = usable.map(({ id }) => id).join(', ');
      const card = agentCard(
        {
          name: options.name ?? basename(opened.root),
          description: options.description ?? `Agents of ${basename(opened.root)}: ${names}.`,
          version: options.cardVersion,
          url: options.url ?? placeholder,
        },
        usable,
      );
      try {
        await opened.files.writeText(agentCardPath, `${JSON.stringify(card, null, 2)}\n`, { exclusive: options.force !== true });
      } catch (problem) {
        if (!(problem instanceof FileProblem) || problem.reason !== 'exists') throw problem;
        throw new UsageError(`${opened.shownPath(agentCardPath)} already exists. Replace it with --force.`);
      }
      if (options.json) {
        cli.terminal.print(toSafeJson({ created: [agentCardPath], skills: usable.map(({ tool_name }) => tool_name) }));
        return;
      }
      cli.terminal.print(`wrote ${opened.shownPath(agentCardPath)}: ${names}`);
      if (options.url === undefined) cli.terminal.note(`Its address is a placeholder, ${placeholder}: name yours with --url.`);
    });
};

function toAddress(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new InvalidArgumentError('Expected an address such as https://agents.example.com/a2a.');
  return value;
}
