import { InvalidArgumentError } from 'commander';
import { longestDescription, serverJson, serverJsonPath } from '../../core/serve/serverJson.js';
import { example, readOptions, type VerbSetup } from '../cli.js';
import { environmentOption } from '../optionValues.js';
import { type ExportOptions, exportExposed, toAddress } from './exportExposed.js';

/** Hosts that never exist (RFC 2606). */
const placeholder = 'https://agents.example.com/mcp';
const placeholderNamespace = 'com.example';

export const exportServerJson: VerbSetup = (command, cli) => {
  command
    .option('--url <address>', 'where serve --mcp answers (default: a placeholder)', toAddress)
    .option('--name <name>', 'its name in the registry, namespace/name (default: a placeholder)', toServerName)
    .option(
      '--description <text>',
      `what the whole is for, at most ${longestDescription} characters (default: a list of its tools)`,
      toDescription,
    )
    .option('--server-version <version>', 'version of the whole', toVersion, '1.0.0')
    .option(...environmentOption)
    .option('--force', 'replace the file that is there')
    .addHelpText('after', () => example(cli, ['export server.json --name io.github.me/texts --url https://agents.example.com/mcp']))
    .addHelpText(
      'after',
      `\nWrites ${serverJsonPath} in the project, by which the MCP registry lists what \`serve --mcp\` answers for. It publishes nothing.\n` +
        'Exit codes: 0 written, 2 nothing is exposed, or the file is there.',
    )
    .action(() => {
      const { url, name, description, serverVersion } = readOptions<ExportOptions & { readonly serverVersion: string }>(cli, command);
      return exportExposed(cli, command, {
        path: serverJsonPath,
        list: 'tools',
        compose: (usable, { folder, described }) =>
          serverJson(
            {
              name: name ?? `${placeholderNamespace}/${folder.replaceAll(/[^a-zA-Z0-9._-]/g, '-')}`,
              title: folder,
              description: description ?? described,
              version: serverVersion,
              url: url ?? placeholder,
            },
            usable,
          ),
        notes: [
          ...(name === undefined ? ['Its namespace is a placeholder, com.example: name one of yours with --name.'] : []),
          ...(url === undefined ? [`Its address is a placeholder, ${placeholder}: name yours with --url.`] : []),
        ],
      });
    });
};

function toServerName(value: string): string {
  if (value.length <= 200 && /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(value)) return value;
  throw new InvalidArgumentError('Expected a namespace, a slash and a name, such as io.github.me/texts.');
}

function toDescription(value: string): string {
  if (value !== '' && value.length <= longestDescription) return value;
  throw new InvalidArgumentError(`Expected 1 to ${longestDescription} characters.`);
}

/** The registry refuses ranges, and `latest`. */
function toVersion(value: string): string {
  if (/^\d[\w.+-]{0,254}$/.test(value) && !/\.x\b/.test(value)) return value;
  throw new InvalidArgumentError('Expected a version such as 1.0.2, not a range.');
}
