import { setFlagsFromString } from 'node:v8';

/** A flag that V8 does not know ends up as a complaint on the terminal, so each is set only where it has been tried. */
const major = Number.parseInt(process.versions.v8, 10);

/**
 * Bytes of bytecode that a function runs through before V8 looks at it again, three times or more before it is optimised. Small while nobody
 * waits for anything, so that what a keystroke goes through is soon optimised, and larger while somebody does, so that what is
 * left does not take the processor from keystrokes; V8's own is 67,584.
 */
const budgets = { early: 500, later: 32_000 } as const;

/**
 * Has V8 make machine code of a function when it is first called rather than when it has been interpreted for a while: for a process that has
 * started and is asked something now and then, so that hardly anything it does would ever be busy enough. Not optimised code, so this costs
 * little. Measured with Node 20 on keystrokes: a twentieth to a tenth sooner. Tried with Node 24 as well.
 *
 * With Node 20 (V8 11; later versions have no such flag) functions are also optimised after few keystrokes instead of thousands: between
 * two keystrokes the processor's caches are filled by others, so what counts is how much code and data an answer goes through, and
 * optimised code is a fraction of it. It takes other threads a second or two in all, during which two processors are too few for a keystroke as
 * well: one in twenty took four times as long. So it is best done before anybody types, and ended by `compileAtLeisure`.
 */
export function compileEarly(): void {
  if (major < 11 || major > 13) return;
  if (major === 11) setFlagsFromString(`--interrupt-budget=${budgets.early}`);
  setFlagsFromString('--always-sparkplug');
  setFlagsFromString('--no-lazy-feedback-allocation');
}

/** Has V8 optimise what is left only when it turns out to be busy. */
export function compileAtLeisure(): void {
  if (major === 11) setFlagsFromString(`--interrupt-budget=${budgets.later}`);
}
