/** The source of a tool. */
export type ToolOrigin =
  | { readonly type: 'built-in' }
  /** From an embedder. */
  | { readonly type: 'skill' }
  /** `name` is the server's name for it. */
  | { readonly type: 'mcp'; readonly client_id: string; readonly name: string };

/** An offered tool: `name` is its source's name for it. */
export interface OfferedTool {
  readonly name: string;
  readonly origin: ToolOrigin;
}

/** The two lists of an agent's config. */
export interface ToolFilter {
  readonly enabled_tools?: readonly string[] | undefined;
  readonly exclude_components?: readonly string[] | undefined;
}

export interface ChosenTool<T extends OfferedTool> {
  /** What the model calls it: `[a-zA-Z0-9_-]{1,64}`, unique among the chosen. */
  readonly name: string;
  readonly tool: T;
}

export interface ToolChoice<T extends OfferedTool> {
  /** In the order they were offered. */
  readonly chosen: readonly ChosenTool<T>[];
  /** Entries of the two lists that match no offered tool, in their order. */
  readonly unknown: { readonly enabled_tools: readonly string[]; readonly exclude_components: readonly string[] };
}

/**
 * Which of the offered tools an agent has, and their names. Without `enabled_tools`: all tools of its servers, but no built-in tool and
 * no skill. With it: exactly the named ones. `exclude_components` removes tools. A name that several sources offer gets its server's id in
 * front, `{client_id}_{name}`; in the lists both forms are accepted, and a bare name means every tool that has it. A skill replaces
 * a built-in tool of its name. Names do not depend on the order of the offered tools.
 *
 * @param offered the tools of the agent's servers, all built-in tools and all skills
 */
export function chooseTools<T extends OfferedTool>(offered: readonly T[], filter: ToolFilter): ToolChoice<T> {
  const { enabled_tools, exclude_components = [] } = filter;
  const candidates = nameTools(enabled_tools === undefined ? offered.filter(isOfServer) : withoutReplaced(offered));
  const enabled = enabled_tools && matching(enabled_tools, candidates);
  const excluded = matching(exclude_components, candidates);
  const chosen = candidates.filter(({ tool }) => (enabled === undefined || enabled.found.has(tool)) && !excluded.found.has(tool));
  return { chosen, unknown: { enabled_tools: enabled?.unmatched ?? [], exclude_components: excluded.unmatched } };
}

/** Every name by which the lists of a config may refer to a tool; the first is the one the model uses. */
export function namesOf({ name, tool: { name: bare, origin } }: ChosenTool<OfferedTool>): readonly string[] {
  return origin.type === 'mcp' ? [...new Set([name, bare, prefixed(bare, origin.client_id)])] : [bare];
}

function matching<T extends OfferedTool>(entries: readonly string[], candidates: readonly ChosenTool<T>[]) {
  const matches = new Set<T>();
  const unmatched: string[] = [];
  if (entries.length === 0) return { found: matches, unmatched };
  const byName = new Map<string, T[]>();
  for (const candidate of candidates) {
    for (const name of namesOf(candidate)) byName.set(name, [...(byName.get(name) ?? []), candidate.tool]);
  }
  for (const entry of entries) {
    const tools = byName.get(entry);
    if (tools) for (const tool of tools) matches.add(tool);
    else unmatched.push(entry);
  }
  return { found: matches, unmatched };
}

function nameTools<T extends OfferedTool>(tools: readonly T[]): readonly ChosenTool<T>[] {
  const offers = countBy(tools, ({ name }) => fitting(name));
  const first = tools.map((tool) => {
    const { name, origin } = tool;
    const isShared = origin.type === 'mcp' && (offers.get(fitting(name)) ?? 0) > 1;
    return { tool, name: fitting(isShared ? prefixed(name, origin.client_id) : name) };
  });
  const uses = countBy(first, ({ name }) => name);
  const uniqueNames = new Set(first.filter(({ name }) => uses.get(name) === 1).map(({ name }) => name));
  return first.map(({ tool, name }) => {
    const { origin } = tool;
    if (uses.get(name) === 1 || (origin.type !== 'mcp' && !uniqueNames.has(name))) {
      uniqueNames.add(name);
      return { tool, name };
    }
    // Different names that became the same when they were made valid.
    const whole = origin.type === 'mcp' ? `${origin.client_id}/${origin.name}` : tool.name;
    let unique = cut(name, whole);
    for (let number = 2; uniqueNames.has(unique); number += 1) unique = cut(name, `${whole}/${number}`);
    uniqueNames.add(unique);
    return { tool, name: unique };
  });
}

function withoutReplaced<T extends OfferedTool>(offered: readonly T[]): readonly T[] {
  const skills = new Set(offered.filter(({ origin }) => origin.type === 'skill').map(({ name }) => name));
  return skills.size === 0 ? offered : offered.filter(({ name, origin }) => origin.type !== 'built-in' || !skills.has(name));
}

function isOfServer({ origin }: OfferedTool): boolean {
  return origin.type === 'mcp';
}

function prefixed(name: string, client_id: string): string {
  return `${client_id}_${name}`;
}

const longest = 64;

/** The name in characters and a length that every provider accepts. */
function fitting(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/gu, '_');
  if (plain === '') return '_';
  return plain.length <= longest ? plain : cut(plain, name);
}

function cut(plain: string, whole: string): string {
  return `${plain.slice(0, longest - 9)}_${hash(whole)}`;
}

/** FNV-1a, 32 bits, as eight hexadecimal digits: it distinguishes names, but is not cryptographic. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
}

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
