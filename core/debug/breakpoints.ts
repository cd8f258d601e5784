import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RunResult } from '../agent/events.js';
import type { Stop } from '../agent/gate.js';
import { identifyFile } from '../config/paths.js';
import { gradeRun } from '../eval/gradeRun.js';
import { type Json, type JsonObject, listOf, parseObject } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { loadPatterns } from '../routing/patterns.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import { differenceFrom, lineNow, type SetAt } from './fileChanges.js';
import { hitCountWords, readHitCount } from './hitCount.js';
import { type DebuggedProject, type LaunchArguments, readFile } from './launch.js';
import { type Launched, type Place, placeAt } from './places.js';
import type { PlaceStops } from './placeTypes.js';
import { readStopCondition, type StopCondition } from './stopCondition.js';
import { shownAt, stopWords, textOf, valueAtPath, valuesAt } from './stopValues.js';

/** The line of a breakpoint that was hit. */
export interface HitPlace {
  readonly path: string;
  readonly line: number;
}

interface Breakpoint extends HitPlace {
  readonly id: number;
  /** As it was wanted: one that is set again keeps its hits. */
  readonly wanted: string;
  readonly place: PlaceStops & { readonly setAt: SetAt };
  /** Its file when it was last looked at; undefined: it is gone. */
  fileText: string | undefined;
  /** The frozen configs that it was compared with. */
  readonly compared: WeakSet<Snapshot>;
  /** The kinds of stop at which it is looked at: some of the place's. */
  readonly kinds: readonly Stop['at'][];
  readonly isAt: (stop: Stop) => boolean;
  readonly isWanted: (hits: number) => boolean;
  readonly condition: StopCondition | undefined;
  readonly log: string | undefined;
  /** What was said of it. */
  readonly notes: Set<string>;
  /** Keys of the stops that were hits (`once`). */
  readonly keys: Set<string>;
  hits: number;
}

/** An entry of `expect` in the case that is run. */
interface Expectation extends HitPlace {
  readonly entry: Json;
  readonly expected: Json | undefined;
}

/** The breakpoints of a session, by the path of their file as the editor names it. */
export class Breakpoints {
  readonly #byPath = new Map<string, readonly Breakpoint[]>();
  readonly #expectations = new Map<string, readonly Expectation[]>();
  readonly #print: (line: string) => void;
  readonly #changed: (breakpoint: DebugProtocol.Breakpoint) => void;
  #count = 0;

  /**
   * @param print shows a line to the person: of a log point, or about a condition
   * @param changed shows what became of a breakpoint
   */
  constructor(print: (line: string) => void, changed: (breakpoint: DebugProtocol.Breakpoint) => void) {
    this.#print = print;
    this.#changed = changed;
  }

  /** Replaces those of a file. The answer has one for each wanted one, in that order, and says why one cannot stop. */
  async set(
    opened: DebuggedProject,
    launch: LaunchArguments,
    path: string,
    wanted: readonly DebugProtocol.SourceBreakpoint[],
  ): Promise<DebugProtocol.Breakpoint[]> {
    const file = opened.toProjectPath(path);
    const text = file === undefined ? undefined : await readFile(opened, file);
    const index = await opened.project.index();
    const identity = file === undefined ? undefined : identifyFile(file, index.settings);
    const launched: Launched = {
      orchestration: launch.orchestration,
      payload: index.ids('payload').get(`${launch.orchestration ?? launch.agent?.split('@')[0]}/${launch.case}`),
    };
    const before = this.#byPath.get(path) ?? [];
    const set: Breakpoint[] = [];
    const expectations: Expectation[] = [];
    const answers: DebugProtocol.Breakpoint[] = [];
    for (const { line, hitCondition = '', logMessage: log, condition = '' } of wanted) {
      const refuse = ({ reason }: { readonly reason: string }) => answers.push({ verified: false, line, message: reason });
      if (file === undefined || text === undefined) {
        refuse({ reason: 'This file cannot be read in the project.' });
        continue;
      }
      const place: Place = placeAt({ file, identity, text, launched }, line);
      if ('reason' in place) refuse(place);
      else if ('expectation' in place) {
        if (`${hitCondition}${condition}${log ?? ''}`.trim() !== '')
          refuse({ reason: 'An expectation stops the run where it is not met, once.' });
        else {
          const { expect, expected } = parseObject(text) ?? {};
          expectations.push({
            path,
            line,
            entry: (place.expectation === null ? expect : listOf(expect)[place.expectation]) ?? null,
            expected,
          });
          answers.push({ verified: true, line, message: 'The run stops at its end if this is not met.' });
        }
      } else {
        const written = { hitCondition, log, condition };
        const read = await readBreakpoint(place, { path, line }, written);
        if ('reason' in read) refuse(read);
        else {
          const wanted = JSON.stringify([place.setAt.pointer, written]);
          const { hits, keys, notes } = before.find((each) => each.wanted === wanted) ?? read;
          this.#count += 1;
          const breakpoint = {
            ...read,
            id: this.#count,
            wanted,
            place,
            fileText: text,
            compared: new WeakSet<Snapshot>(),
            hits,
            keys,
            notes,
          };
          set.push(breakpoint);
          const isUsual = place.kinds[0]?.includes(breakpoint.kinds[0] as Stop['at']);
          answers.push({
            id: breakpoint.id,
            verified: true,
            line,
            ...(!isUsual && { message: `The run stops here ${wordsOf(breakpoint.kinds)}.` }),
          });
        }
      }
    }
    this.#byPath.set(path, set);
    this.#expectations.set(path, expectations);
    return answers;
  }

