import { type CasePart, casesIn, type ExpectEntry, entriesIn } from '../../config/caseParts.js';
import type { ConfigFile } from '../../config/configFile.js';
import { comparisonsIn } from '../../config/orchestrationParts.js';
import { isObject, type Json, type JsonObject } from '../../json.js';
import { createChoiceContext } from '../../routing/prover/choiceContext.js';
import { type ExpectationProof, type ExpectationScope, proveExpectations } from '../../routing/prover/proveExpectations.js';
import type { ChoiceContext } from '../../routing/prover/question.js';
import type { FaultyTest } from '../../routing/prover/routingModel.js';
import { type Example, readExpectation } from '../../routing/readExpectation.js';
import { fitsSimply } from '../../schema/simpleSchema.js';
import { canonicalJson } from '../../snapshot/canonicalJson.js';
import type { RuleContext } from '../rule.js';
import { evalScopeOf, hasPatterns } from './evalSubject.js';
import { forLastFile } from './forLastFile.js';

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
  const proving: ExpectationScope = {
    contracts: scope.contracts,
    mayBePartial: scope.kind === 'orchestration',
    effort: { left: mostWork },
    contextOf(schema) {
      const known = contexts.get(schema) ?? createChoiceContext(schema, { schemas: context.schemas, patterns: context.patterns });
      contexts.set(schema, known);
      return known;
    },
  };
  const prove = createProver(proving);
  const faults = new Map<string, FaultyTest>();
  const conflicts = new Map<string, readonly ExpectEntry[]>();
  for (const { entries, example } of casesWithEntries(file.value)) {
    const found = prove(entries, example);
    for (const faulty of found.faults) faults.set(`${faulty.fault.type} ${faulty.fault.pointer}`, faulty);
    // What follows from a comparison that cannot be meant is not told beside it.
    const sound = entries.filter(({ pointer }) => !found.faults.some(({ test }) => isBelow(test.pointer, pointer)));
    const { conflict } = sound.length === entries.length ? found : prove(sound, example);
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

/** Most cases of a data set expect the same of other inputs, so what is proven of some entries is kept; places apart. */
function createProver(scope: ExpectationScope) {
  const known = new Map<string, ExpectationProof>();
  return (entries: readonly ExpectEntry[], example: Example | undefined): ExpectationProof => {
    const isCompared = example !== undefined && entries.some(({ value }) => mayLackValue(value));
    const key = canonicalJson([entries.map(({ value }) => value), isCompared ? example.value : null]);
    let proof = known.get(key);
    if (proof === undefined) {
      const read = entries.map(({ value }, index) =>
        readExpectation(value, `/${index}`, isCompared ? { value: example.value, pointer: '/expected' } : undefined),
      );
      proof = proveExpectations(read, scope);
      known.set(key, proof);
    }
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
