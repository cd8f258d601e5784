import type { AgentStackError } from '../errors.js';
import type { JsonObject } from '../json.js';

/** An agent or orchestration that its file exposes, as other programs see it. */
export interface Exposed {
  readonly kind: 'agent' | 'orchestration';
  readonly name: string;
  /** Null for an orchestration. */
  readonly version: string | null;
  /** `name@version`, or the name of an orchestration. */
  readonly id: string;
  /** Project path of its file. */
  readonly file: string;
  /** What tool lists call it: letters, digits, `_` and `-`, at most 64, unique among what is exposed. */
  readonly tool_name: string;
  readonly description: string;
  /** A JSON Schema with an object at its root. */
  readonly input_schema: JsonObject;
  /** Absent where the answer is text. */
  readonly output_schema?: JsonObject;
  /** The key that takes a text which comes instead of an object; undefined where the input has several, or none for text. */
  readonly text_key: string | undefined;
  /** Whether its runs may call tools, whose effects nobody can foresee. */
  readonly calls_tools: boolean;
  /** Names of the models that its runs may ask, each once; none where every answer is simulated. */
  readonly models: readonly string[];
  /** Whether the text of its model is its answer as it comes: one call, without an output schema. */
  readonly streams_text: boolean;
  /** Why it cannot run as it is. */
  readonly refusal?: AgentStackError;
}

/** Before its name among the others is known. */
export type Unnamed = Omit<Exposed, 'tool_name'>;
