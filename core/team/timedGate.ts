import type { Gate } from '../agent/gate.js';
import type { Clock } from '../ports.js';

/** The same gate, and for how many milliseconds at least one part of the run was stopped at it. */
export function timedGate(gate: Gate, clock: Pick<Clock, 'monotonic'>): { readonly gate: Gate; readonly waited: () => number } {
  let open = 0;
  let since = 0;
  let total = 0;
  return {
    async gate(stop) {
      if (open === 0) since = clock.monotonic();
      open += 1;
      try {
        return await gate(stop);
      } finally {
        open -= 1;
        if (open === 0) total += clock.monotonic() - since;
      }
    },
    waited: () => total + (open > 0 ? clock.monotonic() - since : 0),
  };
}
