import { isObject, type Json, type JsonObject, listOf, valueAt } from '../../json.js';
import { validateKind } from '../../schema/kindValidators.js';
import { listed, quoted } from '../../words.js';
import type { At, Draft, OtherTool } from '../types.js';
import { cleanPartName, stemOf, textField, within } from '../values.js';
import { homeOfLlmConfig, homeOfPersonas, homeOfTeams } from './homes.js';

/** The system config of C4H (`llm_config`, `orchestration.teams`) and its personas, YAML or JSON. */
export const c4h: OtherTool = {
  id: 'c4h',
  names: {
    persona: 'persona_key',
    // An agent's own name, or that of a task.
    unique_name: ['agent_name', 'name'],
  },
  homeOf(foreign) {
    if (foreign.file.identity.kind !== 'system') return undefined;
    const place = [...foreign.segments, foreign.key].join('/');
    if (place === 'llm_config') return homeOfLlmConfig(foreign);
    if (place === 'personas') return homeOfPersonas(foreign);
    return /^(?:orchestration\/)?(?:teams|entry_team)$/.test(place) ? homeOfTeams(foreign) : undefined;
  },
  importer: {
    what: 'a system config with teams, or a persona',
    shape:
      'system_config.yml: orchestration.teams.{id}.tasks with agent_type, persona_key; personas/*.yml: provider, model, prompts.system',
    example: { file: 'system_config.yml' },
    expandsVariables: true,
    recognise({ path, format, value }) {
      if (format === 'markdown' || !isObject(value)) return undefined;
      if (
        isObject(value.orchestration) ||
        (isObject(value.llm_config) && (value.llm_config.default_provider !== undefined || value.llm_config.personas !== undefined))
      )
        return 'sure';
      if (!isPersona(value)) return undefined;
      return /(?:^|\/)personas\/[^/]+\.(?:ya?ml|json)$/.test(path) && value.system_text === undefined ? 'sure' : 'maybe';
    },
    needs: ({ path, value }) => (isObject(value) ? personaKeys(value).flatMap((key) => personaPaths(path, key)) : []),
    read(source, draft) {
      const { value } = source;
      if (!isObject(value)) return;
      const at: At = { source, pointer: '' };
      if (isPersona(value) && value.orchestration === undefined && value.llm_config === undefined) {
        readPersona(stemOf(source), value, at, draft);
        return;
      }
      const config = isObject(value.llm_config) ? value.llm_config : {};
      for (const key of personaKeys(value)) {
        const inline = isObject(config.personas) ? config.personas[key] : undefined;
        const file = personaPaths(source.path, key)
          .map((path) => draft.file(source, path))
          .find((file) => isObject(file?.value));
        if (file !== undefined) {
          const own = file.value as JsonObject;
          readPersona(key, { ...objectAt(inline), ...own }, { source: file, pointer: '' }, draft);
          const added = Object.keys(objectAt(inline)).filter((field) => !Object.hasOwn(own, field));
          if (added.length > 0)
            draft.note(
              within(at, 'llm_config', 'personas', key),
              `${listed(added)} of this persona ${added.length === 1 ? 'is' : 'are'} taken into the persona, whose file does not set ${added.length === 1 ? 'it' : 'them'}.`,
            );
        } else if (isObject(inline)) readPersona(key, inline, within(at, 'llm_config', 'personas', key), draft);
      }
      readDefaults(value, config, at, draft);
      if (isObject(value.orchestration)) readTeams(value.orchestration, within(at, 'orchestration'), draft);
      draft.noteLost(value, at, { kept: ownKeys });
    },
  },
};

const ownKeys = new Set(['llm_config', 'orchestration']);

function isPersona(value: JsonObject): boolean {
  const { prompts } = value;
  return (
    isObject(prompts) &&
    (typeof prompts.system === 'string' || Object.keys(prompts).length > 0) &&
    (value.provider !== undefined || value.model !== undefined) &&
    !isObject(value.llm)
  );
}

/** Where a persona may be: below the folder of the config, or below one that it names. */
function personaPaths(path: string, key: string): readonly string[] {
  const folders = /(?:^|\/)personas\//.test(path) ? ['.'] : ['personas', '../personas'];
  return folders.flatMap((folder) => ['yml', 'yaml', 'json'].map((ending) => `${folder}/${key}.${ending}`));
}

function personaKeys(value: JsonObject): readonly string[] {
  const config = isObject(value.llm_config) ? value.llm_config : {};
  const teams = isObject(value.orchestration) && isObject(value.orchestration.teams) ? Object.values(value.orchestration.teams) : [];
  const ofTasks = teams
    .flatMap((team) => (isObject(team) ? listOf(team.tasks) : []))
    .flatMap((task) => textField(task, 'persona_key') ?? []);
  // With settings of a persona directly below it, `personas` holds what all of them start from.
  const inline = isObject(config.personas) && !isBase(config.personas) ? Object.keys(config.personas) : [];
  return [...new Set([...ofTasks, ...inline])];
}

