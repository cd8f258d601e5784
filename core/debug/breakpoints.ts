import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Stop } from '../agent/gate.js';
import { identifyFile } from '../config/paths.js';
import type { JsonObject } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { hitCountWords, readHitCount } from './hitCount.js';
import { type DebuggedProject, readFile } from './launch.js';
import { type Place, placeAt } from './places.js';
import { readStopCondition, type StopCondition } from './stopCondition.js';
import { shownAt, stopWords, textOf, valueAtPath, valuesAt } from './stopValues.js';

type KnownPlace = Extract<Place, { isAt: unknown }>;

interface Breakpoint {
  readonly place: KnownPlace;
  /** The kind of stop at which it is looked at: one of the place's. */
  readonly at: Stop['at'];
  readonly isWanted: (hits: number) => boolean;
  readonly condition: StopCondition | undefined;
  readonly log: string | undefined;
  /** Where it is, for messages: `v1.json:12`. */
  readonly label: string;
  /** What was said of its condition. */
  readonly notes: Set<string>;
  hits: number;
}

/** The line of a breakpoint that was hit. */
export interface HitPlace {
  readonly path: string;
  readonly line: number;
}

/** The breakpoints of a session, by the path of their file as the editor names it. */
export class Breakpoints {
  readonly #byPath = new Map<string, readonly Breakpoint[]>();
  readonly #print: (line: string) => void;

  /** @param print shows a line to the person: of a log point, or about a condition */
  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** Replaces those of a file. The answer has one for each wanted one, in that order, and says why one cannot stop. */
  async set(opened: DebuggedProject, path: string, wanted: readonly DebugProtocol.SourceBreakpoint[]): Promise<DebugProtocol.Breakpoint[]> {
    const file = opened.toProjectPath(path);
    const text = file === undefined ? undefined : await readFile(opened, file);
    const index = await opened.project.index();
    const identity = file === undefined ? undefined : identifyFile(file, index.settings);
    const set: Breakpoint[] = [];
    const answers: DebugProtocol.Breakpoint[] = [];
    for (const { line, hitCondition = '', logMessage, condition: written = '' } of wanted) {
      const place: Place = text === undefined ? { reason: 'This file cannot be read in the project.' } : placeAt(identity, text, line);
      const breakpoint =
        'reason' in place ? place : await this.#read(place, `${path.split(/[\\/]/).at(-1)}:${line}`, { hitCondition, logMessage, written });
      if ('reason' in breakpoint) answers.push({ verified: false, line, message: breakpoint.reason });
      else {
        set.push(breakpoint);
        const isUsual = 'reason' in place || breakpoint.at === place.kinds[0];
        answers.push({ verified: true, line, ...(!isUsual && { message: `The run stops here ${stopWords[breakpoint.at]}.` }) });
      }
    }
    this.#byPath.set(path, set);
    return answers;
  }

  async #read(
    place: KnownPlace,
    label: string,
    { hitCondition, logMessage: log, written }: { hitCondition: string; logMessage: string | undefined; written: string },
  ): Promise<Breakpoint | { readonly reason: string }> {
    const isWanted = readHitCount(hitCondition.trim() === '' ? '1' : hitCondition);
    if (!isWanted) return { reason: hitCountWords };
    const condition = written.trim() === '' ? undefined : await readStopCondition(written);
    if (condition && 'reason' in condition) return condition;
    const roots = [...(condition?.roots ?? []), ...pathsIn(log ?? '').map((path) => path.split('.')[0] ?? '')];
    const at = place.kinds.find((kind) => roots.every((root) => isShownAt(kind, root)));
    if (at) return { place, at, isWanted, condition, log, label, notes: new Set(), hits: 0 };
    const shown = [...new Set(place.kinds.flatMap((kind) => shownAt[kind]))];
    const missing = roots.find((root) => !shown.includes(root) && root !== 'context');
    if (missing === undefined) return { reason: `No stop at this line shows all of ${roots.join(', ')}.` };
    const where = place.kinds.map((kind) => stopWords[kind]).join(' or ');
    return {
      reason: `The run stops here ${where}, where there is no ${missing}.${didYouMean(nearestNames(missing, shown))} There are: ${shown.join(', ')}.`,
    };
  }

  /** Counts the hits at a stop and prints its log points. The breakpoint that stops the run there, if one does. */
  hitAt(stop: Stop): HitPlace | undefined {
    const all = [...this.#byPath].flatMap(([path, breakpoints]) => breakpoints.map((breakpoint) => ({ path, breakpoint })));
    const near = all.filter(({ breakpoint: { at, place } }) => at === stop.at && place.isAt(stop));
    if (near.length === 0) return undefined;
    const values = valuesAt(stop, undefined);
    const hit = near.filter(({ breakpoint }) => {
      if (!this.#holds(breakpoint, stop, values)) return false;
      breakpoint.hits += 1;
      return breakpoint.isWanted(breakpoint.hits);
    });
    for (const { breakpoint } of hit) if (breakpoint.log !== undefined) this.#print(filledIn(breakpoint.log, values));
    const stopping = hit.find(({ breakpoint }) => breakpoint.log === undefined);
    return stopping && { path: stopping.path, line: stopping.breakpoint.place.line };
  }

  /** A condition that is not known to hold or not stops the run, and says why; one that misses a field says it once. */
  #holds({ condition, notes, label }: Breakpoint, stop: Stop, values: JsonObject): boolean {
    if (!condition) return true;
    const { truth, notes: said } = condition.judge(stop, values);
    const outcome = truth === undefined ? 'It is not known whether the condition holds.' : 'The condition does not hold.';
    if (truth !== true)
      for (const note of said) {
        if (notes.has(note)) continue;
        notes.add(note);
        this.#print(`${label}: ${outcome} ${note}`);
      }
    return truth !== false;
  }
}

/** The input takes the place of the context where there is none. */
function isShownAt(kind: Stop['at'], root: string): boolean {
  return shownAt[kind].includes(root) || (root === 'context' && shownAt[kind].includes('input'));
}

const logged = /\{\{\s*([^{}]*?)\s*\}\}/g;

function pathsIn(log: string): readonly string[] {
  return [...log.matchAll(logged)].map(([, path = '']) => path);
}

function filledIn(log: string, values: JsonObject): string {
  return log.replace(logged, (written, path: string) => {
    const value = valueAtPath(values, path);
    return value === undefined ? `${written} (there is no ${path} here)` : textOf(value);
  });
}
