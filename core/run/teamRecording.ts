import type { RunResult } from '../agent/events.js';
import type { Agent } from '../agent/types.js';
import type { KnownSecrets } from '../ports.js';
import { endOf, inOrder, type Lines, type RecordWriter, type RunConnections, recordConnections } from './recording.js';
import { type OpenedAgent, type TeamRecordHeader, toRecordedTool } from './recordLines.js';

/** A run in which several agents work, on its way into a record. */
export interface TeamRecording {
  /** The connections of an agent at its place, with every exchange written down. @param at as the lines of the record name it */
  part(at: string, agent: Agent, given: RunConnections): RunConnections;
  /** How the run ended, the last line. @throws StorageError */
  end(result: RunResult): Promise<void>;
}

/** As `recordRun`, for an orchestration, or for an agent whose plan calls others: the exchanges of each place are a record of their own among the lines. */
export function recordTeam(run: Omit<TeamRecordHeader, 'format'>, writer: RecordWriter, known?: KnownSecrets): TeamRecording {
  const write = inOrder(writer, known);
  let begun: Promise<void> | undefined;
  const add = async (line: object): Promise<void> => {
    begun ??= write({ format: 2, ...run });
    await begun;
    await write(line);
  };
  return {
    part(at, agent, given) {
      const { agent_name, version } = agent.resolved.config;
      const lines: Lines = {
        begin: (tools, error) => {
          const open: OpenedAgent = { agent_name, version, tools: tools.map(toRecordedTool), ...(error && { error }) };
          return add({ at, open });
        },
        add: (line) => add({ at, ...line }),
        known,
      };
      return recordConnections(given, lines);
    },
    end: (result) => add(endOf(result)),
  };
}
