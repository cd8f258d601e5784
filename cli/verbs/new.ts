import type { VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { newAgent } from './newAgent.js';
import { newVersion } from './newVersion.js';

export const newVerb: VerbSetup = (command, cli) => {
  command.addHelpText('after', () => example(cli, ['new agent TicketRouter', 'new agent Summary --mode Writer', 'new version A2']));
  newAgent(
    command.command('agent').summary('create an agent that is valid at once').description('Create an agent that is valid at once.'),
    cli,
  );
  newVersion(
    command
      .command('version')
      .summary('copy the newest version of an agent to the next')
      .description('Copy the newest version of an agent to the next.'),
    cli,
  );
};
