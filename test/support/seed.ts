import fc from 'fast-check';

/**
 * Property tests try the same examples every time, so that a change is judged by what it did. `TEST_SEED=random` tries new
 * ones, `TEST_SEED=<integer>` those of a failure.
 */
const seed = process.env.TEST_SEED ?? '20260101';
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