  /** Counts the hits at a stop and prints its log points. The breakpoint that stops the run there, if one does. */
  hitAt(stop: Stop): HitPlace | undefined {
    const near = [...this.#byPath.values()].flat().filter((breakpoint) => this.#isAt(breakpoint, stop));
    if (near.length === 0) return undefined;
    const values = valuesAt(stop, undefined);
    const hit = near.filter((breakpoint) => {
      if (!this.#holds(breakpoint, stop, { ...values, ...breakpoint.place.own?.at(stop) })) return false;
      breakpoint.hits += 1;
      return breakpoint.isWanted(breakpoint.hits);
    });
    for (const { log, place } of hit) if (log !== undefined) this.#print(filledIn(log, { ...values, ...place.own?.at(stop) }));
    return hit.find(({ log }) => log === undefined);
  }

  /** The expectations that a run has not met, each with its reason. Those that cannot be judged are said, and not among them. */
  async unmetBy(result: RunResult): Promise<readonly string[]> {
    const expectations = [...this.#expectations.values()].flat();
    if (expectations.length === 0) return [];
    const patterns = await loadPatterns();
    return expectations.flatMap((expectation) => {
      const { entry, expected } = expectation;
      const [graded] = gradeRun([entry], { result, expected, patterns }).expectations;
      if (graded === undefined || graded.outcome === 'passed') return [];
      const words = `${labelOf(expectation)}: ${graded.outcome === 'unknown' ? 'It is not known whether this is met.' : 'This is not met.'} ${graded.reason}`;
      this.#print(words);
      return graded.outcome === 'failed' ? [words] : [];
    });
  }

  /** Looks where the breakpoints are in their files by now. Called when the run has stopped: nothing watches the files. */
  async followFiles(opened: DebuggedProject): Promise<void> {
    const texts = new Map<string, string | undefined>();
    for (const breakpoint of [...this.#byPath.values()].flat()) {
      const { id, place } = breakpoint;
      const { file } = place.setAt;
      if (!texts.has(file)) texts.set(file, await readFile(opened, file));
      const text = texts.get(file);
      if (text === breakpoint.fileText) continue;
      breakpoint.fileText = text;
      const line = lineNow(place.setAt, text);
      if (typeof line === 'number') this.#changed({ id, verified: true, line });
      else this.#changed({ id, verified: false, message: line.reason });
    }
  }

  #isAt(breakpoint: Breakpoint, stop: Stop): boolean {
    const { kinds, isAt, place, keys, notes, compared, id, line } = breakpoint;
    const snapshot = stop.at === 'route' ? undefined : stop.agent.snapshot;
    if (snapshot && !compared.has(snapshot)) {
      compared.add(snapshot);
      const message = differenceFrom(snapshot, place.setAt);
      if (message !== undefined) {
        this.#say(notes, `${labelOf(breakpoint)}: ${message}`);
        this.#changed({ id, verified: true, line, message });
      }
    }
    if (!kinds.includes(stop.at)) return false;
    if (!isAt(stop)) {
      const missed = place.missed?.(stop);
      if (missed !== undefined) this.#say(notes, `${labelOf(breakpoint)}: ${missed}`);
      return false;
    }
    const key = place.once?.(stop);
    if (key === undefined) return true;
    if (keys.has(key)) return false;
    keys.add(key);
    return true;
  }

  #say(notes: Set<string>, note: string): void {
    if (notes.has(note)) return;
    notes.add(note);
    this.#print(note);
  }

  /** A condition that is not known to hold or not stops the run, and says why; one that misses a field says it once. */
  #holds(breakpoint: Breakpoint, stop: Stop, values: JsonObject): boolean {
    const { condition, notes } = breakpoint;
    if (!condition) return true;
    const { truth, notes: said } = condition.judge(stop, values);
    const outcome = truth === undefined ? 'It is not known whether the condition holds.' : 'The condition does not hold.';
    if (truth !== true) for (const note of said) this.#say(notes, `${labelOf(breakpoint)}: ${outcome} ${note}`);
    return truth !== false;
  }
}

/** For messages: `v1.json:12`. */
function labelOf({ path, line }: HitPlace): string {
  return `${path.split(/[\\/]/).at(-1)}:${line}`;
}

async function readBreakpoint(
  place: PlaceStops,
  at: HitPlace,
  written: { readonly hitCondition: string; readonly log: string | undefined; readonly condition: string },
): Promise<Omit<Breakpoint, 'id' | 'wanted' | 'place' | 'fileText' | 'compared'> | { readonly reason: string }> {
  const { log } = written;
  const isWanted = readHitCount(written.hitCondition.trim() === '' ? '1' : written.hitCondition);
  if (!isWanted) return { reason: hitCountWords };
  const namesOfPlace = place.own?.names ?? [];
  const condition = written.condition.trim() === '' ? undefined : await readStopCondition(inFull(written.condition, namesOfPlace));
  if (condition && 'reason' in condition) return condition;
  const roots = [...(condition?.roots ?? []), ...pathsIn(log ?? '').map((path) => path.split('.')[0] ?? '')];
  const shownBy = (kind: Stop['at']) => roots.every((root) => namesOfPlace.includes(root) || isShownAt(kind, root));
  const kinds = place.kinds.map((group) => group.filter(shownBy)).find((group) => group.length > 0);
  const isAt = (!roots.some((root) => namesOfPlace.includes(root)) && place.usually) || place.isAt;
  if (kinds) return { ...at, kinds, isAt, isWanted, condition, log, notes: new Set(), keys: new Set(), hits: 0 };
  const all = place.kinds.flat();
  const names = [...new Set([...namesOfPlace, ...all.flatMap((kind) => shownAt[kind])])];
  const missing = roots.find((root) => !names.includes(root) && root !== 'context');
  if (missing === undefined) return { reason: `No stop at this line shows all of ${[...new Set(roots)].join(', ')}.` };
  const nearest = didYouMean(nearestNames(missing, names));
  return { reason: `The run stops here ${wordsOf(all)}, where there is no ${missing}.${nearest} There are: ${names.join(', ')}.` };
}

/** A routing rule has one value, and its name is enough: `failed`. */
function inFull(condition: string, own: readonly string[]): string {
  const word = condition.trim();
  if (!own.includes('rule') || !/^(?:taken|failed)$/.test(word)) return condition;
  return JSON.stringify({ field: 'rule', operator: 'equals', value: word });
}

function wordsOf(kinds: readonly Stop['at'][]): string {
  return kinds.map((kind) => stopWords[kind]).join(' or ');
}

/** The input takes the place of the context where there is none. */
function isShownAt(kind: Stop['at'], root: string): boolean {
  return shownAt[kind].includes(root) || (root === 'context' && shownAt[kind].includes('input'));
}

const logged = /\{\{([^{}]*)\}\}/g;

function pathsIn(log: string): readonly string[] {
  return [...log.matchAll(logged)].map(([, path = '']) => path.trim());
}

function filledIn(log: string, values: JsonObject): string {
  return log.replace(logged, (written, inner: string) => {
    const path = inner.trim();
    const value = valueAtPath(values, path);
    return value === undefined ? `${written} (there is no ${path} here)` : textOf(value);
  });
}
