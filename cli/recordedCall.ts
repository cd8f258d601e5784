import { resolve } from 'node:path';
import type { JsonObject } from '../core/json.js';
import { readRecordFile } from '../core/node/recordFiles.js';
import { recordedSession, recordedSubject } from '../core/run/readRecording.js';
import type { Cli } from './cli.js';

/** How a recorded run was called; a field is absent where the record does not say it. */
export interface RecordedCall {
  readonly input?: JsonObject;
  readonly llm?: string;
  readonly session?: string;
  readonly agent?: string;
  readonly orchestration?: string;
}

/** What a replay takes from its record where its own options are silent. @throws InputInvalidError when it is not a record */
export function readRecordedCall({ cwd }: Pick<Cli, 'cwd'>, replay: string | undefined): RecordedCall {
  if (replay === undefined) return {};
  const record = readRecordFile(resolve(cwd, replay));
  const { input, overrides: { llm } = {} } = record.header;
  const session = recordedSession(record);
  return {
    ...recordedSubject(record.header),
    ...(input && { input }),
    ...(llm !== undefined && { llm }),
    ...(session !== undefined && { session }),
  };
}