function objectAt(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function isBase(personas: JsonObject): boolean {
  return ['provider', 'model', 'temperature', 'prompts'].some((key) => Object.hasOwn(personas, key));
}

function readPersona(key: string, value: JsonObject, at: At, draft: Draft): void {
  const persona_key = draft.nameOf('persona', key, at);
  const { model, execution_plan, ...rest } = value;
  const isPlan = isObject(execution_plan)
    ? execution_plan.enabled !== false && Object.keys(execution_plan).length > 0
    : Array.isArray(execution_plan);
  if (isPlan)
    draft.note(
      within(at, 'execution_plan'),
      'The plan calls skills of a program, in another form. Write it as execution_plan (docs/plans.md), with tools of your own as skills.',
    );
  const { fields, from } = draft.fields(rest, 'persona', at, {
    model_params: null,
    extended_thinking: 'Give it in "options" of the llm profile, as its provider names it.',
    provider: null,
  });
  const tokens = isObject(value.model_params) ? value.model_params.max_tokens : undefined;
  if (fields.purpose_text !== undefined)
    draft.note(
      { ...at, pointer: from.purpose_text ?? at.pointer },
      'This prompt of the user side is purpose_text here. What it names in braces is not filled in: the input is sent below it, one line a key.',
    );
  const provider = textField(value, 'provider');
  draft.add(
    'persona',
    persona_key,
    {},
    {
      ...fields,
      ...(typeof model === 'string'
        ? draft.modelFields(provider === undefined || model.includes('/') ? model : `${provider}/${model}`, within(at, 'model'))
        : {}),
      ...(typeof tokens === 'number' && { max_output_tokens: tokens }),
    },
    at,
    from,
  );
}

/** What all agents start from, and the limits of all orchestrations. */
function readDefaults(value: JsonObject, config: JsonObject, at: At, draft: Draft): void {
  const base = isObject(config.personas) && isBase(config.personas) ? config.personas : undefined;
  const place = within(at, 'llm_config');
  const [provider, model] = [textField(config, 'default_provider'), textField(config, 'default_model')];
  const chosen =
    model === undefined
      ? {}
      : draft.modelFields(provider === undefined || model.includes('/') ? model : `${provider}/${model}`, within(place, 'default_model'));
  const ofBase: JsonObject =
    base === undefined
      ? {}
      : {
          ...(typeof base.temperature === 'number' && { temperature: base.temperature }),
          ...(isObject(base.model_params) &&
            typeof base.model_params.max_tokens === 'number' && { max_output_tokens: base.model_params.max_tokens }),
        };
  const limits = isObject(value.orchestration)
    ? Object.fromEntries(Object.entries(value.orchestration).filter(([key]) => limitNames.has(key)))
    : {};
  if (config.providers !== undefined)
    draft.note(
      within(place, 'providers'),
      'How a model is reached belongs in an llm profile: agent-stack new llm NAME --provider PROVIDER.',
    );
  if (config.agents !== undefined)
    draft.note(
      within(place, 'agents'),
      'Settings of single agents are left out. Write them into the personas of their tasks, or under "agents" of system.json.',
    );
  const system = {
    ...(Object.keys(chosen).length > 0 && { agent_defaults: chosen }),
    ...(Object.keys(ofBase).length > 0 && { persona_defaults: ofBase }),
    ...(Object.keys(limits).length > 0 && { orchestration: limits }),
  };
  if (Object.keys(system).length > 0) draft.add('system', 'system', {}, system, at);
}

const limitNames = new Set(['enabled', 'max_total_teams', 'max_recursion_depth']);

function readTeams(value: JsonObject, at: At, draft: Draft): void {
  const { entry_team, teams } = value;
  if (!isObject(teams)) return;
  draft.noteLost(value, at, { kept: new Set([...limitNames, 'entry_team', 'teams']) });
  const ids = new Map(Object.keys(teams).map((id) => [id, cleanPartName(id, 'team')]));
  const written: Record<string, Json> = {};
  for (const [id, team] of Object.entries(teams)) {
    const place = within(at, 'teams', id);
    const tasks = isObject(team) ? listOf(team.tasks).flatMap((task, index) => readTask(task, within(place, 'tasks', index), draft)) : [];
    if (!isObject(team) || tasks.length === 0) {
      draft.note(
        place,
        `The teams are left out: ${quoted(id)} has no task that can be imported. Write an orchestration of the personas (docs/orchestrations.md).`,
      );
      return;
    }
    draft.noteLost(team, place, { kept: teamKeys, of: 'a team' });
    written[ids.get(id) ?? id] = {
      name: textField(team, 'name') ?? id,
      ...(typeof team.max_recursion_depth === 'number' && { max_recursion_depth: team.max_recursion_depth }),
      tasks,
      routing: readRouting(team.routing, within(place, 'routing'), ids, draft),
    };
  }
  const name = draft.nameOf('orchestration', 'main', at);
  const orchestration = { entry_team: ids.get(String(entry_team)) ?? String(entry_team ?? Object.keys(written)[0]), teams: written };
  const kept = withoutUnknown({ name, ...orchestration }, (pointer, key) =>
    draft.note({ ...at, pointer: at.pointer + pointer }, `${quoted(key)} has no counterpart and is left out.`),
  );
  const [error] = validateKind('orchestration', kept);
  if (error !== undefined) {
    draft.note({ ...at, pointer: at.pointer + error.pointer }, `The teams are left out: ${error.pointer.slice(1)} ${error.message}.`);
    return;
  }
  draft.add('orchestration', name, { name }, kept, at);
}

/** An orchestration without the fields that its schema does not have. */
function withoutUnknown(value: JsonObject, note: (pointer: string, key: string) => void): JsonObject {
  const copy = structuredClone(value) as JsonObject;
  for (let count = 0; count < 1000; count++) {
    const unknown = validateKind('orchestration', copy).find(({ keyword }) => keyword === 'additionalProperties');
    const key = unknown?.params.additionalProperty;
    const around = unknown && valueAt(copy, unknown.pointer);
    if (unknown === undefined || typeof key !== 'string' || !isObject(around)) break;
    note(unknown.pointer, key);
    delete (around as Record<string, Json>)[key];
  }
  return copy;
}

const teamKeys = new Set(['name', 'max_recursion_depth', 'tasks', 'routing']);

function readTask(task: Json, at: At, draft: Draft): readonly JsonObject[] {
  const name = textField(task, 'name');
  if (!isObject(task) || name === undefined) return [];
  const persona = textField(task, 'persona_key');
  if (task.agent_class !== undefined)
    draft.note(
      within(at, 'agent_class'),
      `agent_class names Python code, which no task may. ${persona === undefined ? 'The task is left out: give it a persona_key in the source, with what the class does.' : 'The task runs its persona.'}`,
    );
  if (persona === undefined) return [];
  for (const key of Object.keys(task)) {
    if (key === 'requires_approval' && task[key] === true)
      draft.note(
        within(at, key),
        'A run does not pause for approval before a task. End the run with this team ("next_team": null), and start the next orchestration yourself.',
      );
    else if (!taskKeys.has(key)) draft.note(within(at, key), `${quoted(key)} of a task has no counterpart and is left out.`);
  }
  const agent_type =
    agentTypes.get(String(task.agent_type)) ??
    (['single_shot', 'react', 'orchestrating'].includes(String(task.agent_type)) ? String(task.agent_type) : undefined);
  const own = isObject(task.config) ? draft.fields(task.config, 'persona', within(at, 'config')).fields : {};
  const config = { ...own, ...(typeof task.max_retries === 'number' && { retry_attempts: task.max_retries + 1 }) };
  return [
    {
      name: cleanPartName(name, 'task'),
      ...(agent_type !== undefined && { agent_type }),
      persona_key: draft.nameOf('persona', persona, within(at, 'persona_key')),
      ...(Object.keys(config).length > 0 && { config }),
    },
  ];
}

const taskKeys = new Set(['name', 'agent_type', 'persona_key', 'config', 'max_retries', 'requires_approval', 'agent_class']);

const agentTypes: ReadonlyMap<string, string> = new Map([
  ['generic_single_shot', 'single_shot'],
  ['generic_orchestrating', 'orchestrating'],
  ['generic_orchestrator', 'orchestrating'],
]);

/** Routing has the same form here; only names of teams and tasks are made legal. */
function readRouting(routing: Json | undefined, at: At, ids: ReadonlyMap<string, string>, draft: Draft): JsonObject {
  if (!isObject(routing)) return { default: null };
  const toTeam = (team: Json | undefined): Json => (typeof team === 'string' ? (ids.get(team) ?? team) : (team ?? null));
  draft.noteLost(routing, at, { kept: new Set(['rules', 'default']), of: 'a routing' });
  const rules = listOf(routing.rules).map((rule) =>
    isObject(rule) ? { ...rule, condition: inTaskNames(rule.condition ?? null), next_team: toTeam(rule.next_team) } : rule,
  );
  return {
    ...(rules.length > 0 && { rules }),
    ...(routing.default !== undefined || rules.length === 0 ? { default: toTeam(routing.default) } : {}),
  };
}

function inTaskNames(condition: Json): Json {
  if (Array.isArray(condition)) return condition.map((part: Json) => inTaskNames(part));
  if (!isObject(condition)) return condition;
  return typeof condition.task === 'string' ? { ...condition, task: cleanPartName(condition.task, 'task') } : condition;
}
