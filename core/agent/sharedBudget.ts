import { usdText } from '../amounts.js';
import { BudgetExceededError } from '../errors.js';

/** What a budget allows one model call. */
export interface CallBudget {
  /** USD: the request, and the shortest answer worth paying for. */
  readonly least: number;
  /** USD: the request, and the longest answer that the model may give and the budget can pay. */
  readonly most: number;
  /** The output limit with which the call costs at most `amount`, in tokens; undefined if that of the model or the config is lower. */
  limitFor(amount: number): number | undefined;
}

/** Money reserved for one call. */
export interface Reservation {
  /** Maximum cost of the call, in USD. */
  readonly amount: number;
  /** Releases the unused part; called with the actual cost. */
  readonly settle: (cost: number) => void;
}

/** The money of a run that is spent in parallel. USD. */
export interface Spending {
  /**
   * Reserves money before a call: `most` if available, else the remainder, but never less than `least`. Waits while current calls may still release
   * some, since most cost far less than their maximum.
   *
   * @throws BudgetExceededError if the budget is too low, the signal's reason
   */
  reserve(call: Pick<CallBudget, 'least' | 'most'>, signal: AbortSignal): Promise<Reservation>;
}

/**
 * Money that parallel tasks share. Spent and reserved money together never exceed it, so a budget holds exactly, as far as prices are known and
 * providers charge no more than they may.
 */
export class SharedBudget implements Spending {
  readonly #max: number;
  #spent: number;
  readonly #reserved = new Set<{ readonly amount: number }>();
  #waiting: (() => void)[] = [];

  /**
   * @param max USD
   * @param spent what earlier processes of the run have spent, in USD
   */
  constructor(max: number, spent = 0) {
    this.#max = max;
    this.#spent = spent;
  }

  /** USD spent by finished calls, including those of earlier processes. */
  get spent(): number {
    return this.#spent;
  }

  async reserve({ least, most }: Pick<CallBudget, 'least' | 'most'>, signal: AbortSignal): Promise<Reservation> {
    for (;;) {
      signal.throwIfAborted();
      const unspent = this.#max - this.#spent;
      let reserved = 0;
      for (const reservation of this.#reserved) reserved += reservation.amount;
      // Current calls can only increase the spent amount.
      if (unspent <= 0 || least > unspent) throw this.#exceeded(least);
      if (this.#reserved.size === 0 || reserved + most <= unspent) return this.#setAside(Math.min(most, unspent - reserved));
      await this.#change(signal);
    }
  }

  #setAside(amount: number): Reservation {
    const reservation = { amount };
    this.#reserved.add(reservation);
    return {
      amount,
      settle: (cost) => {
        if (!this.#reserved.delete(reservation)) return;
        this.#spent += cost;
        const waiting = this.#waiting;
        this.#waiting = [];
        for (const done of waiting) done();
      },
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

  #exceeded(needed: number): BudgetExceededError {
    const [max, spent, least] = [this.#max, this.#spent, needed].map((amount) => usdText(amount));
    return new BudgetExceededError(
      `The budget of ${max} for the whole run does not allow another model call: its tasks have spent ${spent}, and the call costs at least ${least}. Raise budget.max_cost, or send less.`,
    );
  }
}
