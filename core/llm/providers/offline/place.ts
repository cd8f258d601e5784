import type { Json } from '../../../json.js';
import type { Schema } from './fits.js';

/** Down to here optional fields are filled and arrays get an item; below, what ends soonest comes first. */
export const fullDepth = 3;

/** Where a value will stand. */
export interface Place {
  /** Name of the field, or of the array around an item. */
  readonly name: string;
  readonly depth: number;
  /** Values that are there already and may be there only once. */
  readonly taken: readonly Json[];
}

/** A value that meets all of the schemas, or undefined when none is found. */
export type Make = (schemas: readonly Schema[], place: Place) => Json | undefined;
