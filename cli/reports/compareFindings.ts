import type { AnyFinding } from '../../core/finding.js';

export interface FindingChange {
  readonly added: readonly AnyFinding[];
  readonly gone: readonly AnyFinding[];
}

/** What a change of the files made of the findings. One that only moved to another line is the same. */
export function compareFindings(before: readonly AnyFinding[], now: readonly AnyFinding[]): FindingChange {
  return { added: without(now, before), gone: without(before, now) };
}

/** Of two findings that are alike, each takes away one. */
function without(findings: readonly AnyFinding[], others: readonly AnyFinding[]): readonly AnyFinding[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
  return findings.filter((finding) => {
    const key = keyOf(finding);
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return count <= 0;
  });
}

function keyOf({ file, code, severity, pointer, message }: AnyFinding): string {
  return JSON.stringify([file, code, severity, pointer, message]);
}
