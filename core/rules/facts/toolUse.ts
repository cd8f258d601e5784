import type { ConfigFile } from '../../config/configFile.js';
import { type KnownTool, type KnownTools, knownTools, serverOf } from '../../config/knownTools.js';
import { chooseTools, type ToolChoice } from '../../config/toolChoice.js';
import { isObject, type Json } from '../../json.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { findSetting, type Layers, layersOf, type Setting } from './layers.js';

/** A name in a list of an agent, and its place. */
export interface NamedEntry {
  readonly name: string;
  /** With the pointer of the entry. */
  readonly setting: Setting;
}

/** The tools of an agent that reasons in a loop, if they are written without `${VAR}`. */
export interface ToolUse {
  readonly servers: readonly NamedEntry[];
  /** Undefined without the list. */
  readonly enabled: readonly NamedEntry[] | undefined;
  readonly excluded: readonly NamedEntry[];
  readonly known: KnownTools;
  readonly choice: ToolChoice<KnownTool>;
  /** Whether all names are known: the tools of all servers are pinned, and no prompt or resource can be named. */
  readonly isWhole: boolean;
}

/** Undefined for agents of other types, which have no tools, and for agents that name no tools. */
export const findToolUse = forLastFile((file: ConfigFile, context: RuleContext) => {
  const stack = layersOf(file, context);
  return stack && toolUseIn(stack, context);
});

/** The same for an agent or a task with these layers. */
export function toolUseIn(stack: Layers, context: RuleContext): ToolUse | undefined {
  if (findSetting(stack, 'agent_type')?.value !== 'react') return undefined;
  const servers = entriesOf(findSetting(stack, 'client_ids'));
  const enabled = entriesOf(findSetting(stack, 'enabled_tools'));
  if (servers === undefined && enabled === undefined) return undefined;
  const excluded = entriesOf(findSetting(stack, 'exclude_components')) ?? [];
  const all = [...(servers ?? []), ...(enabled ?? []), ...excluded];
  if (all.some(({ name }) => name.includes('${'))) return undefined;
  const ids = (servers ?? []).map(({ name }) => name);
  const { project } = context;
  const available = knownTools(project, ids);
  const filter = { enabled_tools: enabled?.map(({ name }) => name), exclude_components: excluded.map(({ name }) => name) };
  const choice = chooseTools(available.tools, filter);
  const hasOthers = choice.chosen.some(({ name, tool }) => tool.origin.type === 'built-in' && reachesOthers.has(name));
  const isWhole = available.isWhole && !hasOthers && ids.every((id) => serverOf(project, id) !== undefined);
  return { servers: servers ?? [], enabled, excluded, known: available, choice, isWhole };
}

/** The built-in tools through which a model reaches prompts and resources of servers, which the lists may name and no lock holds. */
const reachesOthers: ReadonlySet<string> = new Set(['list_resources', 'read_resource', 'get_prompt']);

function entriesOf(setting: Setting | undefined): readonly NamedEntry[] | undefined {
  if (setting === undefined || !Array.isArray(setting.value)) return undefined;
  return (setting.value as readonly Json[]).flatMap((name, index) =>
    typeof name === 'string' ? [{ name, setting: { ...setting, value: name, pointer: `${setting.pointer}/${index}` } }] : [],
  );
}

/** The steps of an agent's plan that name a skill. */
export function skillSteps(file: ConfigFile, context: RuleContext): readonly NamedEntry[] {
  const stack = layersOf(file, context);
  const plan = stack && findSetting(stack, 'execution_plan');
  if (plan === undefined || !isObject(plan.value) || !Array.isArray(plan.value.steps)) return [];
  return (plan.value.steps as readonly Json[]).flatMap((step, index) => {
    if (!isObject(step) || typeof step.skill !== 'string' || step.skill.includes('${')) return [];
    return [{ name: step.skill, setting: { ...plan, value: step.skill, pointer: `${plan.pointer}/steps/${index}/skill` } }];
  });
}
