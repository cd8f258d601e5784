import type { Verb } from '../cli.js';

/** Every verb: one line here, one file beside it, loaded only when it is used. */
export const verbs: readonly Verb[] = [
  { name: 'check', summary: 'find what is wrong in the config files', load: async () => (await import('./check.js')).check },
  {
    name: 'explain',
    summary: 'explain a rule: what it finds, why, how to fix it',
    load: async () => (await import('./explain.js')).explain,
  },
  { name: 'compose', summary: 'show the exact prompt an agent sends', load: async () => (await import('./compose.js')).compose },
  { name: 'run', summary: 'run an agent and validate its answer', load: async () => (await import('./run.js')).run },
  {
    name: 'orchestrate',
    summary: 'run an orchestration: teams of agents, routed by rules',
    load: async () => (await import('./orchestrate.js')).orchestrate,
  },
  {
    name: 'runs',
    summary: 'list the runs of the project, show one, or go on with one',
    load: async () => (await import('./runs.js')).runs,
  },
  {
    name: 'graph',
    summary: 'draw the teams of an orchestration and the ways between them, for reviews and documents',
    load: async () => (await import('./graph.js')).graph,
  },
  {
    name: 'snapshot',
    summary: 'show what an agent or orchestration is frozen to, and which file gave each value',
    load: async () => (await import('./snapshot.js')).snapshot,
  },
  {
    name: 'worker',
    summary: 'work on orchestrations that others hand in, on as many machines as needed',
    load: async () => (await import('./worker.js')).worker,
  },
  {
    name: 'tools',
    summary: 'list what an agent may call, and what of it has changed',
    load: async () => (await import('./tools.js')).tools,
  },
  { name: 'new', summary: 'create an agent, or the next version of one', load: async () => (await import('./new.js')).newVerb },
  { name: 'lsp', summary: 'start the language server for an editor', load: async () => (await import('./lsp.js')).lsp },
];
