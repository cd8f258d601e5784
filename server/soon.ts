/**
 * What is nearly always there at once and has to be waited for now and then. A promise for what is there would cost each layer it passes a
 * turn of the microtask queue, which together is a noticeable part of the time there is for a keystroke.
 */
export type Soon<Value> = Value | Promise<Value>;

/** Goes on with what there is, or when it is there. What either throws comes out as the value does: at once, or as a rejection. */
export function whenThere<Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
