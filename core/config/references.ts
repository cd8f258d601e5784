import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { expectationsIn } from './caseParts.js';
import type { ConfigFile, FileIdentity } from './configFile.js';
import { conditionsIn, routesIn, type TeamPart, tasksIn, teamsIn } from './orchestrationParts.js';
import type { Reference } from './projectIndex.js';

/**
 * Used instead of an id: the llm profile of an agent that names neither a model nor a profile. The index treats it as a reference to
 * the only profile; with several profiles, it refers to none.
 */
export const anyLlm = '*';

/**
 * The other files that a file names, and parts of itself. Prompts are named by `name@version`, agents likewise or without version (the newest),
 * MCP servers by their key in mcp.json. For an orchestration also the teams and tasks that its routing names: `{orchestration}/{team}` and
 * `{orchestration}/{team}/{task}`. Values of the wrong type are skipped: the schema reports them.
 */
export function collectReferences(file: Pick<ConfigFile, 'path' | 'identity' | 'value'>): readonly Reference[] {
  const { path, identity, value } = file;
  if (!isObject(value)) return [];
  const references: Reference[] = [];
  const add = (kind: Reference['kind'], id: Json | undefined, pointer: string) => {
    if (typeof id === 'string' && id !== '') references.push({ kind, id, file: path, pointer });
  };
  switch (identity.kind) {
    case 'agent':
      agentFields(value, '', identity.name, add);
      // With a persona, the persona decides, unless the agent removes its setting.
      if (!namesModel(value) && (typeof value.persona_key !== 'string' || value.llm_config_id === null || value.model_name === null))
        add('llm', anyLlm, '');
      break;
    case 'persona':
      agentFields(value, '', undefined, add);
      // An agent with the persona and without its own model gets the only profile.
      if (!namesModel(value)) add('llm', anyLlm, '');
      break;
    case 'orchestration':
      orchestrationFields(value, identity, add);
      break;
    case 'system':
      systemFields(value, add);
      break;
    case 'payload':
      add('agent', identity.agent, '');
      for (const { value: expectation, pointer } of expectationsIn(value)) add('agent', expectation.judge, `${pointer}/judge`);
      break;
    default:
  }
  return references;
}

/** A value that is not a string names nothing: the layers skip it. */
function namesModel({ llm_config_id, model_name }: JsonObject): boolean {
  return typeof llm_config_id === 'string' || typeof model_name === 'string';
}

type Add = (kind: Reference['kind'], id: Json | undefined, pointer: string) => void;

/** @param agentName the agent that `system_prompt_version` refers to; undefined for a fragment that may apply to several agents */
function agentFields(value: JsonObject, at: string, agentName: string | undefined, add: Add): void {
  add('llm', value.llm_config_id, `${at}/llm_config_id`);
  add('persona', value.persona_key, `${at}/persona_key`);
  if (Array.isArray(value.client_ids)) {
    for (const [index, id] of (value.client_ids as readonly Json[]).entries()) add('mcp', id, `${at}/client_ids/${index}`);
  }
  if (isObject(value.execution_plan)) planFields(value.execution_plan, `${at}/execution_plan`, add);
  if (!isObject(value.prompts)) return;
  const { system_prompt, system_prompt_version } = value.prompts;
  add('prompt', system_prompt, `${at}/prompts/system_prompt`);
  if (agentName !== undefined && typeof system_prompt_version === 'string') {
    add('prompt', `${agentName}@${system_prompt_version}`, `${at}/prompts/system_prompt_version`);
  }
}

function planFields({ steps }: JsonObject, at: string, add: Add): void {
  if (!Array.isArray(steps)) return;
  for (const [index, step] of (steps as readonly Json[]).entries()) {
    if (isObject(step)) add('agent', step.agent, `${at}/steps/${index}/agent`);
  }
}

function orchestrationFields(value: JsonObject, { id }: FileIdentity, add: Add): void {
  const teamId = (team: string) => `${id}/${team}`;
  if (typeof value.entry_team === 'string') add('team', teamId(value.entry_team), '/entry_team');
  for (const team of teamsIn(value)) {
    taskFields(team, teamId(team.id), add);
    for (const { next, pointer } of routesIn(team)) if (typeof next === 'string') add('team', teamId(next), pointer);
    for (const { task } of conditionsIn(team)) if (task !== undefined) add('task', `${teamId(team.id)}/${task.name}`, task.pointer);
  }
}

function taskFields(team: TeamPart, teamId: string, add: Add): void {
  for (const { name, value, pointer } of tasksIn(team)) {
    add('agent', value.agent, `${pointer}/agent`);
    add('persona', value.persona_key, `${pointer}/persona_key`);
    // A task that runs a persona gives it the task's name; an agent has its own.
    if (isObject(value.config)) agentFields(value.config, `${pointer}/config`, agentNameIn(value.agent) ?? name, add);
    if (!Array.isArray(value.depends_on)) continue;
    for (const [index, other] of (value.depends_on as readonly Json[]).entries()) {
      if (typeof other === 'string') add('task', `${teamId}/${other}`, `${pointer}/depends_on/${index}`);
    }
  }
}

function agentNameIn(agent: Json | undefined): string | undefined {
  return typeof agent === 'string' ? agent.split('@', 1)[0] : undefined;
}

function systemFields(value: JsonObject, add: Add): void {
  for (const part of ['agent_defaults', 'persona_defaults']) {
    const fields = value[part];
    if (isObject(fields)) agentFields(fields, pointerOf(part), undefined, add);
  }
  if (isObject(value.llms)) for (const id of Object.keys(value.llms)) add('llm', id, pointerOf('llms', id));
  if (!isObject(value.agents)) return;
  for (const [name, fields] of Object.entries(value.agents)) {
    add('agent', name, pointerOf('agents', name));
    if (isObject(fields)) agentFields(fields, pointerOf('agents', name), name, add);
  }
}
