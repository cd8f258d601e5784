import type { PlacedFinding } from '../../core/finding.js';

export interface FindingChange {
  readonly added: readonly PlacedFinding[];
  readonly gone: readonly PlacedFinding[];
}

/** What a change of the files made of the findings. One that only moved to another line is the same. */
export function compareFindings(before: readonly PlacedFinding[], now: readonly PlacedFinding[]): FindingChange {
  return { added: without(now, before), gone: without(before, now) };
}

/** Of two findings that are alike, each takes away one. */
function without(findings: readonly PlacedFinding[], others: readonly PlacedFinding[]): readonly PlacedFinding[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
  return findings.filter((finding) => {
    const key = keyOf(finding);
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return count <= 0;
  });
}

function keyOf({ file, code, severity, pointer, message }: PlacedFinding): string {
  return JSON.stringify([file, code, severity, pointer, message]);
}
