import { example, type VerbSetup } from '../cli.js';
import { exportA2a } from './exportA2a.js';
import { exportAgentSpec } from './exportAgentSpec.js';
import { exportServerJson } from './exportServerJson.js';

const formats: readonly { readonly name: string; readonly summary: string; readonly setup: VerbSetup }[] = [
  { name: 'a2a', summary: 'write an A2A agent card of what is exposed', setup: exportA2a },
  { name: 'server.json', summary: 'write a server.json for the MCP registry of what is exposed', setup: exportServerJson },
  { name: 'agentspec', summary: 'write an agent or orchestration as Open Agent Specification', setup: exportAgentSpec },
];

export const exportVerb: VerbSetup = (command, cli) => {
  command.addHelpText('after', () => example(cli, ['export a2a --url https://agents.example.com/a2a']));
  for (const { name, summary, setup } of formats) {
    const description = `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
    setup(command.command(name).summary(summary).description(description), cli);
  }
};
