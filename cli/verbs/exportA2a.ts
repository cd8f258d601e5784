import { agentCard, agentCardPath } from '../../core/serve/agentCard.js';
import { example, readOptions, type VerbSetup } from '../cli.js';
import { environmentOption } from '../optionValues.js';
import { type ExportOptions, exportExposed, toAddress } from './exportExposed.js';

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
    .action(() => {
      const { url, name, description, cardVersion } = readOptions<ExportOptions & { readonly cardVersion: string }>(cli, command);
      return exportExposed(cli, command, {
        path: agentCardPath,
        list: 'skills',
        compose: (usable, { folder, described }) =>
          agentCard({ name: name ?? folder, description: description ?? described, version: cardVersion, url: url ?? placeholder }, usable),
        notes: url === undefined ? [`Its address is a placeholder, ${placeholder}: name yours with --url.`] : [],
      });
    });
};
