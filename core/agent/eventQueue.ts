/** Events of work that goes on side by side, handed on in the order they happen. For one reader. */
export class EventQueue<Event> {
  #waiting: Event[] = [];
  #isOpen = true;
  #wake: (() => void) | undefined;

  push(event: Event): void {
    this.#waiting.push(event);
    this.#wake?.();
  }

  /** Nothing comes any more. */
  close(): void {
    this.#isOpen = false;
    this.#wake?.();
  }

  /** All that has happened since the last time, at least one event; undefined when the queue is closed and everything has been handed on. */
  async next(): Promise<readonly Event[] | undefined> {
    if (this.#waiting.length === 0 && this.#isOpen) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    if (this.#waiting.length === 0) return undefined;
    const events = this.#waiting;
    this.#waiting = [];
    return events;
  }
}
