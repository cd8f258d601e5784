import { a2a } from './a2a.js';
import { a2rchi } from './a2rchi.js';
import { agentSpec } from './agentSpec/index.js';
import { aurite } from './aurite.js';
import { c4h } from './c4h/index.js';
import { claudeCode } from './claudeCode/index.js';
import { codex } from './codex.js';
import { common } from './common.js';
import { crewai } from './crewai/index.js';
import { cursor } from './cursor.js';
import { gemini } from './gemini.js';
import { kiro } from './kiro/index.js';
import { mcp } from './mcp.js';
import { noema } from './noema.js';
import { opencode } from './opencode/index.js';
import { promptfoo } from './promptfoo/index.js';
import { recognisedOnly } from './recognisedOnly.js';
import { roo } from './roo.js';
import type { ToolRule } from './toolFiles.js';
import type { Importer, McpList, Naming, OtherTool } from './types.js';
import { vscode } from './vscode.js';
import { zed } from './zed.js';

/** Every other tool that is known: one line here, one file beside it. A file that fits two is of the first. */
export const otherTools: readonly OtherTool[] = [
  kiro,
  claudeCode,
  opencode,
  crewai,
  a2a,
  agentSpec,
  aurite,
  noema,
  a2rchi,
  c4h,
  vscode,
  cursor,
  codex,
  gemini,
  zed,
  roo,
  mcp,
  promptfoo,
  ...recognisedOnly,
  common,
];

/** One whose agents can be imported. */
export type ToolImporter = Importer & Pick<OtherTool, 'id'>;

export const importers: readonly ToolImporter[] = otherTools.flatMap(({ id, importer }) =>
  importer === undefined ? [] : [{ id, ...importer }],
);

/** The lists of MCP servers that other tools read in every project. */
export const mcpLists: readonly McpList[] = otherTools.flatMap(({ mcp = [] }) => mcp);

/** Folders with a dot in front in which other tools keep agents. */
export const toolFolders: ReadonlySet<string> = new Set(otherTools.flatMap(({ folders = [] }) => folders));

/** How the files of a tool name what comes from elsewhere. */
export function namingOf(tool: string): Naming | undefined {
  return otherTools.find(({ id }) => id === tool)?.naming;
}

/** The rules for files of other tools in places of their own. */
export const toolRules: readonly ToolRule[] = otherTools.flatMap(({ rules = [] }) => rules);

/** The finding for a file that cannot be read, whichever tool it belongs to. */
export const unreadable: Pick<ToolRule, 'code' | 'severity'> = { code: 'other-tools/unreadable', severity: 'error' };

/** What is said of a key that stands twice. */
export const duplicateKey: Pick<ToolRule, 'code' | 'severity'> = { code: 'other-tools/duplicate-key', severity: 'error' };

/** The codes of all findings in files of other tools, with their severities. */
export const toolRuleFacts: readonly Pick<ToolRule, 'code' | 'severity'>[] = [unreadable, duplicateKey, ...toolRules];
