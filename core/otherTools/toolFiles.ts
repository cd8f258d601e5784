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
  /** Which of its values and keys are names, and of what, besides the servers and agents in its facts. */
  readonly names?: readonly NamePlace[];
  /** Whether its agent has the servers of the lists around it. Default: it has. */
  takesLists?(value: Json): boolean;
  /** Set where no other file can name what it defines as it is called here. */
  readonly isPlugin?: true;
}

/** The file of another tool with a project path. */
export type FileAt = (path: string) => ToolFile | undefined;

/** What a file of another tool defines, and what it names that another file defines. */
export interface ToolFacts {
  readonly servers?: readonly ServerFact[];
  readonly agents?: readonly NamedFact[];
  /** Permission rules, as they are written. */
  readonly permissions?: readonly NamedFact[];
  /** Project paths of other files that it names. */
  readonly files?: readonly string[];
  /** Where one of them is named, as it is written. */
  readonly links?: readonly (NamedFact & { readonly path: string })[];
}

/** A place in a kind of file where names are written. */
export interface NamePlace {
  /** A pointer: `*` stands for any key of an object, `#` for any item of a list. */
  readonly at: string;
  readonly kind: NamePart['kind'];
  /** Set where the keys are the names, and not the values. */
  readonly target?: 'key';
  /** Set where the file defines the name, for itself alone. */
  readonly defines?: true;
  /** The names in a text, empty ones included, where several may stand in one. Default: the whole text is one. */
  readonly read?: (text: string) => readonly NamePart[];
  /** Names of the tool's own that it takes here, to be offered. */
  readonly offers?: readonly string[];
}

export interface NamePart {
  readonly kind: 'server' | 'tool' | 'agent' | 'model';
  readonly name: string;
  /** Where it begins in the text. */
  readonly start: number;
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
  /** What it says of rules about what an agent may do: they match nothing, others decide, they allow more than it seems, or more than the caller has. */
  readonly permits?: 'dead' | 'shadowed' | 'loose' | 'wider';
  /** Set where core/rules says the same of lists that are files of a project. */
  readonly isConfigRule?: true;
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
