import type { MemoryIndex } from '../config/memoryIndex.js';
import type { AnyFinding } from '../finding.js';
import { type Kind, kinds } from '../kinds.js';
import { compareNatural } from '../names.js';

/** A config file and its state. */
export interface FileState {
  readonly kind: Kind;
  /** How other files refer to it: `name`, or `name@version`. */
  readonly id: string;
  /** Project path. */
  readonly file: string;
  /** `unused`: without errors and warnings, and nothing refers to this llm profile, persona or prompt. */
  readonly state: 'ok' | 'errors' | 'warnings' | 'unused';
  readonly errors: number;
  readonly warnings: number;
}

/** Kinds that are useless without a reference to them. Agents and orchestrations can be run directly. */
const referredTo: readonly Kind[] = ['llm', 'persona', 'prompt'];

/** Every config file of a project, by kind and in natural order. @param index the index after the check that gave the findings */
export function fileStates(index: MemoryIndex, findings: readonly AnyFinding[]): readonly FileState[] {
  const counts = new Map<string, { errors: number; warnings: number }>();
  for (const { file, severity } of findings) {
    const count = counts.get(file) ?? { errors: 0, warnings: 0 };
    if (severity === 'error') count.errors += 1;
    if (severity === 'warning') count.warnings += 1;
    counts.set(file, count);
  }
  const states = index.files().map(({ path, identity: { kind, id } }): FileState => {
    const { errors = 0, warnings = 0 } = counts.get(path) ?? {};
    const isUsed = !referredTo.includes(kind) || index.referencesTo(kind, id).some(({ file }) => file !== path);
    const state = errors > 0 ? 'errors' : warnings > 0 ? 'warnings' : isUsed ? 'ok' : 'unused';
    return { kind, id, file: path, state, errors, warnings };
  });
  return states.sort((left, right) => kinds.indexOf(left.kind) - kinds.indexOf(right.kind) || compareNatural(left.id, right.id));
}
