/** Whether a breakpoint stops at its n-th hit, from 1; undefined if what was typed is no hit count. */
export function readHitCount(text: string): ((hits: number) => boolean) | undefined {
  const [, operator = '>=', digits] = /^\s*(>=|>|={1,3}|<=|<|%)?\s*([1-9]\d{0,8})\s*$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  switch (operator[0]) {
    case '%':
      return (hits) => hits % number === 0;
    case '<':
      return (hits) => hits < number || (operator === '<=' && hits === number);
    case '>':
      return (hits) => hits > number || (operator === '>=' && hits === number);
    default:
      return (hits) => hits === number;
  }
}

export const hitCountWords =
  'A hit count is a number from 1: 3 or >=3 stops at the third hit and all later ones, ==3 only at the third, %2 at every second.';
