import { splitAgentReference } from '../config/agentReference.js';
import { expectationsIn } from '../config/caseParts.js';
import type { ConfigFile } from '../config/configFile.js';
import { isObject, type Json, listOf } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { domainOf } from '../routing/prover/domain.js';
import { OutputContract } from '../schema/outputContract.js';
import { childOf, resolved } from '../schema/schemaChild.js';
import { listed, quoted } from '../words.js';
import { agentContractOf, evalScopeOf } from './facts/evalSubject.js';
import { findSetting, layersOf } from './facts/layers.js';
import type { Contract } from './facts/routingProofs.js';
import type { Rule, RuleContext } from './rule.js';

/** The keys of a judge's input. */
const judgeInput = ['input', 'output', 'expected', 'text'];

/** The same in a turn of a conversation. */
const conversationInput = [...judgeInput, 'conversation'];

/** A judge that judges itself, answers without fields, requires input that no judge gets, or may give any text as its verdict. */
export const judgeUnfit: Rule = {
  code: 'judge-unfit',
  severity: 'warning',
  kinds: ['payload'],
  on: 'value',
  check(file, context, report) {
    const scope = evalScopeOf(file, context);
    if (scope === undefined) return;
    const faultsByJudge = new Map<
      string,
      { readonly faults: readonly string[]; readonly contract: Contract | undefined; readonly judge: ConfigFile }
    >();
    const freeFields = new Map<string, boolean>();
    for (const { value, pointer } of expectationsIn(file.value)) {
      const { judge: reference, output_field, operator } = value;
      const judge = typeof reference === 'string' ? scope.judges.get(reference) : undefined;
      if (typeof reference !== 'string' || judge === undefined) continue;
      const inputs = pointer.includes('/turns/') ? conversationInput : judgeInput;
      const key = `${reference} ${inputs.length}`;
      let fault = faultsByJudge.get(key);
      if (fault === undefined) {
        const isSelf = scope.kind === 'agent' && splitAgentReference(reference).name === scope.name;
        const contract = agentContractOf(judge, context);
        fault = { judge, contract, faults: [...faultsOf({ judge, contract, isSelf, inputs }, context)] };
        faultsByJudge.set(key, fault);
      }
      for (const message of fault.faults) report({ pointer: `${pointer}/judge`, message, data: { judge: reference } });
      if (fault.contract === undefined || fault.contract.isText || !comparesWords.has(operator) || typeof output_field !== 'string')
        continue;
      const field = JSON.stringify([reference, output_field]);
      if (!freeFields.has(field)) freeFields.set(field, isFreeText(fault.contract, output_field));
      if (freeFields.get(field) !== true) continue;
      report({
        pointer: `${pointer}/output_field`,
        message: `${quoted(output_field)} of the judge ${quoted(reference)} is any text, so nothing limits it to the expected values. Give the field an enum, and the agent "mode": "Chooser".`,
        related: [{ file: fault.contract.file, pointer: fault.contract.pointer, target: 'key', message: 'Its answer is described here.' }],
        data: { judge: reference },
      });
    }
  },
};

/** How fit an agent is to judge cases of others: `unfit` with a fault, `choosing` with a field of listed values. */
export function judgeFitness(judge: ConfigFile, context: RuleContext): 'choosing' | 'free' | 'unfit' {
  const contract = agentContractOf(judge, context);
  const [fault] = faultsOf({ judge, contract, isSelf: false, inputs: judgeInput }, context);
  if (fault !== undefined) return 'unfit';
  const properties = contract?.output_schema.properties;
  const fields = contract && isObject(properties) ? Object.keys(properties) : [];
  return contract !== undefined && fields.some((field) => !isFreeText(contract, field)) ? 'choosing' : 'free';
}

const comparesWords: ReadonlySet<Json | undefined> = new Set(['equals', 'not_equals', 'in']);

interface Judging {
  readonly judge: ConfigFile;
  readonly contract: Contract | undefined;
  readonly isSelf: boolean;
  /** The keys of its input. */
  readonly inputs: readonly string[];
}

function* faultsOf({ judge, contract, isSelf, inputs }: Judging, context: RuleContext): Generator<string> {
  const { id } = judge.identity;
  if (isSelf) yield `${id} judges its own answers here, and is too lenient with them. Let another agent judge.`;
  if (contract?.isText)
    yield `${id} answers with a text, and a judge has to give its verdict in a field. Give it an output_schema with an enum.`;
  const layers = layersOf(judge, context);
  if (layers === undefined) return;
  const keys = findSetting(layers, 'input_keys')?.value;
  const schema = findSetting(layers, 'input_schema')?.value;
  const required = isObject(schema) ? listOf(schema.required) : [];
  const requiredKeys = [...(Array.isArray(keys) ? (keys as readonly Json[]) : []), ...required].filter((key) => typeof key === 'string');
  const missing = [...new Set(requiredKeys)].filter((key) => !inputs.includes(key));
  if (missing.length > 0) {
    const [nearest] = missing.length === 1 ? nearestNames(missing[0] ?? '', inputs, 1) : [];
    yield `${id} needs ${listed(missing)}, which no judge gets: its input has ${listed(inputs)}.${nearest === undefined ? '' : didYouMean([nearest])}`;
  }
  if (!isObject(schema) || schema.additionalProperties !== false || !isObject(schema.properties)) return;
  const refused = inputs.filter((key) => !Object.hasOwn(schema.properties as object, key));
  if (refused.length > 0) yield `${id} refuses ${listed(refused)}, which every judge gets. Add it to the properties of input_schema.`;
}

/** Whether a field may be any text. */
function isFreeText({ output_schema }: Contract, path: string): boolean {
  const contract = new OutputContract(output_schema);
  let schema: Json = output_schema;
  for (const segment of path.split('.')) schema = childOf(contract, resolved(contract, schema), segment).schema;
  const { parts } = domainOf(schema, contract);
  return parts.length > 0 && parts.every(({ type }) => type === 'string');
}
