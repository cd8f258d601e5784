/** Limits of the loops of agents that no config changes. */
export const loopLimits = {
  /** Characters (UTF-16 units) of all tool results of one turn that are shown to the model; longer ones are cut, and say where. */
  observation: 32_000,
  /** Characters of what is wrong with an answer that is asked for again. */
  correction: 4_000,
  /** Calls of one turn that are carried out; the rest is answered with an error. */
  callsPerTurn: 32,
  /** Replies in a row that cannot be read before the run ends with `parse`. */
  unreadable: 3,
  /** Turns in a row that bring nothing new (same calls with same results, or the same refused answer) before the run ends with `max-iterations`. */
  stale: 5,
  /** How deep agents may call each other by their plans: the agent itself is at 0. A call beyond ends with `recursion-limit`. */
  nesting: 8,
} as const;
