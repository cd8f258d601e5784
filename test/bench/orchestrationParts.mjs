// What the parts of the orchestration benchmark are, the same for everybody.

export const teamCount = 5;

/** A text of about 300 characters; of part 0 there is one too, which the first part is given. */
export function partText(part) {
  return `Part ${part} of the report says what was found in this place, and why. `.repeat(4).trim();
}
