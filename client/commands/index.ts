import type { ClientCommand } from './command.js';

/** Every command: one line here, its title in package.json, one module that is loaded when it is used. */
export const commands: readonly ClientCommand[] = [
  { id: 'agentStack.restartServer', run: ({ server }) => server.restart() },
  { id: 'agentStack.showOutput', run: ({ log }) => log.show() },
  {
    id: 'agentStack.showReferences',
    run: async (_client, ...args) => (await import('./showReferences.js')).showReferences(...args),
  },
];
