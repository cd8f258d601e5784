import { CompletionItemKind } from 'vscode-languageserver';
import { splitAgentReference } from '../../core/config/agentReference.js';
import { isObject, listOf } from '../../core/json.js';
import type { Kind } from '../../core/kinds.js';
import { toolId } from '../../core/permits/subject.js';
import { judgeFitness } from '../../core/rules/judgeUnfit.js';
import type { Path } from '../jsonTree.js';
import { isPolicy, isToolName, textsIn, toolOwner, toolsFor } from '../names/toolAt.js';
import type { SchemaPlace } from '../schemaDocs.js';
import { partValues } from './conditions.js';
import { json } from './draft.js';
import type { Spot } from './spot.js';
import type { Suggestion } from './suggestion.js';
import { toolSuggestion } from './toolSuggestion.js';

/** Names of files, servers, teams and tasks; undefined where the value at the cursor is not such a name. */
export function referenceValues(spot: Spot, places: readonly SchemaPlace[]): readonly Suggestion[] | undefined {
  if (places.length === 0) return undefined;
  const { path, kind } = spot;
  const key = path.findLast((segment) => typeof segment === 'string');
  const isItem = typeof path.at(-1) === 'number';
  switch (key) {
    case 'persona_key':
      // No persona is layered under a persona.
      return kind === 'persona' || path[0] === 'persona_defaults' ? [] : idsOf(spot, 'persona');
    case 'llm_config_id':
      return idsOf(spot, 'llm');
    case 'from':
    case 'to':
      return kind === 'system' && isPolicy(path) ? policyTools(spot) : undefined;
    case 'only_after_approval':
    case 'may_not':
      return kind === 'system' && isPolicy(path) && isItem ? notListed(spot, policyTools(spot)) : undefined;
    case 'client_ids':
      return isItem ? notListed(spot, serverValues(spot)) : undefined;
    case 'enabled_tools':
    case 'exclude_components':
      return isItem ? notListed(spot, toolValues(spot)) : undefined;
    case 'skill':
      return isToolName(path) ? toolValues(spot) : undefined;
    case 'system_prompt':
      return idsOf(spot, 'prompt');
    case 'system_prompt_version':
      return promptVersions(spot);
    case 'environment':
      return kind === 'settings' ? environmentValues(spot) : undefined;
    case 'agent':
      return agentValues(spot);
    case 'judge':
      return judgeValues(spot);
    case 'case':
    case 'version':
    case 'llm':
      return kind === 'baseline' ? verdictValues(spot, key) : undefined;
    case 'entry_team':
    case 'next_team':
      return teamValues(spot);
    case 'default':
      return places.some(({ definition }) => definition === 'next_team') ? teamValues(spot) : undefined;
    case 'depends_on':
      return isItem ? notListed(spot, partValues(spot)) : undefined;
    case 'task':
    case 'step':
      return partValues(spot);
    default:
      return undefined;
  }
}

function idsOf(spot: Spot, kind: Kind): readonly Suggestion[] {
  return [...spot.project.index.ids(kind).keys()].map((id) => reference(kind, id));
}

function reference(kind: Kind, id: string, rank = 1, label = id): Suggestion {
  return {
    type: 'value',
    label: label,
    value: json(label),
    kind: kind === 'agent' ? CompletionItemKind.Class : CompletionItemKind.Reference,
    detail: kind,
    docs: { type: 'reference', kind, id },
    rank,
  };
}

/** Agents with their versions, the newest first, then names alone, which mean the newest version. */
function agentValues(spot: Spot): readonly Suggestion[] {
  const { index } = spot.project;
  const names = new Set<string>();
  const ownId = spot.kind === 'agent' ? spot.identity.id : undefined;
  for (const id of index.ids('agent').keys()) names.add(id.slice(0, id.lastIndexOf('@')));
  const versions = [...names].flatMap((name) => [...index.versions(name)].reverse().map((version) => `${name}@${version}`));
  return [
    ...versions.filter((id) => id !== ownId).map((id) => reference('agent', id)),
    ...[...names].map(
      (name): Suggestion => ({
        ...reference('agent', name, 3),
        detail: `newest: ${index.versions(name).at(-1)}`,
        commit: ['@'],
      }),
    ),
  ];
}

/** Agents but the one that is judged, those first whose answer has a field of listed values; then those that cannot judge. */
function judgeValues(spot: Spot): readonly Suggestion[] {
  const { index, ruleContext } = spot.project;
  const ranks = { choosing: 0, free: 1, unfit: 4 };
  return agentValues(spot).flatMap((suggestion): readonly Suggestion[] => {
    const { name } = splitAgentReference(suggestion.label);
    if (name === spot.identity.agent) return [];
    const id = suggestion.label === name ? `${name}@${index.versions(name).at(-1)}` : suggestion.label;
    const judge = spot.project.documentAt(index.ids('agent').get(id) ?? '')?.config;
    const fitness = judge === undefined ? 'free' : judgeFitness(judge, ruleContext);
    return [{ ...suggestion, rank: suggestion.rank + ranks[fitness], ...(fitness === 'unfit' && { detail: 'cannot judge' }) }];
  });
}

