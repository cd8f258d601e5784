import type { Client } from '../../client.js';
import { readReference } from './reference.js';

/** Shows the view "Runs" with a run selected in it. */
export async function showInHistory(client: Client, argument?: unknown): Promise<void> {
  const reference = readReference(client, argument);
  if (reference !== undefined) await client.runs.view?.reveal(reference);
}
