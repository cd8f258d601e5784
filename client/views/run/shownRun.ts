import type { Event } from 'vscode';
import type { ProjectFolder } from '../../projects.js';
import type { Decision, ViewEvent, ViewFacts } from './messages.js';
import type { Transcript } from './transcript.js';

/** A run that a panel can show: one that is going on, or one read back from its folder. */
export interface ShownRun {
  readonly folder: ProjectFolder;
  readonly transcript: Transcript;
  /** New events, or none where only what is known of the run as a whole has changed. Never fires for a run that has ended. */
  readonly onDidAdd: Event<readonly ViewEvent[]>;
  readonly isLive: boolean;
  cancel(): void;
  /** What somebody says to a call that waits; absent where no call can wait. */
  decide?(id: number, decision: Decision): void;
}

/** What a run is called: `A2@v1`, or the name of an orchestration. */
export function nameOfRun({ agent, version }: Pick<ViewFacts, 'agent' | 'version'>): string {
  return version === '' ? agent : `${agent}@${version}`;
}
