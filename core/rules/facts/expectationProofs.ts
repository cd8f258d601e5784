import { type CasePart, casesIn, type ExpectEntry, entriesIn, turnsIn } from '../../config/caseParts.js';
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

/** The proofs about the expectations of a payload. */
export interface PayloadProof {
  /** Expectations with a fault, each once. */
  readonly faults: readonly FaultyTest[];
  /** Entries of a case, or of all cases, that no run meets together. A single entry contradicts itself. */
  readonly conflicts: readonly (readonly ExpectEntry[])[];
  /** Whether no run meets all of these, as far as it can be proven. */
  readonly isImpossible: (entries: readonly ExpectEntry[]) => boolean;
}

/** Maximum comparisons for all cases of a file, some hundred milliseconds. Whatever is undecided by then stays unknown. */
const mostWork = 10_000_000;

/** Computed once for all rules. */
export const expectationProofsOf = forLastFile((file: ConfigFile, context: RuleContext): PayloadProof | undefined => {
  const scope = evalScopeOf(file, context);
  if (scope === undefined || !isObject(file.value)) return undefined;
  const contexts = new Map<JsonObject, ChoiceContext>();
  const mayBePartial = scope.kind === 'orchestration';
  const proofScope: ExpectationScope = {
    contracts: scope.contracts,
    mayBePartial,
    effort: { left: mostWork },
    contextOf(schema) {
      const cached = contexts.get(schema) ?? createChoiceContext(schema, { schemas: context.schemas, patterns: context.patterns });
      contexts.set(schema, cached);
      return cached;
    },
  };
  const prove = createProver(proofScope, earlierProofs(scope, context));
  const faults = new Map<string, FaultyTest>();
  const conflicts = new Map<string, readonly ExpectEntry[]>();
  for (const { entries, example } of casesWithEntries(file.value)) {
    const proof = prove(entries, example);
    for (const faulty of proof.faults) faults.set(`${faulty.fault.type} ${faulty.fault.pointer}`, faulty);
    // A conflict that follows from a faulty comparison is not reported as well.
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

/** The cases of a payload, or their turns, with all expectations of each. */
export function* casesWithEntries(payload: JsonObject): Generator<{
  readonly part: CasePart;
  readonly entries: readonly ExpectEntry[];
  readonly example: Example | undefined;
}> {
  const isSet = Array.isArray(payload.cases);
  const shared = isSet ? entriesIn({ value: payload, pointer: '' }) : [];
  for (const part of casesIn(payload).flatMap(turnsIn)) {
    const ownExample = part.value.expected;
    const example = ownExample === undefined && isSet ? payload.expected : ownExample;
    const at = ownExample === undefined ? '' : part.pointer;
    yield {
      part,
      entries: [...shared, ...entriesIn(part)],
      example: example === undefined ? undefined : { value: example, pointer: `${at}/expected` },
    };
  }
}

/** The proof about some entries, without their places. */
interface KeptProof extends ExpectationProof {
  /** The number of comparisons that it took. */
  readonly cost: number;
}

interface KeptProofs {
  /** Everything that proofs depend on, except the entries. */
  readonly key: string;
  /** The proofs of the file checked last. */
  readonly proofs: Map<string, KeptProof>;
}

/** By project: while a file is edited, nearly all of its cases stay the same. */
const lastProofs = new WeakMap<ProjectIndex, KeptProofs>();

/** The proofs of the last file, if its contracts are the same, and the map for those of this file. */
function earlierProofs({ kind, contracts }: EvalScope, { project, schemas, patterns }: RuleContext) {
  const contractKeys = [...contracts].map(([part, { output_schema, defaults }]): Json => [part, output_schema, defaults ?? null]);
  const key = canonicalJson([kind, contractKeys, schemas !== undefined, patterns !== undefined]);
  const last = lastProofs.get(project);
  const proofs: KeptProofs['proofs'] = new Map();
  lastProofs.set(project, { key, proofs });
  return { earlier: last?.key === key ? last.proofs : proofs, proofs };
}

/** Most cases of a data set expect the same for other inputs, so each proof is made once. Reusing an earlier proof charges its cost again. */
function createProver(scope: ExpectationScope, { earlier, proofs }: ReturnType<typeof earlierProofs>) {
  const { effort } = scope;
  const reuse = (key: string): KeptProof | undefined => {
    const proof = earlier.get(key);
    if (proof === undefined || proof.cost > effort.left) return undefined;
    effort.left -= proof.cost;
    proofs.set(key, proof);
    return proof;
  };
  const prove = (key: string, entries: readonly ExpectEntry[], example: Example | undefined): KeptProof => {
    const { left } = effort;
    const read = entries.map(({ value }, index) => readExpectation(value, `/${index}`, example));
    const proof = { ...proveExpectations(read, scope), cost: left - effort.left };
    // A proof that ran out of effort may succeed next time.
    if (effort.left >= 0) proofs.set(key, proof);
    return proof;
  };
  return (entries: readonly ExpectEntry[], example: Example | undefined): ExpectationProof => {
    const isCompared = example !== undefined && entries.some(({ value }) => mayLackValue(value));
    const key = canonicalJson([entries.map(({ value }) => value), isCompared ? example.value : null]);
    const proof =
      proofs.get(key) ?? reuse(key) ?? prove(key, entries, isCompared ? { value: example.value, pointer: '/expected' } : undefined);
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
