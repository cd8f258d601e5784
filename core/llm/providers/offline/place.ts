import type { Json } from '../../../json.js';
import type { Schema } from './fits.js';

/** Down to this depth, optional fields are filled and arrays get an item; below it, what ends soonest comes first. */
export const fullDepth = 3;

/** Where a value goes. */
export interface Place {
  /** Name of the field, or of the array that the item is in. */
  readonly name: string;
  readonly depth: number;
  /** Values that already exist and must not be repeated. */
  readonly taken: readonly Json[];
}

/** A value that satisfies all of the schemas, or undefined when none is found. */
export type Make = (schemas: readonly Schema[], place: Place) => Json | undefined;
