/**
 * The version after `version`: its first number one higher, later numbers 0, leading zeros kept: `v1` to `v2`, `2.1.3` to
 * `3.0.0`, `v09` to `v10`, skipping those that are taken (ignoring case). Undefined if counting up makes no sense: a name
 * without a number, or a date.
 */
export function nextVersion(version: string, taken: readonly string[]): string | undefined {
  if (!/\d/.test(version) || /(?:19|20)\d\d[-._]?[01]\d/.test(version)) return undefined;
  const used = new Set(taken.map((name) => name.toLowerCase()));
  let next = countUp(version);
  while (used.has(next.toLowerCase())) next = countUp(next);
  return next.length <= 64 ? next : undefined;
}

function countUp(version: string): string {
  let isFirst = true;
  return version.replace(/\d+/g, (digits) => {
    if (!isFirst) return '0';
    isFirst = false;
    return String(BigInt(digits) + 1n).padStart(digits.length, '0');
  });
}
