import type { Json } from '../json.js';
import type { Params } from './ajvMessages.js';

/** An error of the kind's compiled schema, as ajv reports it. */
export interface SchemaError {
  readonly pointer: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** An error worth showing. `pointer` names the wrong value; for a missing or extra field, the object. */
export interface ShownError {
  readonly pointer: string;
  readonly keyword: string;
  readonly params: Params;
  /** The end of a sentence about the value, such as `must be at most 2`. */
  readonly message: string;
  /** The allowed values, if they are listed. */
  readonly allowed?: readonly Json[];
}
