import type { ClientCommand } from './command.js';

/** Every command: one line here, its title in package.json, one module that is loaded when it is used. */
export const commands: readonly ClientCommand[] = [
  { id: 'agentStack.restartServer', run: ({ server }) => server.restart() },
  { id: 'agentStack.showOutput', run: ({ log }) => log.show() },
  {
    id: 'agentStack.showReferences',
    run: async (_client, ...args) => (await import('./showReferences.js')).showReferences(...args),
  },
  { id: 'agentStack.createAgent', run: async (client, ...args) => (await import('./createAgent.js')).createAgent(client, ...args) },
  { id: 'agentStack.createVersion', run: async (client, ...args) => (await import('./createVersion.js')).createVersion(client, ...args) },
  { id: 'agentStack.openSample', run: async (client, ...args) => (await import('./openSample.js')).openSample(client, ...args) },
  { id: 'agentStack.removeApiKey', run: async (client, ...args) => (await import('./removeApiKey.js')).removeApiKey(client, ...args) },
  {
    id: 'agentStack.selectEnvironment',
    run: async (client, ...args) => (await import('./selectEnvironment.js')).selectEnvironment(client, ...args),
  },
  { id: 'agentStack.setApiKey', run: async (client, ...args) => (await import('./setApiKey.js')).setApiKey(client, ...args) },
  {
    id: 'agentStack.editAsMarkdown',
    run: async (client, ...args) => (await import('../views/textDocuments/editAsMarkdown.js')).editAsMarkdown(client, ...args),
  },
  {
    id: 'agentStack.checkProject',
    run: async (client) => (await import('../views/tasks/checkProject.js')).checkProject(client),
  },
  { id: 'agentStack.runAgent', run: async (client, ...args) => (await import('../views/run/runAgent.js')).runAgent(client, ...args) },
];
