import { findAgent } from '../../config/agentReference.js';
import type { ConfigFile } from '../../config/configFile.js';
import type { RelatedPlace } from '../../finding.js';
import { isObject, type JsonObject, pointerOf, valueAt } from '../../json.js';
import { type FlowChange, smallestChanges } from '../../permits/changes.js';
import { changeWords, flowAt } from '../../permits/permitWords.js';
import { type Offence, sourcesOf } from '../../permits/prove.js';
import type { PermittedAgent, SubjectTool } from '../../permits/subject.js';
import { createOriginLookup } from '../../prompt/promptText.js';
import type { RuleContext } from '../rule.js';
import type { Permits } from './permits.js';

/** An edit that ends a flow. `tools` are for its title. */
export type FlowEdit =
  /** Adds to a list of the policy. */
  | { readonly type: 'approve'; readonly file: string; readonly tools: readonly string[] }
  /** Removes entries of `enabled_tools`. */
  | {
      readonly type: 'remove';
      readonly file: string;
      readonly pointers: readonly string[];
      readonly tools: readonly string[];
      readonly agent: string;
    }
  /** Adds `names` to `exclude_components` at `pointer`; `all` is the list where there is none. */
  | {
      readonly type: 'exclude';
      readonly file: string;
      readonly pointer: string;
      readonly names: readonly string[];
      readonly all: readonly string[];
      readonly tools: readonly string[];
      readonly agent: string;
    };

/** What ends the flows to some tools that one place brings: the edits, the smallest first, and what only the author can do. */
export interface FlowRemedy {
  readonly edits: readonly FlowEdit[];
  /** `hold text of Reader to an enum`, with the place of that field. */
  readonly byHand: { readonly words: string; readonly related: readonly RelatedPlace[] } | undefined;
}

export function remedyOf(
  file: ConfigFile,
  permits: Permits,
  assertion: string,
  offences: readonly [Offence, ...Offence[]],
  context: RuleContext,
): FlowRemedy {
  const { graph, layered, subject } = permits;
  const flow = flowAt(layered.policy, assertion);
  const [first] = offences;
  const changes: readonly FlowChange[] =
    flow === undefined ? [] : smallestChanges(graph, new Set(sourcesOf(graph, flow.from, first.isSure)), first);
  const contract = changes.find((change) => change.type === 'contract');
  const agentOf = (instance: string) => subject.agents.get(instance)?.config.agent_name ?? instance;
  const byHand = contract && { words: changeWords(contract, agentOf), related: fieldPlace(permits, contract) };
  const approved = first.isApprovable ? layered.origins.get(assertion)?.file : undefined;
  const sinks = offences.flatMap(({ tool }) => (tool.instance === first.tool.instance ? [tool] : []));
  const sources = changes.flatMap((change) => (change.type === 'drop' && change.tool.id !== first.tool.id ? [change.tool] : []));
  return {
    byHand,
    edits: [
      ...(approved ? [{ type: 'approve', file: approved, tools: [...new Set(sinks.map(({ id }) => id))] } as const] : []),
      ...[sources, sinks].flatMap((tools) => dropEdit(file, permits, tools, context) ?? []),
    ],
  };
}

function fieldPlace({ subject }: Permits, { instance, path }: Extract<FlowChange, { type: 'contract' }>): readonly RelatedPlace[] {
  const agent = subject.agents.get(instance);
  const schema = agent?.config.output_schema;
  if (agent === undefined || !isObject(schema)) return [];
  let at = '';
  for (const segment of path) {
    const inner = at + pointerOf('properties', segment);
    if (valueAt(schema as JsonObject, inner) === undefined) break;
    at = inner;
  }
  const { file, pointer } = createOriginLookup(agent.origins)(`/output_schema${at}`);
  return file === null ? [] : [{ file, pointer, target: 'key', message: 'Held to an enum, this ends the flow.' }];
}

/** Takes tools from the agent that has them, in its own file or in the task; undefined where another layer or a step of a plan brings them. */
function dropEdit(file: ConfigFile, { subject }: Permits, tools: readonly SubjectTool[], { project }: RuleContext): FlowEdit | undefined {
  const [first] = tools;
  const agent = first && subject.agents.get(first.instance);
  const place = first?.place;
  if (first === undefined || agent === undefined || place === undefined || tools.some(({ open }) => open !== undefined)) return undefined;
  const { agent_name, version, exclude_components: excluded = [] } = agent.config;
  const own = findAgent(project, `${agent_name}@${version}`)?.path;
  const isTask = place.file === file.path && file.identity.kind === 'orchestration';
  const target = isTask ? file.path : own;
  if (target === undefined || place.pointer.endsWith('/skill')) return undefined;
  const common = { tools: [...new Set(tools.map(({ id }) => id))], agent: agent_name };
  if (place.file === target && place.pointer.includes('/enabled_tools/'))
    return { type: 'remove', file: target, pointers: [...new Set(tools.flatMap((tool) => tool.place?.pointer ?? []))], ...common };
  const names = [...new Set(tools.map(({ name }) => name))];
  const list = listPlace(agent, target, isTask ? place.pointer.replace(/\/[^/]+\/\d+$/, '') : '');
  return { type: 'exclude', ...list, names, all: [...excluded, ...names], ...common };
}

/** Where the list that counts can grow: where it is written, else in the target. */
function listPlace({ config, origins }: PermittedAgent, target: string, at: string): { readonly file: string; readonly pointer: string } {
  const { file, pointer } = createOriginLookup(origins)('/exclude_components');
  return (config.exclude_components ?? []).length > 0 && file === target
    ? { file, pointer }
    : { file: target, pointer: `${at}/exclude_components` };
}
