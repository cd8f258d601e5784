import { agentsOfSnapshot } from '../agent/load/agentsOfSnapshot.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import type { Snapshot } from '../snapshot/createSnapshot.js';
import { createInputCheck } from './orchestrationInput.js';
import type { Orchestration } from './types.js';

/** An orchestration made from its snapshot alone. Undefined for the snapshot of an agent. */
export function orchestrationOfSnapshot(snapshot: Snapshot, schemas: SchemaCompiler): Orchestration | undefined {
  const { orchestration: frozen } = snapshot.value;
  const { name } = snapshot.value;
  return (
    frozen &&
    Object.freeze({
      snapshot,
      frozen,
      agents: agentsOfSnapshot(snapshot, { schemas }),
      checkInput: createInputCheck(name, frozen, schemas),
    })
  );
}
