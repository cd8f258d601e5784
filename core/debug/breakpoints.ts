import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Stop } from '../agent/gate.js';
import { identifyFile } from '../config/paths.js';
import { type DebuggedProject, readFile } from './launch.js';
import { type Place, placeAt } from './places.js';
import { textOf, valueAtPath, valuesAt } from './stopValues.js';

interface Breakpoint {
  readonly place: Extract<Place, { isAt: unknown }>;
  /** Stops at this hit and all later ones. */
  readonly from: number;
  readonly log: string | undefined;
  hits: number;
}

/** The breakpoints of a session, by the path of their file as the editor names it. */
export class Breakpoints {
  readonly #byPath = new Map<string, readonly Breakpoint[]>();
  readonly #log: (line: string) => void;

  /** @param log prints the line of a log point */
  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  /** Replaces those of a file. The answer has one for each wanted one, in that order, and says why one cannot stop. */
  async set(opened: DebuggedProject, path: string, wanted: readonly DebugProtocol.SourceBreakpoint[]): Promise<DebugProtocol.Breakpoint[]> {
    const file = opened.toProjectPath(path);
    const text = file === undefined ? undefined : await readFile(opened, file);
    const index = await opened.project.index();
    const identity = file === undefined ? undefined : identifyFile(file, index.settings);
    const set: Breakpoint[] = [];
    const answers = wanted.map(({ line, hitCondition, logMessage, condition }): DebugProtocol.Breakpoint => {
      const refuse = (message: string) => ({ verified: false, line, message });
      if (text === undefined) return refuse('This file cannot be read in the project.');
      if (condition !== undefined) return refuse('Conditions of breakpoints are not supported yet.');
      const from = hitCondition === undefined ? 1 : Number(hitCondition);
      if (!Number.isSafeInteger(from) || from < 1)
        return refuse('A hit count is a whole number: the run stops at this hit and all later ones.');
      const place = placeAt(identity, text, line);
      if ('reason' in place) return refuse(place.reason);
      set.push({ place, from, log: logMessage, hits: 0 });
      return { verified: true, line };
    });
    this.#byPath.set(path, set);
    return answers;
  }

  /** Counts the hits at a stop and prints its log points. Whether the run stops there. */
  isHitAt(stop: Stop): boolean {
    const hit = [...this.#byPath.values()].flat().filter((breakpoint) => {
      if (!breakpoint.place.isAt(stop)) return false;
      breakpoint.hits += 1;
      return breakpoint.hits >= breakpoint.from;
    });
    for (const { log } of hit) {
      if (log === undefined) continue;
      const values = valuesAt(stop, undefined);
      this.#log(log.replace(/\{\{([^{}]*)\}\}/g, (_, path: string) => textOf(valueAtPath(values, path))));
    }
    return hit.some(({ log }) => log === undefined);
  }
}
