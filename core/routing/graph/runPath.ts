export type PathState = 'running' | 'done' | 'failed';

/** How far a run has got through an orchestration, according to its events. */
export interface RunPath {
  /** For each team that has started, by id: how often, and its state. */
  readonly teams: Readonly<Record<string, { readonly count: number; readonly state: PathState }>>;
  /** For each task that has started, by `team/task`: the state of its last execution. */
  readonly tasks: Readonly<Record<string, PathState>>;
  /** How often each edge was taken, by its key. */
  readonly ways: Readonly<Record<string, number>>;
  /** `running` until the run has reported its end; `open` where it was interrupted before. */
  readonly status: 'running' | 'completed' | 'partial' | 'failed' | 'cancelled' | 'open';
}
