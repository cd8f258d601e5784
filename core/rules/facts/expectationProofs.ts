import { type CasePart, casesIn, type ExpectEntry, entriesIn } from '../../config/caseParts.js';
import type { ConfigFile } from '../../config/configFile.js';
import { comparisonsIn } from '../../config/orchestrationParts.js';
import type { ProjectIndex } from '../../config/projectIndex.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import { createChoiceContext } from '../../routing/prover/choiceContext.js';
import { type ExpectationProof, type ExpectationScope, proveExpectations } from '../../routing/prover/proveExpectations.js';
import type { ChoiceContext } from '../../routing/prover/question.js';
import type { FaultyTest } from '../../routing/prover/routingModel.js';
import { type Example, readExpectation } from '../../routing/readExpectation.js';
import { fitsSimply } from '../../schema/simpleSchema.js';
import { canonicalJson } from '../../snapshot/canonicalJson.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { type EvalScope, evalScopeOf, hasPatterns } from './evalSubject.js';

/** What is proven about the expectations of a payload. */
export interface PayloadProof {
  /** Expectations that cannot be meant, each once. */
  readonly faults: readonly FaultyTest[];
  /** Entries that no run meets together: of one case, with those that hold for all. One alone contradicts itself. */
  readonly conflicts: readonly (readonly ExpectEntry[])[];
  /** Whether no run meets all of these, as far as it can be proven. */
  readonly isImpossible: (entries: readonly ExpectEntry[]) => boolean;
}

/** Comparisons looked at for all cases of a file; some hundred milliseconds. What is not decided by then stays unknown. */
const mostWork = 10_000_000;

/** Made once for all rules that ask. */
export const expectationProofsOf = forLastFile((file: ConfigFile, context: RuleContext): PayloadProof | undefined => {
  const scope = evalScopeOf(file, context);
  if (scope === undefined || !isObject(file.value)) return undefined;
  const contexts = new Map<JsonObject, ChoiceContext>();
  const mayBePartial = scope.kind === 'orchestration';
  const proving: ExpectationScope = {
    contracts: scope.contracts,
    mayBePartial,
    effort: { left: mostWork },
    contextOf(schema) {
      const cached = contexts.get(schema) ?? createChoiceContext(schema, { schemas: context.schemas, patterns: context.patterns });
      contexts.set(schema, cached);
      return cached;
    },
  };
  const prove = createProver(proving, earlierProofs(scope, context));
  const faults = new Map<string, FaultyTest>();
  const conflicts = new Map<string, readonly ExpectEntry[]>();
  for (const { entries, example } of casesWithEntries(file.value)) {
    const proof = prove(entries, example);
    for (const faulty of proof.faults) faults.set(`${faulty.fault.type} ${faulty.fault.pointer}`, faulty);
    // What follows from a comparison that cannot be meant is not told beside it.
    const sound = entries.filter(({ pointer }) => !proof.faults.some(({ test }) => isBelow(test.pointer, pointer)));
    const { conflict } = sound.length === entries.length ? proof : prove(sound, example);
    const together = conflict.map((index) => sound[index] as ExpectEntry);
    if (together.length > 0) conflicts.set(together.map(({ pointer }) => pointer).join(' '), together);
  }
  return {
    faults: [...faults.values()],
    conflicts: [...conflicts.values()],
    isImpossible: (entries) => prove(entries, undefined).conflict.length > 0,
  };
});

function isBelow(pointer: string, around: string): boolean {
  return pointer === around || pointer.startsWith(`${around}/`);
}

/** The cases of a payload with all that is expected of each. */
export function* casesWithEntries(payload: JsonObject): Generator<{
  readonly part: CasePart;
  readonly entries: readonly ExpectEntry[];
  readonly example: Example | undefined;
}> {
  const isSet = Array.isArray(payload.cases);
  const shared = isSet ? entriesIn({ value: payload, pointer: '' }) : [];
  for (const part of casesIn(payload)) {
    const own = part.value.expected;
    const example = own === undefined && isSet ? payload.expected : own;
    const at = own === undefined ? '' : part.pointer;
    yield {
      part,
      entries: [...shared, ...entriesIn(part)],
      example: example === undefined ? undefined : { value: example, pointer: `${at}/expected` },
    };
  }
}

