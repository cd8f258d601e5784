import type { CasePart, ExpectEntry } from '../config/caseParts.js';
import { casesIn } from '../config/caseParts.js';
import type { ConfigFile } from '../config/configFile.js';
import { isObject, type Json, type JsonObject } from '../json.js';
import { canonicalJson } from '../snapshot/canonicalJson.js';
import { quoted } from '../words.js';
import { casesWithEntries, expectationProofsOf, needsExpectationTools } from './facts/expectationProofs.js';
import type { Report, Rule, RuleContext } from './rule.js';

/** Two cases with the same name in a data set, or with the same input where at most one can pass. A case without a name has its number as name. */
export const caseDuplicate: Rule = {
  code: 'case-duplicate',
  severity: 'error',
  kinds: ['payload'],
  on: 'value',
  needsSchemas: needsExpectationTools,
  check(file, context, report) {
    if (!isObject(file.value) || !Array.isArray(file.value.cases)) return;
    reportNames(file, report);
    reportInputs(file, file.value, context, report);
  },
};

function reportNames(file: ConfigFile, report: Report): void {
  const firstByName = new Map<string, CasePart>();
  const cases = casesIn(file.value);
  const taken = new Set(cases.map(({ name }) => name));
  for (const part of cases) {
    const { name, pointer } = part;
    const first = firstByName.get(name);
    if (first === undefined) {
      firstByName.set(name, part);
      continue;
    }
    const free = freeName(name, taken);
    const isNamed = part.value.name === name;
    report({
      ...(isNamed ? { pointer: `${pointer}/name` } : { pointer, target: 'key' }),
      related: [{ file: file.path, ...placeOf(first), message: `The first case ${quoted(name)} is here.` }],
      message: isNamed
        ? `Another case is called ${quoted(name)}${first.value.name === name ? '' : ', by its number'}, so neither can be chosen by its name. Give it a name of its own.`
        : `This case has no name, and another is called by its number, ${quoted(name)}. Give it a name of its own.`,
      data: { name, replacement: free },
    });
  }
}

function placeOf({ value, name, pointer }: CasePart): { readonly pointer: string; readonly target?: 'key' } {
  return value.name === name ? { pointer: `${pointer}/name` } : { pointer };
}

/** A name such as `login_2`, added to `taken`. */
function freeName(name: string, taken: Set<string>): string {
  const base = /^\d+$/.test(name) ? `case_${name}` : name;
  let free = base;
  for (let number = 2; taken.has(free); number += 1) free = `${base}_${number}`;
  taken.add(free);
  return free;
}

interface Expecting {
  readonly part: CasePart;
  readonly entries: readonly ExpectEntry[];
  readonly rate: number;
}

/** Maximum number of cases with the same input that are compared with each other. */
const mostAlike = 20;

function reportInputs(file: ConfigFile, value: JsonObject, context: RuleContext, report: Report): void {
  const proofs = expectationProofsOf(file, context);
  if (proofs === undefined) return;
  const byInput = new Map<string, Expecting[]>();
  for (const { part, entries, example } of casesWithEntries(value)) {
    const input = part.value.input ?? part.value.context;
    // Cases that compare with an example answer are skipped: each has its own example. So are turns: the answers before them differ.
    if (part.pointer.includes('/turns/') || entries.length === 0 || input === undefined || example !== undefined) continue;
    const key = canonicalJson(input);
    const alike = byInput.get(key) ?? [];
    byInput.set(key, alike);
    const rate = rateOf(part.value.pass_rate) ?? rateOf(value.pass_rate) ?? 1;
    if (alike.length < mostAlike) {
      const other = alike.find((candidate) => candidate.rate + rate > 1 && proofs.isImpossible([...candidate.entries, ...entries]));
      // A case that no run can pass has a finding already.
      if (other !== undefined && !proofs.isImpossible(entries) && !proofs.isImpossible(other.entries)) {
        const key = part.value.input === undefined ? 'context' : 'input';
        report({
          pointer: `${part.pointer}/${key}`,
          target: 'key',
          related: [{ file: file.path, ...placeOf(other.part), message: 'The other case is here.' }],
          message: `The case ${quoted(other.part.name)} has the same ${key}, and no answer meets what both expect. Change or remove one of them.`,
          data: { other: other.part.name },
        });
      }
      alike.push({ part, entries, rate });
    }
  }
}

function rateOf(rate: Json | undefined): number | undefined {
  return typeof rate === 'number' ? rate : undefined;
}
