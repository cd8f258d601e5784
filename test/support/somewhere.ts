import fc from 'fast-check';

/** A place in something, from 0 (its start) to 1 (its end). `fc.double` has next to nothing but numbers beside 0, so all places would be the first. */
export const somewhere: fc.Arbitrary<number> = fc.nat(10_000).map((part) => part / 10_000);
