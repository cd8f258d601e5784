import type { Stop } from '../agent/gate.js';
import type { JsonObject } from '../json.js';

/** Where a line stops a run. */
export interface PlaceStops {
  /**
   * The kinds of stop that may be here, in groups, the usual one first. A condition that needs what only a later one shows moves the breakpoint
   * there.
   */
  readonly kinds: readonly (readonly Stop['at'][])[];
  /** Whether a stop of one of these kinds is here. */
  readonly isAt: (stop: Stop) => boolean;
  /** Stops with the same key are one hit: the first of them. Default: each stop is one. */
  readonly once?: (stop: Stop) => string;
  /** Values of the place itself, which a condition or a log message may read. */
  readonly own?: { readonly names: readonly string[]; readonly at: (stop: Stop) => JsonObject };
  /** A narrower test, where neither the condition nor the log message reads an own value. */
  readonly usually?: (stop: Stop) => boolean;
  /** Why a stop that could be here is not; undefined if there is nothing to say. */
  readonly missed?: (stop: Stop) => string | undefined;
}

/** Why no run stops at a line. */
export interface NoPlace {
  readonly reason: string;
}

export type Path = readonly (string | number)[];

/** Before a call, or after its answer. */
export const modelCalls: PlaceStops['kinds'] = [['model'], ['answer']];
export const toolCalls: PlaceStops['kinds'] = [['tool'], ['tool_answer']];
export const anyCalls: PlaceStops['kinds'] = [
  ['model', 'tool'],
  ['answer', 'tool_answer'],
];
