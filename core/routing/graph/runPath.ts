export type PathState = 'running' | 'done' | 'failed';

/** How far a run has come through an orchestration, by what its events tell. */
export interface RunPath {
  /** Of each team that has begun, by id: how often, and how it stands. */
  readonly teams: Readonly<Record<string, { readonly count: number; readonly state: PathState }>>;
  /** Of each task that has begun, by `team/task`: how its last turn stands. */
  readonly tasks: Readonly<Record<string, PathState>>;
  /** How often each way was taken, by the key of its edge. */
  readonly ways: Readonly<Record<string, number>>;
  /** `running` until the run has told its end; `open` where it was interrupted before it could. */
  readonly status: 'running' | 'completed' | 'partial' | 'failed' | 'cancelled' | 'open';
}
