import type { Agent } from '../agent/types.js';
import { isObject, type Json } from '../json.js';
import { findTemplatePaths } from '../prompt/template.js';
import { inputKeys } from '../rules/facts/layers.js';
import { OutputContract } from '../schema/outputContract.js';
import { childOf } from '../schema/schemaChild.js';
import { isPlain } from '../snapshot/effective.js';
import type { SnapshotValue } from '../snapshot/snapshotValue.js';
import { quoted } from '../words.js';
import { type FoundReader, orchestrationReaders, planReaders } from './contractReaders.js';

/** What a frozen config uses and does not have: fields of an input in prompts, and of answers in routes, templates and plans. One sentence each. */
export function unmetReferences({ orchestration, name }: SnapshotValue, agents: ReadonlyMap<string, Agent>): readonly string[] {
  const faults: string[] = [];
  const whose = (instance: string) => (instance === name ? '' : ` of ${instance}`);
  const check = (readers: ReadonlyMap<string, readonly FoundReader[]>) => {
    for (const [instance, list] of readers)
      for (const { words, reads = [] } of list)
        if (lacks(agents.get(instance), reads))
          faults.push(`${words} reads ${quoted(reads.join('.'))}, which the answer of ${instance} does not have`);
  };
  for (const [instance, { resolved }] of agents) {
    const { config } = resolved;
    const { system_text = '', user_text = '', template = '', input_keys, input_schema, execution_plan } = config;
    const keys = inputKeys(input_keys, input_schema);
    const texts = isPlain(config) ? [system_text, user_text, template] : [template];
    for (const { path, segments } of texts.flatMap((text) => findTemplatePaths(text))) {
      const [root, key] = segments;
      if (root === 'input' && key !== undefined && keys?.has(key) === false)
        faults.push(`the prompt${whose(instance)} names {{${path}}}, which the input does not have`);
    }
    if (execution_plan !== undefined) check(planReaders(config as unknown as Json, instance));
  }
  check(orchestrationReaders(orchestration as unknown as Json));
  return faults;
}

/** Whether no answer that fits the schema has the field, as far as the schema says. */
function lacks(agent: Agent | undefined, [field]: readonly string[]): boolean {
  const schema = agent?.resolved.config.output_schema;
  if (agent === undefined || field === undefined) return false;
  return !isObject(schema) || !childOf(new OutputContract(schema), schema, field).declared;
}

/** Fields that are one, since they do not fit together otherwise. */
export interface FittedFields {
  readonly fields: readonly number[];
  /** Why they are one; undefined for a single field. */
  readonly why: string | undefined;
}

/**
 * Joins fields until each group can be taken alone, and left alone: the one that mends a fault joins the one that has it. Where no single one does,
 * all are one.
 *
 * @param faultOf why a mix cannot be asked
 */
export function fitFields(count: number, faultOf: (taken: readonly number[]) => string | undefined): readonly FittedFields[] {
  let groups: readonly FittedFields[] = [...new Array<undefined>(count).keys()].map((field) => ({ fields: [field], why: undefined }));
  const without = (group: FittedFields) => groups.flatMap((other) => (other === group ? [] : other.fields));
  const faultAround = (group: FittedFields) => {
    const alone = faultOf(group.fields);
    if (alone !== undefined) return { why: alone, isAlone: true };
    const others = faultOf(without(group));
    return others === undefined ? undefined : { why: others, isAlone: false };
  };
  while (groups.length > 1) {
    const faulty = groups.flatMap((group) => {
      const fault = faultAround(group);
      return fault === undefined ? [] : [{ group, ...fault }];
    })[0];
    if (faulty === undefined) break;
    const { group, why, isAlone } = faulty;
    const joined = (other: FittedFields): FittedFields => ({ fields: [...group.fields, ...other.fields].sort((a, b) => a - b), why });
    const partner = groups.find((other) => {
      if (other === group) return false;
      const { fields } = joined(other);
      const mixed = isAlone ? fields : groups.flatMap((each) => (each === group || each === other ? [] : each.fields));
      return faultOf(mixed) === undefined;
    });
    groups =
      partner === undefined
        ? [{ fields: groups.flatMap(({ fields }) => fields).sort((a, b) => a - b), why }]
        : groups.flatMap((each) => (each === partner ? [] : each === group ? [joined(partner)] : [each]));
  }
  return groups;
}
