/** The thread of a run itself: of one agent, or the routes of an orchestration. */
export const mainThread = 1;

interface PlacedInRun {
  readonly team?: string | undefined;
  readonly task?: string | undefined;
}

/** The threads of a run: one for itself, and one for each task while it runs. */
export class Threads {
  readonly #tasks = new Map<string, number>();
  readonly #changed: (reason: 'started' | 'exited', thread: number) => void;
  #last = mainThread;

  constructor(changed: (reason: 'started' | 'exited', thread: number) => void) {
    this.#changed = changed;
  }

  /** That of a stop or an event. A task gets its own when it is first seen. */
  of({ team, task }: PlacedInRun): number {
    if (team === undefined || task === undefined) return mainThread;
    const name = `${team}/${task}`;
    const thread = this.#tasks.get(name);
    if (thread !== undefined) return thread;
    this.#last += 1;
    this.#tasks.set(name, this.#last);
    this.#changed('started', this.#last);
    return this.#last;
  }

  ended({ team, task }: PlacedInRun): void {
    const name = `${team}/${task}`;
    const thread = this.#tasks.get(name);
    if (thread === undefined) return;
    this.#tasks.delete(name);
    this.#changed('exited', thread);
  }

  /** @param run the name of the main thread */
  list(run: string): readonly { readonly id: number; readonly name: string }[] {
    return [{ id: mainThread, name: run }, ...[...this.#tasks].map(([name, id]) => ({ id, name }))];
  }
}
