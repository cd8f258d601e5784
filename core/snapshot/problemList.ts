import type { LayerProblem } from './effective.js';

/** Problems of layering as they are found. A value that serves two fields is looked at twice, and reported once. */
export function createProblemList(): { readonly report: (problem: LayerProblem) => void; readonly all: () => readonly LayerProblem[] } {
  const problems = new Map<string, LayerProblem>();
  return {
    report: (problem) => void problems.set(JSON.stringify([problem.code, problem.file, problem.pointer, problem.message]), problem),
    all: () => Object.freeze([...problems.values()]),
  };
}
