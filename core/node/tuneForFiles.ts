import { setFlagsFromString } from 'node:v8';

/** A flag that V8 does not know ends up as a complaint on the terminal, so each is set only where it has been tried. */
const major = Number.parseInt(process.versions.v8, 10);

/**
 * Sets V8 up for a short run over many files: functions are optimised when they have been busy for longer, since most are done by the time the
 * optimised code is ready. Measured with Node 20 (V8 11) on 10,000 files: a sixth of the processor time less. Later versions have no such flag.
 *
 * It is to be called once the code is loaded, since V8 takes code from its cache with the flags only that it was made with; and where a thread
 * helps, by the thread: with other flags than Node was built with, it compiles Node's own modules anew, which takes as long as all else of its start.
 */
export function tuneForFiles(): void {
  if (major === 11) setFlagsFromString('--interrupt-budget=1000000');
  // What is alive at a collection is soon copied: waiting for threads that help with it takes longer, above all while two check files.
  if (11 <= major && major <= 13) setFlagsFromString('--no-parallel-scavenge');
  keepHeapSmall();
}

/**
 * Keeps V8's young generation at the size it has reached: nearly all that a check makes is dead by the next file, so more space would cost
 * 15 to 20 MiB and save next to nothing. Starting a thread sets it back. Tried with Node 20, 22 and 24.
 */
export function keepHeapSmall(): void {
  if (11 <= major && major <= 13) setFlagsFromString('--semi-space-growth-factor=1');
}
