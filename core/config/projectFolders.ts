/**
 * The folders of `config/` of which one makes a project, also without agentstack.json. Other frameworks have `config/environments` and single
 * files such as `config/system.json`, so these alone make none.
 */
export const projectFolders: readonly string[] = ['agents', 'llms', 'personas', 'prompts', 'orchestrations'];

/** What makes a folder a project, in words. */
export const projectMark = 'agentstack.json or a config folder with agents, llms, personas, prompts or orchestrations';
