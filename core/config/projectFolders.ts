/**
 * The folders of `config/` any of which makes a project, even without agentstack.json. Other frameworks have `config/environments` and single
 * files such as `config/system.json`, so these alone do not make a project.
 */
export const projectFolders: readonly string[] = ['agents', 'llms', 'personas', 'prompts', 'orchestrations'];

/** What makes a folder a project, in words. */
export const projectMark = 'agentstack.json or a config folder with agents, llms, personas, prompts or orchestrations';
