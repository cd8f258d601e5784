import type { Json, JsonObject } from '../json.js';
import type { Kind } from '../kinds.js';
import type { ImportSource } from './importSource.js';
import type { FindPermits } from './permits.js';
import type { OwnFile, ToolRule } from './toolFiles.js';

/** Another program: how its files are recognised, where it keeps them, what it calls our fields, and how its agents become ours. */
export interface OtherTool {
  /** For `--from`. */
  readonly id: string;
  /** Folders with a dot in front in which it keeps agents. Their files refer to files of the folder around. */
  readonly folders?: readonly string[];
  /** How its files are recognised in our folders. */
  readonly formats?: readonly Format[];
  /** Its names for our fields, each with the fields it may stand for: that which the object around has. */
  readonly names?: FieldNames;
  /** Objects in which it keeps fields that belong to the object around, by a field that this object then has. */
  readonly groups?: Readonly<Record<string, string>>;
  /** A list of MCP servers that it reads in every project. */
  readonly mcp?: McpList;
  /** Where something else than a renamed field belongs here; undefined for a key of which this tool has nothing to say. */
  homeOf?(key: ForeignKey): ForeignHome | undefined;
  readonly importer?: Importer;
  /** The files that it reads in its own places, in any folder that it may be started in. */
  readonly files?: readonly OwnFile[];
  /** What can be wrong in them. */
  readonly rules?: readonly ToolRule[];
  readonly naming?: Naming;
  /** What its agents may do. */
  readonly permits?: FindPermits;
}

/** How the files of a tool name what comes from elsewhere. */
export interface Naming {
  /** What the tool is called. */
  readonly title: string;
  /** Tools of a server: `mcp__stock__find` has `mcp__` in front of the server and `__` in between. */
  readonly before: string;
  readonly between: string;
  /** What follows the server where all of its tools are meant. */
  readonly all: string;
  /** Whether other characters than letters, digits, `_` and `-` of a server's name become `_`. */
  readonly isCleaned: boolean;
  /** What stands in front of the names of a provider's models, by our name of the provider. */
  readonly models: Readonly<Record<string, string>>;
}

export interface Format {
  /** With its article, to follow "looks like". */
  readonly what: string;
  /** The host and path of its `$schema`. */
  readonly schema?: RegExp;
  /** The key that marks an object as one of these. */
  readonly mark?: (value: JsonObject) => string | undefined;
  /** Set where the importer does not read it. */
  readonly cannotBeImported?: true;
}

export type FieldNames = Readonly<Record<string, FieldName | readonly FieldName[]>>;

/** An Agent Stack field; an object if more than the name differs. */
export type FieldName = string | FieldMeaning;

export interface FieldMeaning {
  readonly field: string;
  /** What differs besides the name; a sentence. */
  readonly difference?: string;
  /** A number there as the number that it is here. Default with a difference: not known. */
  readonly convert?: (value: number) => number;
  /** Whether the name stands for the field only where it holds a text. */
  readonly isText?: true;
}

/** A list of MCP servers of another tool. */
export interface McpList extends McpReading {
  readonly kind: Extract<Kind, 'rootMcp' | 'vscodeMcp'>;
  /** In the project folder. */
  readonly path: string;
  /** Whether it may have comments. */
  readonly hasComments?: true;
  /** Whether a server with an address and no type is taken for a program, and left out. */
  readonly addressNeedsType?: true;
}

/** What the reader of a list of MCP servers understands in it. */
export interface McpReading {
  /** Where the servers are. */
  readonly key: 'servers' | 'mcpServers';
  /** Who reads it, as the subject of a sentence. */
  readonly reader: string;
  /** How a variable of the environment is written: `${NAME}`, `${env:NAME}`, or both, with inputs and folders. */
  readonly variables: 'plain' | 'prefixed' | 'both';
  /** The placeholders that are filled in, for messages. */
  readonly forms: string;
  /** An environment variable as this file names one. */
  readonly variable: (name: string) => string;
  /** What to write instead of a secret, for messages. */
  readonly secret: string;
  /** Folders that it fills in, by the names of their placeholders. */
  readonly folders: Readonly<Record<string, string>>;
}

/** `sure`: a mark that only this tool has. `maybe`: nothing speaks against it. */
export type Recognised = 'sure' | 'maybe' | undefined;

/** How the agent files of a tool become ours. Pure: the same sources, the same draft. */
export interface Importer {
  /** With its article: `a Kiro agent`. */
  readonly what: string;
  /** The files and keys it is known by, for the list of known shapes. */
  readonly shape: string;
  /** A file or a folder in which its agents are, to show to someone who looks for one. */
  readonly example?: { readonly file?: string; readonly folder?: string };
  /** Whether the tool expands `${VAR}` in texts as we do. Default: it sends such text unchanged. */
  readonly expandsVariables?: true;
  recognise(source: ImportSource): Recognised;
  /** Paths of the files that the source names, from its own folder. `read` deals with missing files. */
  needs?(source: ImportSource): readonly string[];
  read(source: ImportSource, draft: Draft): void;
}

/** A place in a source. */
export interface At {
  readonly source: ImportSource;
  readonly pointer: string;
}

/** The kinds of files that an import makes. */
export type DraftKind = 'agent' | 'payload' | 'orchestration' | 'persona' | 'prompt' | 'llm' | 'system';

/** Where each field was found: its pointer in the source, by field. */
export type Origins = Readonly<Record<string, string>>;

