import type { Json } from '../json.js';
import type { SyntaxFault } from '../jsonText/types.js';
import type { Kind } from '../kinds.js';
import type { ForeignFile } from '../otherTools/foreignFile.js';
import type { SchemaError } from '../schema/types.js';

/** The identity of a file by its path. `name` is the agent name, llm id, persona key, prompt name, environment or payload case. */
export interface FileIdentity {
  readonly kind: Kind;
  readonly name: string;
  /** For agents and prompts: the version. For payloads: undefined. */
  readonly version?: string;
  /** For payloads: the agent they are for. */
  readonly agent?: string;
  /** `name` or `name@version`: how other files refer to it. */
  readonly id: string;
  /** Set where no agentstack.json says that all files in our places are ours: then the file itself has to show it. */
  readonly needsMark?: true;
}

/** A config file, read and parsed once. Immutable. */
export interface ConfigFile {
  readonly path: string;
  readonly identity: FileIdentity;
  /** The JSON text, to which all ranges refer. Of a prompt in Markdown, the JSON that stands for it (`readPromptText`). */
  readonly text: string;
  /** The whole file, with a leading BOM. The same as `text` for a JSON file. */
  readonly fileText: string;
  /** The parsed value without `$schema` and `$ignore`; undefined if the text is not JSON. */
  readonly value: Json | undefined;
  /** Root `$ignore`: rule code to the pointers silenced, or `true` for the whole file. */
  readonly ignore: ReadonlyMap<string, readonly string[] | true>;
  /** Errors in `$ignore` itself; pointers begin with `/$ignore`. */
  readonly ignoreErrors: readonly SchemaError[];
  readonly syntax: readonly SyntaxFault[];
  /** Errors of the kind's own schema; empty if the syntax is broken. */
  readonly schemaErrors: readonly SchemaError[];
  /** Set for another tool's file in a place of this project's files. Only the rule foreign-file reports it. */
  readonly foreign: ForeignFile | undefined;
}
