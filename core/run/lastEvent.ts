import { parseObject } from '../json.js';
import { FileProblem } from '../ports.js';
import type { JournalFiles } from './journal/journalFiles.js';
import { numberAt } from './untrusted.js';

/** `seq` of a run's next event: one above that of the last complete line of `events.jsonl`, 0 without one. Reads in chunks. @throws FileProblem */
export async function nextSequence(storage: Pick<JournalFiles, 'read'>, path: string): Promise<number> {
  let next = 0;
  let line = '';
  const decoder = new TextDecoder();
  try {
    for await (const piece of storage.read(path)) {
      const lines = (line + decoder.decode(piece, { stream: true })).split('\n');
      line = lines.pop() ?? '';
      // Numbers only grow, so the last readable one is the highest.
      const last = lines.findLast((text) => sequenceOf(text) !== undefined);
      if (last !== undefined) next = (sequenceOf(last) ?? 0) + 1;
    }
  } catch (error) {
    if (!(error instanceof FileProblem) || error.reason !== 'not-found') throw error;
  }
  return next;
}

function sequenceOf(line: string): number | undefined {
  const event = line === '' ? undefined : parseObject(line);
  return event === undefined ? undefined : (numberAt(event, 'seq') ?? undefined);
}
