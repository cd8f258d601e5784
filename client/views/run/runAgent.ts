import type { RunResult } from '../../../core/agent/events.js';
import type { Client } from '../../client.js';
import { requireTrust } from '../../trust.js';
import { chooseRun } from './chooseRun.js';
import { readRunArgument } from './runArgument.js';
import { startRun } from './startRun.js';

/**
 * Run Agent: from the palette, a lens, a menu (with a Uri), a tree (with an item that has a `uri`) or another part of the extension (with a
 * RunArgument). Ends when the run does.
 *
 * @returns undefined when somebody went back on it
 */
export async function runAgent(client: Client, argument?: unknown): Promise<RunResult | undefined> {
  requireTrust();
  const choice = await chooseRun(client, readRunArgument(argument));
  return choice && startRun(client, choice);
}
