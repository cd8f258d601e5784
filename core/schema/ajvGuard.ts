import type { WorkCounter } from './ajvKeywords.js';

/**
 * Maximum units of work of a check, a second or two: a value judged, a value compared or a character matched is one unit, a call
 * about five. An answer of 10 MB takes some millions.
 */
const mostWork = 150_000_000;
const callWork = 5;

export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

export class TooManyErrors extends Error {
  override readonly name = 'TooManyErrors';
}

/**
 * Counts the work of a check and ends it at the limit: alternatives that hold each other take exponential time, and a list of a
 * million wrong items makes a million errors, copied at every level. Compiled code sees it as `this`; checks do not overlap.
 */
export class CheckGuard implements WorkCounter {
  #work = 0;
  #mostErrors = 0;

  /** To be called before each check. `mostErrors`: the most errors that a function of the compiled code may hold at a time. */
  start(mostErrors: number): void {
    this.#work = 0;
    this.#mostErrors = mostErrors;
  }

  readonly spend = (units: number): void => {
    this.#work += units;
    if (this.#work > mostWork) throw new TooMuchWork();
  };

  pass(work: number, errors: number): void {
    this.spend(work);
    if (errors > this.#mostErrors) throw new TooManyErrors();
  }

  call(): void {
    this.spend(callWork);
  }

  copied(errors: number): void {
    this.spend(errors);
    if (errors > this.#mostErrors) throw new TooManyErrors();
  }
}
