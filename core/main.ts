/** `agent-stack`: core and the ports of Node in one. */
export * from './index.js';
// Core has another export of that name, for a program that connects everything itself.
export type { OrchestrationRequest } from './nodeIndex.js';
export * from './nodeIndex.js';