/** What importers produce: Agent Stack files, servers, and notes about what could not be kept. It never holds a secret. */
export interface Draft {
  /** A file that a source names, from the folder that the source is in; undefined where it was not read. */
  file(source: ImportSource, path: string): ImportSource | undefined;
  /** Notes a field without a counterpart, and what to do. */
  note(at: At, message: string): void;
  /** Notes the fields of an object that have no counterpart. Fields that are empty or switched off are not noted. */
  noteLost(value: JsonObject, at: At, lost: LostFields): void;
  /** The legal name of what another tool calls `text`: the same text of a kind has the same name, two texts have two. */
  nameOf(kind: DraftKind | 'server', text: string, at: At): string;
  /**
   * The fields of one kind of file in an object: those with our names, with names of other tools, and those in a group (`llm: {...}`). Each field
   * that remains is noted, with the advice for its key; with `null` for advice it is not.
   */
  fields(value: JsonObject, kind: Kind, at: At, advice?: Readonly<Record<string, string | null>>): TakenFields;
  /**
   * The fields that say which model: `anthropic/claude-sonnet-4-6` gives provider and name, a name alone the provider that is known to have it. What
   * is reached at an address becomes an llm profile. Nothing where the text names no model of a known kind; the note says so.
   */
  modelFields(model: string, at: At): JsonObject;
  readonly models: ModelNames;
  /** `agent_type`, `client_ids` and `enabled_tools` of an agent: a loop where it has tools, a single call where none is left. */
  toolFields(tools: NamedTools, at: At): JsonObject;
  /**
   * Adds a file, without the fields that its schema does not take: these are noted. Of two for one place, the first counts.
   *
   * @param identity the fields that name the file
   */
  add(kind: DraftKind, id: string, identity: JsonObject, fields: JsonObject, at: At, from?: Origins): void;
  /** Adds an agent; `fields` without its name and version. @returns the reference to it, `name@version` */
  agent(text: string, fields: JsonObject, at: At, from?: Origins, version?: string): string;
  /** Adds a data set of an agent. */
  cases(agent: string, name: string, value: JsonObject, at: At): void;
  /** A text as the name of a case. */
  caseName(text: string): string;
  /** Adds an llm profile. @returns its id */
  profile(text: string, fields: JsonObject, at: At, from?: Origins): string;
  /** Adds an orchestration of agents one after the other: the first gets the message of the context, each other one what the one before it said. */
  lineOfAgents(text: string, agents: readonly string[], at: At): void;
  /**
   * Adds an MCP server as most MCP clients write it: a command with arguments or one list, an address under any of its names, `environment` for
   * `env`. Texts of the form `{env:X}` or `$X` become `${env:X}`.
   *
   * @returns its id, or undefined where it cannot be reached in a way that we know
   */
  server(name: string, value: Json, at: At): string | undefined;
  /** Adds the servers that an agent names, from the file in which the tool keeps those of all agents, unless they have been added already. */
  serversOf(source: ImportSource, path: string, names: readonly string[]): void;
}

export interface LostFields {
  /** Fields that have a counterpart. All others are noted. Default: only those with advice are noted. */
  readonly kept?: ReadonlySet<string>;
  /** What to do instead, by field. */
  readonly advice?: Readonly<Record<string, string>>;
  /** What the object is, for the message: `a team`. */
  readonly of?: string;
}

/** Agent Stack fields in another tool's object, and where each is in the source. */
export interface TakenFields {
  readonly fields: Record<string, Json>;
  readonly from: Record<string, string>;
}

/** What an agent may use, as the source says it. */
export interface NamedTools {
  /** Built-in tools of the other program. */
  readonly builtIn: readonly string[];
  /** Servers of which the agent may use every tool. */
  readonly servers: readonly string[];
  /** Single tools of servers. */
  readonly tools: readonly { readonly server: string; readonly name: string }[];
}

export interface ModelNames {
  /** The fields of an llm profile that reach a provider of this name, such as "google" or "ollama"; undefined where none is known. */
  connection(provider: string): JsonObject | undefined;
  /** An address of a provider as a profile has it. */
  address(provider: string, address: string): string;
  /** The newest model of a family that is known: `sonnet` to `claude-sonnet-5-5`. */
  newestClaude(family: string): string | undefined;
}

/** Two pointers of the file: where a value stands, and where it belongs. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Where what another tool keeps under a key belongs, when that is more than another name in the same object. */
export interface ForeignHome {
  readonly message: string;
  readonly moves?: readonly Move[];
  /** Files that take what stands here. */
  readonly files?: readonly NewFile[];
  /** Another file that takes it, and where in it. */
  readonly elsewhere?: { readonly path: string; readonly from: string; readonly to: string };
  /** What is written in its place, by pointer. */
  readonly sets?: { readonly [pointer: string]: Json };
  /** What goes for it. */
  readonly replaced?: readonly string[];
  /** Whether fix-all may do it. */
  readonly safe: boolean;
}

/** A key that the object at `segments`, whose schema knows the fields `names`, does not have. */
export interface ForeignKey {
  readonly file: {
    readonly path: string;
    readonly identity: { readonly kind: Kind; readonly name: string; readonly version?: string };
    readonly value: Json | undefined;
  };
  readonly project: { ids(kind: Kind): ReadonlyMap<string, string>; versions(agent: string): readonly string[] };
  readonly key: string;
  readonly segments: readonly string[];
  readonly names: readonly string[];
  /** The project path of a file, as `pathOf` has it. */
  pathOf(kind: Kind, id: string): string;
  /** Moves of the fields of agents in an object at the root of system.json to `agent_defaults`, as far as they are free there. */
  movesToDefaults(value: JsonObject): readonly Move[];
  /** Another tool's object with the field names of a kind of file here; fields without another name stay. */
  inOurNames(value: JsonObject, kind: Kind): JsonObject;
}

/** A file of the project that takes what stands elsewhere. */
export interface NewFile {
  /** Project path. */
  readonly path: string;
  readonly value: JsonObject;
  /** Pointers of what goes into it. */
  readonly from: readonly string[];
}
