import { type Command, Option } from 'commander';
import type { DbosEngine } from '../core/dbos/dbosEngine.js';
import { type Cli, UsageError } from './cli.js';
import { cliPorts } from './openCliProject.js';
import { createTrustedLoader } from './trustCode.js';

export interface EngineOptions {
  readonly engine?: 'embedded' | 'dbos';
  readonly databaseUrl?: string;
}

export function addEngineOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--engine <name>', 'where it runs: in this process (embedded), or on workers of DBOS Transact (dbos)').choices([
        'embedded',
        'dbos',
      ]),
    )
    .option(
      '--database-url <url>',
      'PostgreSQL of the workers; better in the variable AGENTSTACK_DATABASE_URL, which process lists do not show',
    );
}

/**
 * The distributed engine, where the command asks for it.
 *
 * @param root absolute path of the project, or of the folder where a worker works
 * @throws UsageError where the database is missing or written wrong
 */
export async function openCliEngine(
  cli: Cli,
  root: string,
  options: EngineOptions & { readonly environment?: string },
): Promise<DbosEngine | undefined> {
  const { engine, databaseUrl, environment } = options;
  if (engine !== 'dbos') {
    if (databaseUrl !== undefined) throw new UsageError('--database-url is for --engine dbos: add that, or leave it out.');
    return undefined;
  }
  const database_url = checkUrl(databaseUrl ?? cli.env.AGENTSTACK_DATABASE_URL);
  const { openDbosEngine } = await import('../core/dbos/dbosEngine.js');
  const { terminal } = cli;
  return openDbosEngine(root, {
    database_url,
    ports: cliPorts(cli),
    loadTools: createTrustedLoader(cli, false),
    ...(environment !== undefined && { environment_name: environment }),
    onNotice: (notice) => terminal.note(notice === undefined ? terminal.err.green('It continues.') : terminal.err.yellow(notice)),
  });
}

function checkUrl(url: string | undefined): string {
  const form = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE';
  if (url === undefined || url === '')
    throw new UsageError(`--engine dbos needs a database: give --database-url ${form}, or set AGENTSTACK_DATABASE_URL.`);
  // Not shown: it may hold a password.
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^postgres(ql)?:$/.test(parsed.protocol) || parsed.pathname.length < 2)
    throw new UsageError(
      `The database URL is not of the form ${form}. Characters such as @ and / in the password are written as %40 and %2F.`,
    );
  return url;
}
