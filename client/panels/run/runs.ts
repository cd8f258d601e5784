import * as vscode from 'vscode';
import type { ProjectFolder } from '../../projects.js';
import type { OpenRunPanel, RunInProgress, RunReference, RunsView } from './types.js';

/** For what starts, shows or lists runs. */
export interface WithRuns {
  readonly runs: Runs;
}

/** The runs in progress in this window, the panels that show runs, and the pinned runs. */
export class Runs implements vscode.Disposable {
  private readonly going = new Set<RunInProgress>();
  private readonly openPanels = new Set<OpenRunPanel>();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly memory: vscode.Memento;
  private questions = 0;
  /** Set by the view when it is registered. */
  view: RunsView | undefined;

  constructor(memory: vscode.Memento) {
    this.memory = memory;
  }

  /** A run began, got its id or ended; pins changed; the runs view is to look again. */
  readonly onDidChange = this.changed.event;

  get live(): readonly RunInProgress[] {
    return [...this.going];
  }

  get panels(): readonly OpenRunPanel[] {
    return [...this.openPanels];
  }

  findLive({ folder, run_id }: RunReference): RunInProgress | undefined {
    return this.live.find((run) => run.choice.folder === folder && run.run_id === run_id);
  }

  findPanel({ folder, run_id }: RunReference): OpenRunPanel | undefined {
    return this.panels.find(({ run }) => run.folder === folder && run.transcript.facts.run_id === run_id);
  }

  selected(): readonly RunReference[] {
    return this.view?.selection() ?? [];
  }

  /** A number for a question to the user, unique in this window. */
  nextQuestion(): number {
    this.questions += 1;
    return this.questions;
  }

  began(run: RunInProgress): void {
    this.going.add(run);
    this.changed.fire();
  }

  ended(run: RunInProgress): void {
    this.going.delete(run);
    this.changed.fire();
  }

  opened(panel: OpenRunPanel): void {
    this.openPanels.add(panel);
  }

  closed(panel: OpenRunPanel): void {
    this.openPanels.delete(panel);
  }

  /** The view's content has changed. */
  tellChange(): void {
    this.changed.fire();
  }

  /** Ids of pinned runs, the last pinned first. */
  pinned(folder: ProjectFolder): readonly string[] {
    const kept: unknown = this.memory.get(pinKey(folder));
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  }

  isPinned({ folder, run_id }: RunReference): boolean {
    return this.pinned(folder).includes(run_id);
  }

  async setPinned(reference: RunReference, pinned: boolean): Promise<void> {
    const { folder, run_id } = reference;
    const others = this.pinned(folder).filter((id) => id !== run_id);
    await this.memory.update(pinKey(folder), pinned ? [run_id, ...others] : others);
    this.findPanel(reference)?.run.transcript.set({ isPinned: pinned });
    this.findPanel(reference)?.refresh();
    this.changed.fire();
  }

  dispose(): void {
    // A durable run keeps its steps and is left alone: the next window offers to resume it.
    for (const run of this.going) if (!run.transcript.facts.isDurable) run.cancel();
    this.changed.dispose();
  }
}

function pinKey(folder: ProjectFolder): string {
  return `agentStack.pinnedRuns:${folder.root}`;
}