/** What is proven of some entries, places apart. */
interface KeptProof extends ExpectationProof {
  /** Comparisons it took. */
  readonly cost: number;
}

interface KeptProofs {
  /** All that proofs depend on, the entries apart. */
  readonly key: string;
  /** Those of the file that was checked last. */
  readonly proofs: Map<string, KeptProof>;
}

/** By project: while a file is typed, nearly all of its cases stay as they are. */
const lastProofs = new WeakMap<ProjectIndex, KeptProofs>();

/** The proofs of the last file, where the same contracts are asked, and where to keep those of this one. */
function earlierProofs({ kind, contracts }: EvalScope, { project, schemas, patterns }: RuleContext) {
  const asked = [...contracts].map(([part, { output_schema, defaults }]): Json => [part, output_schema, defaults ?? null]);
  const key = canonicalJson([kind, asked, schemas !== undefined, patterns !== undefined]);
  const last = lastProofs.get(project);
  const proofs: KeptProofs['proofs'] = new Map();
  lastProofs.set(project, { key, proofs });
  return { earlier: last?.key === key ? last.proofs : proofs, proofs };
}

/** Most cases of a data set expect the same of other inputs, so every proof is made once. One that was made earlier counts with its cost again. */
function createProver(scope: ExpectationScope, { earlier, proofs: known }: ReturnType<typeof earlierProofs>) {
  const { effort } = scope;
  const takenOver = (key: string): KeptProof | undefined => {
    const proof = earlier.get(key);
    if (proof === undefined || proof.cost > effort.left) return undefined;
    effort.left -= proof.cost;
    known.set(key, proof);
    return proof;
  };
  const made = (key: string, entries: readonly ExpectEntry[], example: Example | undefined): KeptProof => {
    const { left } = effort;
    const read = entries.map(({ value }, index) => readExpectation(value, `/${index}`, example));
    const proof = { ...proveExpectations(read, scope), cost: left - effort.left };
    // One that was given up might be made next time.
    if (effort.left >= 0) known.set(key, proof);
    return proof;
  };
  return (entries: readonly ExpectEntry[], example: Example | undefined): ExpectationProof => {
    const isCompared = example !== undefined && entries.some(({ value }) => mayLackValue(value));
    const key = canonicalJson([entries.map(({ value }) => value), isCompared ? example.value : null]);
    const proof =
      known.get(key) ?? takenOver(key) ?? made(key, entries, isCompared ? { value: example.value, pointer: '/expected' } : undefined);
    return proof.faults.length === 0 ? proof : { ...proof, faults: proof.faults.map((faulty) => placed(faulty, entries, example)) };
  };
}

/** An expectation without `value` compares with the example answer. */
function mayLackValue(entry: Json): boolean {
  return comparisonsIn(entry, '').some(({ value }) => value.value === undefined);
}

/** A fault with its places in the file. */
function placed({ test, fault }: FaultyTest, entries: readonly ExpectEntry[], example: Example | undefined): FaultyTest {
  const inFile = (pointer: string) => {
    if (isBelow(pointer, '/expected')) return (example?.pointer ?? '') + pointer.slice('/expected'.length);
    const [, index = '', rest = ''] = /^\/(\d+)(.*)$/s.exec(pointer) ?? [];
    return (entries[Number(index)]?.pointer ?? '') + rest;
  };
  return { test: { ...test, pointer: inFile(test.pointer) }, fault: { ...fault, pointer: inFile(fault.pointer) } };
}

/** Whether the proofs depend on more than simple schemas: the prover decides less without the compiler. */
export function needsExpectationTools(file: ConfigFile, context: RuleContext): boolean {
  const scope = evalScopeOf(file, context);
  if (scope === undefined) return false;
  return hasPatterns(file) || [...scope.contracts.values()].some(({ output_schema }) => fitsSimply(output_schema, null) === undefined);
}
