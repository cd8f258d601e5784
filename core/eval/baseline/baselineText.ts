import type { JsonObject } from '../../json.js';
import { compareNatural } from '../../names.js';
import { type BaselineVerdict, identityOf } from './readBaseline.js';

export interface MergeRequest {
  /** What the file says. */
  readonly before: readonly BaselineVerdict[];
  /** What an eval found. */
  readonly found: readonly BaselineVerdict[];
  /** Whether a verdict is on something that there still is. */
  readonly isThere: (verdict: BaselineVerdict) => boolean;
}

export interface MergedBaseline {
  /** In the order of the file. */
  readonly verdicts: readonly BaselineVerdict[];
  /** How many of those before are on what is gone, and left out. */
  readonly removed: number;
}

/** New verdicts take the place of old ones on the same case; old ones on what was not asked this time stay. */
export function mergeBaseline({ before, found, isThere }: MergeRequest): MergedBaseline {
  const kept = before.filter(isThere);
  const merged = new Map([...kept, ...found].map((verdict) => [identityOf(verdict), verdict]));
  return { verdicts: [...merged.values()].sort(compareVerdicts), removed: before.length - kept.length };
}

/** The text of a baseline: one line a verdict, always in the same order, so that a review shows the verdicts that moved and no others. */
export function baselineText(verdicts: readonly BaselineVerdict[], eol = '\n'): string {
  const lines = verdicts.map((verdict) => `    ${lineOf(verdict)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  return `{\n  "format": 1,\n  "verdicts": ${list}\n}\n`.replaceAll('\n', eol);
}

function lineOf({ case: name, version, llm, passes, repeats, model, cost_usd, simulated, date, key }: BaselineVerdict): string {
  const fields: JsonObject = {
    case: name,
    ...(version !== null && { version }),
    ...(llm !== null && { llm }),
    passes,
    repeats,
    ...(model !== null && { model }),
    ...(cost_usd !== null && { cost_usd: roundedCost(cost_usd) }),
    ...(simulated && { simulated }),
    date,
    key,
  };
  return `{ ${Object.entries(fields)
    .map(([field, value]) => `"${field}": ${JSON.stringify(value)}`)
    .join(', ')} }`;
}

function compareVerdicts(left: BaselineVerdict, right: BaselineVerdict): number {
  return (
    compareNatural(left.case, right.case) ||
    compareNatural(left.version ?? '', right.version ?? '') ||
    compareNatural(left.llm ?? '', right.llm ?? '')
  );
}

/** USD as a baseline writes it: four digits that count, so that a line stays short and the same. */
export function roundedCost(cost_usd: number): number {
  return Number(cost_usd.toPrecision(4));
}
