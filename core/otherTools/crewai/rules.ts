import { isObject, type Json, type JsonObject, listOf, pointerOf } from '../../json.js';
import { didYouMean, nearestAmong, nearestNames, suggest } from '../../names.js';
import { listed, quoted } from '../../words.js';
import { filesByPath, textsAt } from '../facts.js';
import type { ToolFile, ToolRule } from '../toolFiles.js';
import { textField } from '../values.js';
import { agentNamesBeside, agentPaths, agentsNamed, inFolder, isFile, toolsOf } from './files.js';

const loader = {
  address: 'https://github.com/crewAIInc/crewAI/blob/main/lib/crewai/src/crewai/project/json_loader.py',
  date: '2026-11-27',
};

const agentMissing: ToolRule = {
  code: 'crewai/agent-missing',
  tool: 'crewai',
  severity: 'error',
  source: loader,
  check(file, inventory, report) {
    if (!isFile(file, 'crew')) return;
    for (const { name, pointer } of agentsNamed(file.source.value)) {
      const paths = agentPaths(name).map((path) => inFolder(file.folder, path));
      if (paths.some((path) => inventory.exists(path) !== false)) continue;
      report({
        pointer,
        message: `CrewAI does not load this crew: the agent ${quoted(name)} has no file ${paths[0]} (nor .json). Add it, or correct the name.`,
      });
    }
  },
};

interface WrittenTask {
  readonly task: JsonObject;
  readonly pointer: string;
}

/** The tasks of a crew, or of a list of tasks. */
function tasksOf(file: ToolFile): readonly WrittenTask[] {
  const value = file.source?.value;
  if (!isObject(value)) return [];
  const entries = isFile(file, 'crew')
    ? listOf(value.tasks).map((task, index) => [pointerOf('tasks', index), task] as const)
    : isFile(file, 'tasks')
      ? Object.entries(value).map(([name, task]) => [pointerOf(name), task] as const)
      : [];
  return entries.flatMap(([pointer, task]) => (isObject(task) ? [{ task, pointer }] : []));
}

const unknownAgent: ToolRule = {
  code: 'crewai/unknown-agent',
  tool: 'crewai',
  severity: 'error',
  source: loader,
  check(file, inventory, report) {
    const isCrew = isFile(file, 'crew');
    const names = isCrew ? agentsNamed(file.source.value).map(({ name }) => name) : agentNamesBeside(file, filesByPath(inventory));
    for (const { task, pointer } of tasksOf(file)) {
      const agent = textField(task, 'agent');
      if (agent === undefined || names.includes(agent)) continue;
      const near = nearestNames(agent, names, 1);
      if (isCrew)
        report({
          pointer: `${pointer}/agent`,
          message: `CrewAI does not load this crew: ${quoted(agent)} is not one of its "agents".${suggest(near, names)}`,
        });
      // A method of crew.py may be called so.
      else if (near.length > 0)
        report({
          pointer: `${pointer}/agent`,
          severity: 'warning',
          message: `No agent of agents.yaml is called ${quoted(agent)}.${didYouMean(near)} CrewAI loads no task whose agent is not a method of crew.py.`,
        });
    }
  },
};

const unknownTask: ToolRule = {
  code: 'crewai/unknown-task',
  tool: 'crewai',
  severity: 'error',
  source: loader,
  check(file, _inventory, report) {
    const tasks = tasksOf(file);
    const isCrew = isFile(file, 'crew');
    const names = isCrew
      ? tasks.map(({ task }) => textField(task, 'name'))
      : Object.keys(isObject(file.source.value) ? file.source.value : {});
    const known = names.filter((name) => name !== undefined);
    for (const [index, { task, pointer }] of tasks.entries())
      for (const { name, pointer: at } of textsAt(task, '/context')) {
        if ((isCrew ? names.slice(0, index) : names).includes(name)) continue;
        const near = nearestNames(name, known, 1);
        if (isCrew)
          report({
            pointer: pointer + at,
            message: `CrewAI does not load this crew: no task before this one is called ${quoted(name)}.${known.includes(name) ? ' Move that task before this one.' : suggest(near, known)}`,
          });
        else if (near.length > 0)
          report({
            pointer: pointer + at,
            severity: 'warning',
            message: `No task of this file is called ${quoted(name)}.${didYouMean(near)} CrewAI loads no task whose context is not a method of crew.py.`,
          });
      }
  },
};

function missingIn(value: JsonObject, keys: readonly string[]): readonly string[] {
  return keys.filter((key) => value[key] === undefined || value[key] === null);
}

const agentFields = ['role', 'goal', 'backstory'];
const taskFields = ['description', 'expected_output'];

