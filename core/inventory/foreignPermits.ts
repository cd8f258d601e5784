import type { AnyFinding } from '../finding.js';
import { positionsIn } from '../jsonText/textPositions.js';
import { otherTools, toolRules } from '../otherTools/index.js';
import type { AgentPermits, RulePlace, Verdict } from '../otherTools/permits.js';
import type { Inventory, ToolFile, ToolRule } from '../otherTools/toolFiles.js';
import { checkInventory, visible } from './checkInventory.js';
import { isRead } from './toolNames.js';

/** What the agents of other tools may do, and the rules of theirs that do not do what they seem to. */
export interface ForeignPermits {
  readonly agents: readonly AgentPermits[];
  readonly rules: readonly (AnyFinding & { readonly kind: NonNullable<ToolRule['permits']> })[];
  /** Files that could not be read, so that what they say counts for nothing here; project paths. */
  readonly unread: readonly string[];
  /** The line of a rule, from 1; undefined where its file has no text. */
  lineOf(place: RulePlace): number | undefined;
}

const kinds = new Map(toolRules.flatMap(({ code, permits }) => (permits === undefined ? [] : [[code as string, permits] as const])));

const namesOfTools = new Map(otherTools.map(({ id, naming }) => [id, naming?.title ?? id]));

/** What a tool is called. */
export function titleOf(tool: string): string {
  return namesOfTools.get(tool) ?? tool;
}

/** What each agent of Claude Code, opencode and Kiro may do, as their files and documents say it. Pure. */
export function foreignPermits(inventory: Inventory): ForeignPermits {
  const tools = otherTools.flatMap(({ id, permits }) => (permits === undefined ? [] : [{ id, permits }]));
  const ids = new Set(tools.map(({ id }) => id));
  const unread = inventory.files.filter((file) => ids.has(file.tool) && !isRead(file));
  const files = new Map(inventory.files.map((file) => [file.path, file]));
  const positions = new Map<string, ReturnType<typeof positionsIn>>();
  return {
    agents: tools.flatMap(({ permits }) => permits(inventory)).map((agent) => covered(opened(agent, unread))),
    rules: checkInventory(inventory, {}, (path) => ids.has(files.get(path)?.tool ?? '')).flatMap((finding) => {
      const kind = kinds.get(finding.code);
      return kind === undefined ? [] : [{ ...finding, kind }];
    }),
    unread: unread.map(({ path }) => path),
    lineOf({ file: path, pointer }) {
      const file = files.get(path);
      if (file?.source === undefined || file.text === undefined) return undefined;
      const positionOf = positions.get(path) ?? positionsIn(file.text);
      positions.set(path, positionOf);
      return positionOf(file.source.rangeOf(pointer, 'key').start).line;
    },
  };
}

/** Without the rules of a file that could not be read, nothing is known of an agent. */
function opened(agent: AgentPermits, unread: readonly ToolFile[]): AgentPermits {
  const beside = unread.filter(({ tool, folder }) => tool === agent.tool && folder === agent.folder);
  if (beside.length === 0) return agent;
  const unknown = [...agent.unknown, ...beside.map(({ path }) => `What ${path} says, which could not be read.`)];
  if (!beside.some(({ path }) => /(?:settings(?:\.local)?|opencode)\.jsonc?$/.test(path))) return { ...agent, unknown };
  const open: Verdict = { outcome: 'unknown', because: 'A file with rules could not be read.', except: [] };
  const servers = agent.servers.map(({ server }) => ({ server, ...open }));
  return { ...agent, powers: { read: open, write: open, send: open, run: open }, servers, wider: [], unknown };
}

/** Rules are quoted as they are written, and a rule for a command may hold a secret. */
function covered(agent: AgentPermits): AgentPermits {
  const { read, write, send, run } = agent.powers;
  return {
    ...agent,
    powers: { read: coveredVerdict(read), write: coveredVerdict(write), send: coveredVerdict(send), run: coveredVerdict(run) },
    servers: agent.servers.map(coveredVerdict),
  };
}

function coveredVerdict<Rule extends Verdict>(verdict: Rule): Rule {
  const place = (by: RulePlace | undefined) => by && { by: { ...by, text: visible(by.text) } };
  return {
    ...verdict,
    ...place(verdict.by),
    except: verdict.except.map((part) => ({ ...part, ...place(part.by), what: visible(part.what) })),
  };
}
