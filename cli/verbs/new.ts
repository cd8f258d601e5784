import type { VerbSetup } from '../cli.js';
import { example } from '../example.js';
import { newAgent } from './newAgent.js';
import { newCase } from './newCase.js';
import { newCases } from './newCases.js';
import { newLlm } from './newLlm.js';
import { newOrchestration } from './newOrchestration.js';
import { newPersona } from './newPersona.js';
import { newPrompt } from './newPrompt.js';
import { newVersion } from './newVersion.js';

const kinds: readonly { readonly name: string; readonly summary: string; readonly setup: VerbSetup }[] = [
  { name: 'agent', summary: 'create an agent that is valid from the start', setup: newAgent },
  { name: 'version', summary: 'copy the newest version of an agent to the next', setup: newVersion },
  { name: 'orchestration', summary: 'create an orchestration of existing agents', setup: newOrchestration },
  { name: 'persona', summary: 'create a persona', setup: newPersona },
  { name: 'prompt', summary: 'create a prompt', setup: newPrompt },
  { name: 'llm', summary: 'create an llm profile', setup: newLlm },
  { name: 'case', summary: 'create a sample input of an agent or orchestration', setup: newCase },
  { name: 'cases', summary: 'create a data set from a table', setup: newCases },
];

export const newVerb: VerbSetup = (command, cli) => {
  command.addHelpText('after', () =>
    example(cli, ['new agent TicketRouter', 'new llm openai --provider openai', 'new case A2 short', 'new version A2']),
  );
  for (const { name, summary, setup } of kinds) {
    const description = `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
    setup(command.command(name).summary(summary).description(description), cli);
  }
};
