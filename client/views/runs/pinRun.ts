import type { Client } from '../../client.js';
import { readReferences } from './reference.js';

/** Pins runs to the top of the view, or takes them off it. */
export async function pinRun(client: Client, isPinned: 'pin' | 'unpin', argument?: unknown, selection?: unknown): Promise<void> {
  for (const reference of readReferences(client, argument, selection)) await client.runs.setPinned(reference, isPinned === 'pin');
}
