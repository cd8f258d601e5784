/** Exit codes of every verb. `check` uses 0, 1 and 2; `run` these and 130; `eval` all. */
export const exitCodes = {
  /** Done: no errors found, the run completed. */
  ok: 0,
  /** `check` found errors or too many warnings; `run` failed, an orchestration failed or is partial, a case of `eval` failed. */
  failed: 1,
  /** Nothing was done: wrong usage, a config or input that cannot be used, no project. */
  unusable: 2,
  /** `eval`: nothing failed, and something could not be judged. */
  unknown: 3,
  /** Ctrl+C, SIGTERM, or the reader of a run's output went away. */
  cancelled: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