const incomplete: ToolRule = {
  code: 'crewai/incomplete',
  tool: 'crewai',
  severity: 'error',
  source: loader,
  check(file, _inventory, report) {
    const { value } = file.source;
    if (!isObject(value)) return;
    const tell = (pointer: string, what: string, missing: readonly string[], isSure = true) => {
      if (missing.length > 0)
        report({
          pointer,
          ...(!isSure && { severity: 'warning' as const }),
          message: isSure
            ? `CrewAI does not load this crew: ${what} has no ${listed(missing)}. Add what is missing.`
            : `${what} has no ${listed(missing)}, which CrewAI refuses unless crew.py gives it. Add what is missing.`,
        });
    };
    if (isFile(file, 'agent') && !value.from_repository) tell('', 'this agent', missingIn(value, agentFields));
    if (isFile(file, 'agents'))
      for (const [name, entry] of Object.entries(value))
        if (isObject(entry) && missingIn(entry, agentFields).length < agentFields.length && !entry.from_repository)
          tell(pointerOf(name), `The agent ${quoted(name)}`, missingIn(entry, agentFields), false);
    const isCrew = isFile(file, 'crew');
    for (const { task, pointer } of tasksOf(file)) {
      const isTask = isCrew || missingIn(task, taskFields).length < taskFields.length;
      if (isTask) tell(pointer, isCrew ? 'this task' : 'This task', missingIn(task, taskFields), isCrew);
    }
    if (!isCrew) return;
    if (listOf(value.agents).length === 0) tell('/agents', 'it', ['agents']);
    if (value.process === 'hierarchical' && !value.manager_llm && !value.manager_agent)
      report({
        pointer: '/process',
        message: 'CrewAI does not load this crew: with "hierarchical" it needs a manager. Give it a "manager_llm" or a "manager_agent".',
      });
    if (value.process === undefined || value.process === 'sequential')
      for (const { task, pointer } of tasksOf(file)) if (!isObject(task.type)) tell(pointer, 'this task', missingIn(task, ['agent']));
  },
};

const toolMissing: ToolRule = {
  code: 'crewai/tool-missing',
  tool: 'crewai',
  severity: 'error',
  source: loader,
  check(file, inventory, report) {
    for (const { name, pointer, path } of isFile(file, 'crew') || isFile(file, 'agent') ? toolsOf(file.source.value) : [])
      if (inventory.exists(inFolder(file.folder, path)) === false)
        report({
          pointer,
          message: `CrewAI does not load this crew: the tool ${quoted(name)} has no file ${inFolder(file.folder, path)}. Add it, or remove the tool.`,
        });
  },
};

/** The fields of version 1.15. A field that is like none of them may be of a newer one. */
const fields = {
  agent: words(
    'role goal backstory type settings config cache verbose max_rpm allow_delegation tools max_iter llm max_tokens knowledge_sources',
    'security_config checkpoint callbacks knowledge_config apps mcps memory skills max_execution_time step_callback use_system_prompt',
    'function_calling_llm system_template prompt_template response_template allow_code_execution respect_context_window max_retry_limit',
    'multimodal inject_date date_format code_execution_mode planning_config planning reasoning max_reasoning_attempts embedder',
    'from_repository guardrail guardrail_max_retries agent_executor executor_class tool_failure_policy',
  ),
  task: words(
    'name description expected_output type config callback agent context async_execution output_json output_pydantic response_model',
    'output_file create_directory tools input_files security_config human_input markdown converter_cls guardrail guardrails max_retries',
    'guardrail_max_retries tool_failure_policy allow_crewai_trigger_context condition prompt_context',
  ),
  crew: words(
    'name agents tasks process inputs cache verbose memory embedder manager_llm manager_agent function_calling_llm config share_crew',
    'step_callback task_callback before_kickoff_callbacks after_kickoff_callbacks stream max_rpm prompt_file trained_agents_file',
    'output_log_file planning planning_llm knowledge_sources chat_llm skills security_config checkpoint tracing tool_failure_policy',
  ),
} as const;

function words(...lines: readonly string[]): { readonly all: ReadonlySet<string>; readonly nearest: ReturnType<typeof nearestAmong> } {
  const all = lines.flatMap((line) => line.split(' '));
  return { all: new Set(all), nearest: nearestAmong(all) };
}

const unknownField: ToolRule = {
  code: 'crewai/unknown-field',
  tool: 'crewai',
  severity: 'warning',
  source: loader,
  check(file, _inventory, report) {
    const { value } = file.source;
    const tell = (object: Json | undefined, around: string, of: keyof typeof fields) => {
      for (const key of isObject(object) && !isObject(object.type) ? Object.keys(object) : []) {
        const near = fields[of].all.has(key) ? [] : fields[of].nearest(key, 1);
        if (near.length > 0)
          report({
            pointer: around + pointerOf(key),
            target: 'key',
            message: `CrewAI knows no field ${quoted(key)} of ${of === 'agent' ? 'an' : 'a'} ${of}, and does not load a crew with one.${didYouMean(near)}`,
          });
      }
    };
    if (isFile(file, 'agent')) {
      tell(value, '', 'agent');
      tell(isObject(value) ? value.settings : undefined, '/settings', 'agent');
    }
    if (!isFile(file, 'crew')) return;
    tell(value, '', 'crew');
    for (const { task, pointer } of tasksOf(file)) tell(task, pointer, 'task');
  },
};

export const rules: readonly ToolRule[] = [agentMissing, unknownAgent, unknownTask, incomplete, toolMissing, unknownField];
