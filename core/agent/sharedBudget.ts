import { BudgetExceededError } from '../errors.js';

/** What a run may spend of money that others spend at the same time. USD. */
export interface Spending {
  /**
   * Sets aside what a call may cost at most, before it is made. Waits while calls under way may still leave room for it, since they mostly cost far less than
   * they might.
   *
   * @returns gives back what was set aside; to be told what the call did cost
   * @throws BudgetExceededError when there is no room for it, the signal's reason
   */
  reserve(worst: number, signal: AbortSignal): Promise<(cost: number) => void>;
}

/**
 * Money that tasks beside each other spend together. What was spent and what is set aside never exceed it: so a budget holds exactly, as far as prices are known and
 * providers charge no more than they may.
 */
export class SharedBudget implements Spending {
  readonly #max: number;
  #spent: number;
  readonly #reserved = new Set<{ readonly worst: number }>();
  #waiting: (() => void)[] = [];

  /**
   * @param max USD
   * @param spent what earlier processes of the run have spent, in USD
   */
  constructor(max: number, spent = 0) {
    this.#max = max;
    this.#spent = spent;
  }

  /** By calls that are over, of earlier processes too, in USD. */
  get spent(): number {
    return this.#spent;
  }

  async reserve(worst: number, signal: AbortSignal): Promise<(cost: number) => void> {
    for (;;) {
      signal.throwIfAborted();
      let reserved = 0;
      for (const one of this.#reserved) reserved += one.worst;
      if (this.#spent < this.#max && this.#spent + reserved + worst <= this.#max) break;
      // What is under way can only add to what was spent.
      if (this.#reserved.size === 0 || this.#spent + worst > this.#max) throw this.#exceeded(worst);
      await this.#change(signal);
    }
    const reservation = { worst };
    this.#reserved.add(reservation);
    return (cost) => {
      if (!this.#reserved.delete(reservation)) return;
      this.#spent += cost;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const done of waiting) done();
    };
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', done);
        resolve();
      };
      signal.addEventListener('abort', done, { once: true });
      this.#waiting.push(done);
    });
  }

  #exceeded(worst: number): BudgetExceededError {
    const [max, spent, most] = [this.#max, this.#spent, worst].map((amount) => `${Number(amount.toPrecision(3))} USD`);
    return new BudgetExceededError(
      `The budget of ${max} for the whole run does not allow another model call: its tasks have spent ${spent}, and the call may cost up to ${most}. Raise budget.max_cost, or lower max_output_tokens.`,
    );
  }
}
