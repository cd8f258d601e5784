import { isObject, type JsonObject, parseObject } from '../json.js';
import type { OpenedAgent, RecordHeader, RecordLine, TeamRecordHeader } from './recordLines.js';
import { isAgentHeader, isRecordLine, isTeamHeader } from './recordShape.js';

/** The parsed record of a run. */
export interface RunRecording {
  readonly header: RecordHeader;
  readonly lines: readonly RecordLine[];
  /** The agent at each start, if it started more than once. Default: as in the header. */
  readonly opened?: readonly OpenedAgent[];
}

/** The record of a run in which several agents worked. */
export interface TeamRunRecording {
  readonly header: TeamRecordHeader;
  /** The records of single places, by name. */
  readonly parts: ReadonlyMap<string, RunRecording>;
  /** How the whole run ended; undefined if it was cut off. */
  readonly end: Extract<RecordLine, { readonly end: unknown }>['end'] | undefined;
}

/**
 * Parses the complete lines of a record: a killed run leaves half a line at the end.
 * @throws SyntaxError if it is not a record; its message continues a sentence that begins with the record's name
 */
export function parseRecording(text: string): RunRecording | TeamRunRecording {
  const values: JsonObject[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const value = parseObject(line);
    if (value === undefined) break;
    values.push(value);
  }
  const at = values.findIndex((value) => Object.hasOwn(value, 'format'));
  const header = values[at];
  const isTeam = header?.format === 2;
  if (header === undefined || !(isTeam ? isTeamHeader(header) : isAgentHeader(header))) {
    throw new SyntaxError('is not a record of a run: it does not begin as one that --record has written.');
  }
  if (header.format !== 1 && !isTeam)
    throw new SyntaxError(`is a record of format ${JSON.stringify(header.format)}; this version reads formats 1 and 2.`);
  const lines = values.filter((_, index) => index !== at);
  const unreadable = values.findIndex((value) => !isRecordLine(value));
  if (unreadable !== -1) throw new SyntaxError(`is not as --record has written it: line ${unreadable + 1} cannot be read.`);
  // Another answer or request shows as a difference when the run is replayed.
  if (isTeam) return teamRecording(header as unknown as TeamRecordHeader, lines);
  return { header: header as unknown as RecordHeader, lines: lines.filter(isExchange) as unknown as readonly RecordLine[] };
}

/** Id of the recorded run's session, under which the record has its messages. */
export function recordedSession(recording: RunRecording | TeamRunRecording): string | undefined {
  const lines = 'parts' in recording ? (recording.parts.get('')?.lines ?? []) : recording.lines;
  return lines.flatMap((line) => ('session' in line ? [line.session.session_id] : []))[0];
}

function isExchange(line: JsonObject): boolean {
  return ['llm', 'tool', 'approval', 'edit', 'session', 'end'].some((kind) => isObject(line[kind]));
}

function teamRecording(header: TeamRecordHeader, all: readonly JsonObject[]): TeamRunRecording {
  const end = all.find((line) => isObject(line.end)) as unknown as { end: NonNullable<TeamRunRecording['end']> } | undefined;
  // A place that was cancelled with the whole run takes its end from there.
  const last = end?.end.status === 'cancelled' ? [end] : [];
  const places = new Map<string, { readonly opened: OpenedAgent[]; readonly lines: RecordLine[] }>();
  for (const line of all) {
    if (typeof line.at !== 'string') continue;
    const place = places.get(line.at) ?? { opened: [], lines: [] };
    places.set(line.at, place);
    if (isObject(line.open)) place.opened.push(line.open as unknown as OpenedAgent);
    else if (isExchange(line)) place.lines.push(line as unknown as RecordLine);
  }
  const { snapshot_hash, asks } = header;
  const unknown: OpenedAgent = { agent_name: '', version: '', tools: [] };
  const parts = [...places].map(([at, { opened, lines }]): [string, RunRecording] => [
    at,
    { header: { ...(opened[0] ?? unknown), format: 1, snapshot_hash, asks }, lines: [...lines, ...last], opened },
  ]);
  return { header, parts: new Map(parts), end: end?.end };
}

/** What a record is of, as a launch names it. */
export function recordedSubject(header: RecordHeader | TeamRecordHeader): { readonly agent: string } | { readonly orchestration: string } {
  if (header.format === 1) return { agent: `${header.agent_name}@${header.version}` };
  const { kind, name, version } = header;
  return kind === 'orchestration' ? { orchestration: name } : { agent: version === null ? name : `${name}@${version}` };
}
