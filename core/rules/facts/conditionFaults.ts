import type { ConfigFile } from '../../config/configFile.js';
import { operators } from '../../generated/operators.js';
import { isObject, type Json, valueAt } from '../../json.js';
import { didYouMean, nearestNames } from '../../names.js';
import type { JsonType } from '../../routing/operators/operator.js';
import type { ConditionFault } from '../../routing/prover/conditionFaults.js';
import { listed, quoted } from '../../words.js';
import type { RuleContext } from '../rule.js';
import { planFaultsOf, planNeedsProverTools } from './planProof.js';
import { needsProverTools, teamProofsOf } from './routingProofs.js';

/**
 * Every fault of some types in the conditions of teams or of a plan, with its place and its subject; `task` is undefined for a
 * field of the context, and `what` is the word for a task there.
 */
export function* faultsOf<Type extends ConditionFault['type']>(file: ConfigFile, context: RuleContext, ...types: readonly Type[]) {
  const isTeam = file.identity.kind === 'orchestration';
  for (const { fault, pointer, contracts } of isTeam ? teamFaultsOf(file, context) : planFaultsOf(file, context)) {
    if (!(types as readonly string[]).includes(fault.type)) continue;
    const test = valueAt(file.value, testPointer(pointer));
    const { task: named, step, output_field, context_field } = isObject(test) ? test : {};
    const task = output_field === undefined ? undefined : (named ?? step);
    yield {
      fault: fault as FaultOf<Type>,
      pointer,
      what: isTeam ? 'task' : 'step',
      task: typeof task === 'string' ? task : undefined,
      path: String(output_field ?? context_field),
      contract: typeof task === 'string' ? contracts.get(task) : undefined,
    };
  }
}

/** Whether the findings depend on more than simple schemas. */
export function needsConditionTools(file: ConfigFile, context: RuleContext): boolean {
  return file.identity.kind === 'orchestration' ? needsProverTools(file, context) : planNeedsProverTools(file, context);
}

function teamFaultsOf(file: ConfigFile, context: RuleContext) {
  return teamProofsOf(file, context).flatMap(({ team, proof, contracts }) =>
    proof.faults.map((fault) => ({ fault, pointer: team.pointer + fault.pointer, contracts })),
  );
}

/** The comparison of a fault, whose pointer may name one of its members; `value` may be followed by an index. */
function testPointer(pointer: string): string {
  return pointer.replace(/\/(?:task|output_field|operator|value(?:\/\d+)?)$/, '');
}

/** The allowed values that resemble a value: similar texts, or the same value in another type (`"3"` for 3). */
function nearestOf(value: Json, allowed: readonly Json[]): readonly Json[] {
  const same = allowed.filter((candidate) => typeof candidate !== typeof value && String(candidate) === String(value));
  const texts = allowed.filter((candidate) => typeof candidate === 'string');
  return same.length > 0 || typeof value !== 'string' || texts.length > 1_000 ? same : nearestNames(value, texts);
}

const words: Readonly<Record<JsonType, string>> = {
  null: 'null',
  boolean: 'true or false',
  number: 'a number',
  string: 'a text',
  array: 'a list',
  object: 'an object',
};

/** `a number or null`. */
function eitherType(types: readonly JsonType[]): string {
  return types.map((type) => words[type]).join(' or ');
}

type FaultOf<Type> = Extract<ConditionFault, { type: Type }>;

/** Message and data about an operator that cannot use its value. @param missing the end of the message without a value */
export function valueTypeFinding({ operator, value, expects }: FaultOf<'value-type'>, missing: string) {
  const actual = value === undefined ? missing : `not ${quoted(value)}`;
  return { message: `${operator} compares with ${eitherType(expects)}: give one as value, ${actual}.`, data: { operator, expects } };
}

/** Message and data about an operator that never matches the type of `subject`. */
export function operatorTypeFinding({ operator, types }: FaultOf<'operator-type'>, subject: string) {
  const suitable = operators.filter(({ takes, suits }) => types.every((type) => (suits ?? takes).includes(type)));
  const nearest = suitable.map(({ name }) => name);
  const message = `${operator} never matches ${subject}, which is ${eitherType(types)}. These do: ${nearest.join(', ')}.`;
  return { message, data: { operator, types, nearest } };
}

/** The end of a message about a value outside the allowed values, and its data. */
export function valueAdvice(value: Json | undefined, allowed: readonly Json[] | undefined) {
  const nearest = allowed === undefined || value === undefined ? [] : nearestOf(value, allowed);
  const texts = nearest.filter((candidate) => typeof candidate === 'string');
  const all = allowed === undefined || allowed.length === 0 ? '' : ` It is ${listed(allowed, 'or')}.`;
  const data = { value, nearest, ...(allowed && { allowed: allowed.slice(0, mostListed) }) };
  return { advice: texts.length > 0 ? didYouMean(texts) : all, data };
}

const mostListed = 100;
