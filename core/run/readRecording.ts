import { isObject, type JsonObject, parseObject } from '../json.js';
import type { RecordHeader, RecordLine } from './recordLines.js';

/** A record read back. */
export interface RunRecording {
  readonly header: RecordHeader;
  readonly lines: readonly RecordLine[];
}

/**
 * Reads the text of a record, as far as it is whole: a run that was killed leaves half a line at its end.
 * @throws SyntaxError when it is no record, with words that follow its name
 */
export function parseRecording(text: string): RunRecording {
  const values: JsonObject[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const value = parseObject(line);
    if (value === undefined) break;
    values.push(value);
  }
  const at = values.findIndex((value) => Object.hasOwn(value, 'format'));
  const header = values[at];
  if (header === undefined || typeof header.agent_name !== 'string' || !Array.isArray(header.tools)) {
    throw new SyntaxError('is no record of a run: it does not begin as one that --record has written.');
  }
  if (header.format !== 1) throw new SyntaxError(`is a record of format ${JSON.stringify(header.format)}; this version reads format 1.`);
  const lines = values.filter(
    (value, index) => index !== at && ['llm', 'tool', 'approval', 'session', 'end'].some((kind) => isObject(value[kind])),
  );
  // Written by `recordRun`; what is not as it says shows as a difference when the run is replayed.
  return { header: header as unknown as RecordHeader, lines: lines as unknown as readonly RecordLine[] };
}
