import type { KnownFile } from '../config/memoryIndex.js';
import type { Finding, PlacedFinding } from '../finding.js';
import { placeFindings } from '../jsonText/placeFindings.js';
import type { Kind } from '../kinds.js';
import type { CheckReport } from './checkProject.js';

const referredTo: readonly Kind[] = ['llm', 'persona', 'prompt'];

/** What others refer to comes last, when who refers to it is known. */
export function inOrder(files: readonly KnownFile[]): { readonly agents: readonly KnownFile[]; readonly others: readonly KnownFile[] } {
  const isReferredTo = ({ identity }: KnownFile) => referredTo.includes(identity.kind);
  const others = files.filter(({ identity }) => identity.kind !== 'agent');
  return {
    agents: files.filter(({ identity }) => identity.kind === 'agent'),
    others: [...others.filter((file) => !isReferredTo(file)), ...others.filter(isReferredTo)],
  };
}

interface Part {
  readonly findings: readonly PlacedFinding[];
  readonly count: number;
}

/** @param unlisted folders that could not be listed, and links that leave the project: no files, so they are not counted */
export function reportOf(
  parts: readonly Part[],
  { unlisted, unmatched }: { readonly unlisted: readonly Finding[]; readonly unmatched: readonly string[] },
): CheckReport {
  const findings = [...parts.flatMap((part) => part.findings), ...unlisted.flatMap((finding) => placeFindings('', [finding]))];
  const countOf = (severity: PlacedFinding['severity']) => findings.filter((finding) => finding.severity === severity).length;
  return {
    findings: findings.sort(byPlace),
    files: parts.reduce((sum, { count }) => sum + count, 0),
    errors: countOf('error'),
    warnings: countOf('warning'),
    unmatched,
  };
}

function byPlace(left: PlacedFinding, right: PlacedFinding): number {
  return (
    compare(left.file, right.file) ||
    left.range.start - right.range.start ||
    left.range.end - right.range.end ||
    compare(left.code, right.code) ||
    compare(left.message, right.message)
  );
}

/** By UTF-16 units. */
export function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
