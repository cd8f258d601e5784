import type { Severity, TextRange } from '../finding.js';
import type { Json } from '../json.js';
import type { ImportSource } from './importSource.js';

/** A kind of file that a tool reads in its own place. */
export interface OwnFile {
  /** What one is, and several are, in an inventory: `['Claude Code agent', 'Claude Code agents']`. Absent where only what it holds is counted. */
  readonly words?: readonly [one: string, many: string];
  /** Its path from the folder that the tool is started in. `*` stands for any part of a name, two of them for any folders. */
  readonly place: string;
  /** Whether a file there is one, for a place in which other programs keep files too; asked once all files are read. Default: each is. */
  isOwn?(file: ToolFile, fileAt: FileAt): boolean;
  /** What it holds. Called only with a file that could be read. */
  facts?(source: ImportSource, folder: string): ToolFacts;
}

/** The file of another tool with a project path. */
export type FileAt = (path: string) => ToolFile | undefined;

/** What a file of another tool defines, and what it names that another file defines. */
export interface ToolFacts {
  readonly servers?: readonly ServerFact[];
  readonly agents?: readonly NamedFact[];
  /** Permission rules, as they are written. */
  readonly permissions?: readonly NamedFact[];
  readonly uses?: readonly UseFact[];
  /** Project paths of other files that it names. */
  readonly files?: readonly string[];
}

export interface NamedFact {
  readonly name: string;
  readonly pointer: string;
}

/** An MCP server in a list. */
export interface ServerFact extends NamedFact {
  /** As it is written. */
  readonly value: Json;
}

export interface UseFact extends NamedFact {
  readonly kind: 'server' | 'agent';
}

/** A file of another tool in its own place, read. */
export interface ToolFile {
  /** The id of the tool. */
  readonly tool: string;
  readonly kind: OwnFile;
  /** Project path. */
  readonly path: string;
  /** The folder that the tool is started in, for it to read this file; empty for the project itself. */
  readonly folder: string;
  /** Undefined where it cannot be read: `problem` says why. */
  readonly text?: string | undefined;
  readonly source: ImportSource | undefined;
  readonly problem?: { readonly message: string; readonly range: TextRange; readonly isSyntax: boolean };
  readonly facts: ToolFacts;
}

/** The files of other tools in a folder and those below it. */
export interface Inventory {
  /** By path. */
  readonly files: readonly ToolFile[];
  /** Folders that were not looked into, since there are too many, with the reason. */
  readonly unseen?: string;
  /** Whether a file exists, by its project path; undefined if unknown. */
  exists(path: string): boolean | undefined;
}

export type ToolRuleCode = `${string}/${string}`;

/** One thing that can be wrong in the files of a tool. */
export interface ToolRule {
  /** `claude-code/unknown-server`; docs/other-tools has a page for each tool, with a section for each rule. */
  readonly code: ToolRuleCode;
  /** The id of the tool whose files it judges, or `any`. */
  readonly tool: string;
  /** An error only where the tool surely refuses or ignores what is written. */
  readonly severity: Severity;
  /** The document or issue that says so, and the day on which it was read. */
  readonly source: { readonly address: string; readonly date: string };
  check(file: ReadToolFile, inventory: Inventory, report: ToolReport): void;
}

export type ReadToolFile = ToolFile & { readonly source: ImportSource };

export type ToolReport = (finding: {
  readonly pointer: string;
  readonly target?: 'key' | 'value';
  /** Default: where the pointer leads to. */
  readonly range?: TextRange;
  readonly message: string;
  readonly severity?: Severity;
  readonly related?: readonly { readonly file: ToolFile; readonly pointer: string; readonly message: string }[];
}) => void;
