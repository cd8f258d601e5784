import type * as vscode from 'vscode';
import type { RunResult } from '../../../core/agent/events.js';
import type { JsonObject } from '../../../core/json.js';
import type { RunState, RunSummary } from '../../../core/run/runSummary.js';
import type { ProjectFolder } from '../../projects.js';
import type { Decision, ViewEvent } from './messages.js';
import type { RunStops } from './stops.js';
import type { Transcript } from './transcript.js';

/** What to run: an agent, its input, and the llm profile where it is not the agent's own. */
export interface RunChoice {
  readonly folder: ProjectFolder;
  readonly agent_name: string;
  readonly version: string;
  readonly payload: JsonObject;
  /** Name of the payload file that the input is from; absent for any other. */
  readonly case?: string | undefined;
  readonly llm: string | undefined;
  /** The conversation it belongs to; of an agent that remembers none, and where it begins a new one, absent. */
  readonly session?: string | undefined;
  readonly recording?: RecordingChoice | undefined;
}

/** A record that the run writes, or that answers instead of its models and tools: the absolute path of its file. */
export type RecordingChoice = { readonly type: 'record' | 'replay'; readonly path: string };

/** What to run: an orchestration, what is laid over its context, and an llm profile for all of its agents. */
export interface TeamChoice {
  readonly folder: ProjectFolder;
  readonly orchestration: string;
  readonly input: JsonObject;
  readonly llm: string | undefined;
  readonly recording?: RecordingChoice | undefined;
}

/** A run that a panel can show: one in progress, or one read back from its folder. */
export interface ShownRun {
  readonly folder: ProjectFolder;
  readonly transcript: Transcript;
  /** New events, or none where only facts about the run as a whole have changed. Never fires for a run that has ended. */
  readonly onDidAdd: vscode.Event<readonly ViewEvent[]>;
  readonly isLive: boolean;
  cancel(): void;
  /** Answers a call that waits for approval; absent where no call can wait. */
  decide?(id: number, decision: Decision): void;
  /** Stops it at its calls; absent where nothing runs. */
  readonly stops?: Pick<RunStops, 'pause' | 'go' | 'edit'>;
}

/** A run in progress in this window. */
export interface RunInProgress extends ShownRun {
  readonly choice: RunChoice | TeamChoice;
  readonly run_id: string | null;
  /** Rejects only for a bug: a run that fails or is cancelled has a result too. */
  readonly result: Promise<RunResult>;
}

/** A panel that shows a run. */
export interface OpenRunPanel {
  readonly run: ShownRun;
  readonly column: vscode.ViewColumn | undefined;
  readonly isActive: boolean;
  readonly isVisible: boolean;
  show(run: ShownRun): void;
  /** @param column default: where the panel is */
  reveal(preserveFocus: boolean, column?: vscode.ViewColumn): void;
  /** Shows changed facts of the run. */
  refresh(): void;
  /** Sends the full text of a part of which the page has only the start. */
  sendWhole(part: number): void;
}

/** One run, by where it is stored. Tree items and panels pass it to commands. */
export interface RunReference {
  readonly folder: ProjectFolder;
  readonly run_id: string;
}

/** A run in the tree; as a reference it is what commands take. */
export interface RunNode extends RunReference {
  readonly type: 'run';
  readonly summary: RunSummary;
  /** Name of its project; null where the workspace has no other. */
  readonly project: string | null;
  readonly isLive: boolean;
  readonly isPinned: boolean;
}

/** Which runs the view shows; empty lists let all pass. Plain data, stored with the workspace. */
export interface TreeFilter {
  readonly agents: readonly string[];
  readonly states: readonly RunState[];
  readonly cases: readonly string[];
  readonly profiles: readonly string[];
  /** Roots of projects. */
  readonly projects: readonly string[];
  /** Only runs that began within this many days are shown; 0 shows all runs. */
  readonly days: number;
  /** Empty for none. */
  readonly text: string;
}

export type RunGrouping = 'day' | 'agent';

/** The view "Runs", as commands use it. */
export interface RunsView {
  refresh(): void;
  selection(): readonly RunReference[];
  /** The runs that a key acts on. */
  focused(): Promise<readonly RunReference[]>;
  /** The newest runs of all projects, read. */
  newest(count: number): Promise<readonly RunNode[]>;
  group(by: RunGrouping): Promise<void>;
  readonly filter: TreeFilter;
  /** Shows the runs that fit, and keeps that for the next session. */
  setFilter(filter: TreeFilter): Promise<void>;
  showMore(): Promise<void>;
  /** Shows the view with this run selected. */
  reveal(run: RunReference): Promise<void>;
}
