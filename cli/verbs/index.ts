import type { Verb } from '../cli.js';

/** Every verb: one line here, one file beside it, loaded only when it is used. */
export const verbs: readonly Verb[] = [
  { name: 'init', summary: 'start a project with an agent that runs offline', load: async () => (await import('./init.js')).init },
  { name: 'check', summary: 'check the config files for errors', load: async () => (await import('./check.js')).check },
  { name: 'list', summary: 'list every config file with its state', load: async () => (await import('./list.js')).list },
  {
    name: 'models',
    summary: 'list the models in use, where each is written and when it ends',
    load: async () => (await import('./models.js')).models,
  },
  {
    name: 'explain',
    summary: 'explain a rule: what it finds, why, how to fix it',
    load: async () => (await import('./explain.js')).explain,
  },
  {
    name: 'diff',
    summary: 'what a change of the files changes: prompts, costs, contracts, permissions, routes',
    load: async () => (await import('./diff.js')).diff,
  },
  { name: 'compose', summary: 'show the exact prompt an agent sends', load: async () => (await import('./compose.js')).compose },
  { name: 'run', summary: 'run an agent and validate its answer', load: async () => (await import('./run.js')).run },
  {
    name: 'debug',
    summary: 'debug runs from an editor, over the Debug Adapter Protocol',
    load: async () => (await import('./debug.js')).debug,
  },
  {
    name: 'orchestrate',
    summary: 'run an orchestration: teams of agents, routed by rules',
    load: async () => (await import('./orchestrate.js')).orchestrate,
  },
  {
    name: 'fork',
    summary: 'run a kept run again from the first request that a change touches',
    load: async () => (await import('./fork.js')).fork,
  },
  {
    name: 'eval',
    summary: 'ask the cases with "expect", judge the answers, and say how sure the numbers are',
    load: async () => (await import('./eval.js')).evalVerb,
  },
  {
    name: 'migrate',
    summary: 'move agents to another model: what changes, at what price, and the files that say so',
    load: async () => (await import('./migrate.js')).migrate,
  },
  {
    name: 'runs',
    summary: 'list, show, compare, resume, verify and delete runs',
    load: async () => (await import('./runs.js')).runs,
  },
  {
    name: 'graph',
    summary: 'draw the teams of an orchestration and the routes between them, for reviews and documents',
    load: async () => (await import('./graph.js')).graph,
  },
  {
    name: 'snapshot',
    summary: 'show the frozen config of an agent or orchestration, and which file sets each value',
    load: async () => (await import('./snapshot.js')).snapshot,
  },
  {
    name: 'worker',
    summary: 'run orchestrations submitted to a database, on as many machines as needed',
    load: async () => (await import('./worker.js')).worker,
  },
  {
    name: 'serve',
    summary: 'offer exposed agents as MCP tools, as models of an OpenAI-shaped API, or in the chat of an editor',
    load: async () => (await import('./serve.js')).serve,
  },
  {
    name: 'export',
    summary: 'write files by which other programs find exposed agents',
    load: async () => (await import('./exportVerb.js')).exportVerb,
  },
  {
    name: 'tools',
    summary: 'list the tools that an agent may call, and what has changed',
    load: async () => (await import('./tools.js')).tools,
  },
  {
    name: 'permits',
    summary: 'say what agents may do, and where what they read can go',
    load: async () => (await import('./permits.js')).permits,
  },
  {
    name: 'types',
    summary: 'write the types of payloads and outputs of the agents, for programs in TypeScript',
    load: async () => (await import('./types.js')).types,
  },
  { name: 'new', summary: 'create an agent, an orchestration or another file', load: async () => (await import('./new.js')).newVerb },
  {
    name: 'import',
    summary: 'turn the agent files of other tools into files of this project',
    load: async () => (await import('./import.js')).importVerb,
  },
  { name: 'trust', summary: 'let commands run the code of a project', load: async () => (await import('./trust.js')).trust },
  { name: 'untrust', summary: 'let no command run the code of a project', load: async () => (await import('./trust.js')).untrust },
  {
    name: 'completion',
    summary: 'print a script for the shell that completes commands and names at the Tab key',
    load: async () => (await import('./completion.js')).completion,
  },
  { name: 'lsp', summary: 'start the language server for an editor', load: async () => (await import('./lsp.js')).lsp },
];
