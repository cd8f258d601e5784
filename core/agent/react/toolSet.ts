import { abortable } from '../../abort.js';
import type { ToolSet } from '../../tools/types.js';
import type { Turn } from '../turn.js';

/** How long closing tools may take, in ms; after that the run ends without waiting for them. */
const longestClose = 5000;

export const noTools: ToolSet = { tools: [], close: async () => undefined };

/** Opens the tools of a run. Tools that open after the run has ended are closed at once. @throws as OpenTools, or the signal's reason */
export async function openToolSet(turn: Turn): Promise<ToolSet> {
  const { request, record, signal } = turn;
  if (!request.openTools) return noTools;
  const opening = request.openTools({ run_id: record.run_id, context: record.context, signal, logger: record.logger });
  try {
    return await abortable(opening, signal);
  } catch (error) {
    opening.then(
      (late) => closeToolSet(turn, late),
      // The run is over, so a failure to open does not matter.
      () => undefined,
    );
    throw error;
  }
}

/** Closes what was started for the tools, within a bounded time. Never rejects: the run is over, and its result is final. */
export async function closeToolSet({ request: { ports }, record }: Turn, set: ToolSet): Promise<void> {
  let cancel: (() => void) | undefined;
  const late = new Promise<string>((resolve) => {
    cancel = ports.clock.after(longestClose, () => resolve(`it took longer than ${longestClose} ms`));
  });
  const closing = (async () => set.close())().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const problem = await Promise.race([closing, late]);
  cancel?.();
  if (problem !== undefined) record.log('warn', 'the tools of a run could not be closed', { problem });
}
