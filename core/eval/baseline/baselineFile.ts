import { BaselineError } from '../../errors.js';
import type { BaselineConfig } from '../../generated/types.js';
import { type JsonObject, parseObject } from '../../json.js';
import { locate } from '../../jsonText/locate.js';
import { compareNatural } from '../../names.js';
import { validateKind } from '../../schema/kindValidators.js';

/** The result of a case in an earlier eval. */
export interface BaselineVerdict {
  /** The name of the file, or in a data set `{file}/{name}`. */
  readonly case: string;
  /** Of the agent; null for an orchestration. */
  readonly version: string | null;
  /** The profile of `--llm`; null if the agent used its own. */
  readonly llm: string | null;
  readonly passes: number;
  /** Repeats that were judged, at least 1. */
  readonly repeats: number;
  /** Model that answered; null for an orchestration, and if no model did. */
  readonly model: string | null;
  /** Mean USD of a repeat, without the discounts of caches; null if it is not known. */
  readonly cost_usd: number | null;
  /** Whether the offline provider made the answers up. */
  readonly simulated: boolean;
  /** Day in UTC, `2026-05-01`. */
  readonly date: string;
  /** `askedKey` of the case. */
  readonly key: string;
  /** `testKey` of the case. */
  readonly test: string;
}

/**
 * Reads the verdicts of a baseline file. One invalid verdict refuses the whole file: after an edit by hand, the others cannot be relied on.
 *
 * @param displayedPath the file as the user named it
 * @throws BaselineError with the place of the first fault
 */
export function readBaseline(text: string, displayedPath: string): readonly BaselineVerdict[] {
  const refuse = (place: string, what: string): never => {
    throw new BaselineError(`${place}: ${what} Correct it, or restore the file from git. Nothing was asked, and the file is as it was.`);
  };
  // A baseline may be long, so places are computed only for faults.
  const value = parseObject(text.replace(/^\uFEFF/, ''));
  const lineOf = (pointer: string) => {
    const start = locate(text, [pointer]).get(pointer)?.value.start ?? 0;
    return `${displayedPath}:${text.slice(0, start).split('\n').length}`;
  };
  if (value === undefined) return refuse(displayedPath, 'This is not valid JSON. A merge may have left its marks in it.');
  const { format } = value;
  if (typeof format === 'number' && format !== 2)
    throw new BaselineError(
      `${lineOf('/format')}: The baseline is of format ${format}, and this version of Agent Stack reads format 2. Install the version that wrote it, or delete the file and save a new one with --save-baseline. Nothing was asked, and the file is as it was.`,
    );
  const [error] = validateKind('baseline', value);
  if (error !== undefined) return refuse(lineOf(error.pointer), `${error.pointer === '' ? 'The file' : error.pointer} ${error.message}.`);
  const { verdicts } = value as unknown as BaselineConfig;
  const seen = new Set<string>();
  return verdicts.map((entry, index): BaselineVerdict => {
    const { passes, repeats, date, key, test } = entry;
    const verdict: BaselineVerdict = {
      case: entry.case,
      version: entry.version ?? null,
      llm: entry.llm ?? null,
      passes,
      repeats,
      model: entry.model ?? null,
      cost_usd: entry.cost_usd ?? null,
      simulated: entry.simulated ?? false,
      date,
      key,
      test,
    };
    if (passes > repeats) refuse(lineOf(`/verdicts/${index}/passes`), `${passes} of ${repeats} repeats cannot have passed.`);
    const identity = identityOf(verdict);
    if (seen.has(identity)) refuse(lineOf(`/verdicts/${index}/case`), `There are two verdicts on the case ${JSON.stringify(entry.case)}.`);
    seen.add(identity);
    return verdict;
  });
}

/** The identity of a verdict: a file has at most one for each. */
export function identityOf({ case: name, version, llm }: Pick<BaselineVerdict, 'case' | 'version' | 'llm'>): string {
  return JSON.stringify([name, version, llm]);
}

export interface MergeRequest {
  /** The verdicts in the file. */
  readonly before: readonly BaselineVerdict[];
  /** The verdicts of an eval. */
  readonly measured: readonly BaselineVerdict[];
  /** Whether the case, version and profile of a verdict still exist. */
  readonly isThere: (verdict: BaselineVerdict) => boolean;
}

export interface MergedBaseline {
  /** In the order of the file. */
  readonly verdicts: readonly BaselineVerdict[];
  /** The number of old verdicts whose case, version or profile no longer exists. */
  readonly removed: number;
}

/** New verdicts replace old ones of the same identity; other old ones stay. */
export function mergeBaseline({ before, measured, isThere }: MergeRequest): MergedBaseline {
  const kept = before.filter(isThere);
  const merged = new Map([...kept, ...measured].map((verdict) => [identityOf(verdict), verdict]));
  return { verdicts: [...merged.values()].sort(compareVerdicts), removed: before.length - kept.length };
}

/** The text of a baseline: one line per verdict in a stable order, so that a diff shows only the verdicts that changed. */
export function baselineText(verdicts: readonly BaselineVerdict[], eol = '\n'): string {
  const lines = verdicts.map((verdict) => `    ${lineOf(verdict)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  return `{\n  "format": 2,\n  "verdicts": ${list}\n}\n`.replaceAll('\n', eol);
}

function lineOf({ case: name, version, llm, passes, repeats, model, cost_usd, simulated, date, key, test }: BaselineVerdict): string {
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
    test,
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

/** USD in a baseline: four significant digits, so that lines stay short and stable. */
export function roundedCost(cost_usd: number): number {
  return Number(cost_usd.toPrecision(4));
}