/** Cases, versions and profiles that a verdict may be about. */
function verdictValues(spot: Spot, key: 'case' | 'version' | 'llm'): readonly Suggestion[] {
  const { index } = spot.project;
  const { name } = spot.identity;
  if (key === 'llm') return idsOf(spot, 'llm');
  if (key === 'version')
    return [...index.versions(name)].reverse().map((version, at) => reference('agent', `${name}@${version}`, at, version));
  return [...index.ids('payload')]
    .filter(([id]) => id.startsWith(`${name}/`))
    .flatMap(([id]) => [...(index.cases(id) ?? [])])
    .map((label) => ({ type: 'value', label, value: json(label), kind: CompletionItemKind.Reference, detail: 'case', rank: 1 }));
}

function promptVersions(spot: Spot): readonly Suggestion[] {
  const names = spot.kind === 'agent' ? [spot.identity.name] : systemAgent(spot);
  return [...spot.project.index.ids('prompt').keys()].flatMap((id): Suggestion[] => {
    const at = id.lastIndexOf('@');
    if (names !== undefined && !names.includes(id.slice(0, at))) return [];
    const version = id.slice(at + 1);
    return [{ ...reference('prompt', id, 1, version), detail: id }];
  });
}

/** The agents that a prompt version belongs to: one below `agents` of a system file, otherwise any agent, given as undefined. */
function systemAgent({ kind, path }: Spot): readonly string[] | undefined {
  return kind === 'system' && path[0] === 'agents' ? [String(path[1])] : undefined;
}

function serverValues(spot: Spot): readonly Suggestion[] {
  const servers = spot.project.index.value('mcp', 'mcp')?.servers;
  return (isObject(servers) ? Object.keys(servers) : []).map(
    (id): Suggestion => ({
      type: 'value',
      label: id,
      value: json(id),
      kind: CompletionItemKind.Reference,
      detail: 'MCP server',
      docs: { type: 'reference', kind: 'mcp', id },
      rank: 1,
    }),
  );
}

/** The tools that a list may name. An agent whose `client_ids` are neither beside the list nor in its persona has no servers. */
function toolValues(spot: Spot): readonly Suggestion[] {
  const owner = toolOwner(spot.path);
  const ids = textsIn(spot.valueAt([...owner, 'client_ids'])) ?? personaServers(spot, owner);
  return toolsFor(spot.project, ids ?? (spot.kind === 'agent' ? [] : undefined)).map(({ names: [name = ''], tool }) =>
    toolSuggestion(name, tool, ids ?? null),
  );
}

/** The tools of all servers, all tools of one, and own tools. */
function policyTools({ project }: Spot): readonly Suggestion[] {
  const tools = toolsFor(project, undefined);
  const servers = [...new Set(tools.flatMap(({ tool: { origin } }) => (origin.type === 'mcp' ? [origin.client_id] : [])))];
  return [
    ...tools.map(({ names: [name = ''], tool }) => toolSuggestion(name, tool, null, toolId(tool))),
    ...servers.map(
      (id): Suggestion => ({
        type: 'value',
        label: `${id}/*`,
        value: json(`${id}/*`),
        kind: CompletionItemKind.Function,
        detail: `every tool of ${id}`,
        docs: { type: 'reference', kind: 'mcp', id },
        rank: 3,
      }),
    ),
  ];
}

function personaServers(spot: Spot, owner: Path): readonly string[] | undefined {
  const key = spot.valueAt([...owner, 'persona_key']);
  return typeof key === 'string' ? textsIn(spot.project.index.value('persona', key)?.client_ids) : undefined;
}

function environmentValues(spot: Spot): readonly Suggestion[] {
  const ids = [...spot.project.index.ids('system').keys()].filter((id) => id !== 'system');
  const names = ids.map((id) => (id.startsWith('environments/') ? id.slice('environments/'.length) : id));
  return names.map((name) => ({ type: 'value', label: name, value: json(name), kind: CompletionItemKind.Reference, rank: 1 }));
}

function teamValues(spot: Spot): readonly Suggestion[] {
  const teams = spot.valueAt(['teams']);
  const names: Suggestion[] = (isObject(teams) ? Object.entries(teams) : []).map(
    ([id, team]): Suggestion => ({
      type: 'value',
      label: id,
      value: json(id),
      kind: CompletionItemKind.Reference,
      detail: isObject(team) && typeof team.name === 'string' ? team.name : 'team',
      rank: 1,
    }),
  );
  if (spot.path.at(-1) === 'entry_team') return names;
  return [...names, { type: 'value', label: 'null', value: json(null), kind: CompletionItemKind.Keyword, detail: 'ends the run', rank: 2 }];
}

/** Leaves out the items that the list has already, except for the one at the cursor. */
export function notListed(spot: Spot, suggestions: readonly Suggestion[]): readonly Suggestion[] {
  const index = spot.path.at(-1);
  const others = listOf(spot.valueAt(spot.path.slice(0, -1))).filter(
    (_item, at) => at !== index || spot.cursor.token.start === spot.cursor.token.end,
  );
  return suggestions.filter(({ label }) => !others.includes(label));
}
