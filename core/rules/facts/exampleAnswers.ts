import { casesIn, turnsIn } from '../../config/caseParts.js';
import type { ConfigFile } from '../../config/configFile.js';
import type { Issue } from '../../errors.js';
import type { RelatedPlace } from '../../finding.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../../json.js';
import { type Example, provenParts } from '../../routing/readExpectation.js';
import type { OutputContract } from '../../schema/outputContract.js';
import type { ValueCheck } from '../../schema/schemaCompiler.js';
import { fitsSimply } from '../../schema/simpleSchema.js';
import { forLastFile } from '../forLastFile.js';
import type { RuleContext } from '../rule.js';
import { contractOf } from './agentContract.js';
import { evalScopeOf } from './evalSubject.js';
import { judgesEachPlace } from './openPlaces.js';
import { type Contract, schemaPlace } from './routingProofs.js';

/** The example answers (`expected`) of a payload, and the contract they are examples of. */
export interface ExampleAnswers {
  /** The agent, as a message names it. */
  readonly title: string;
  readonly contract: OutputContract;
  readonly examples: readonly Example[];
  /** The place of a field in the output schema, or of its parent where the schema lacks it. @param path from the example */
  readonly schemaPlace: (path: readonly string[], message: string) => RelatedPlace;
}

/**
 * Undefined where no output schema describes the example: an orchestration has as many answers as tasks, and a text may be anything. An example may
 * have only some fields of the answer.
 */
export const exampleAnswersOf = forLastFile((file: ConfigFile, context: RuleContext): ExampleAnswers | undefined => {
  const examples = examplesIn(file.value);
  const scope = examples.length === 0 ? undefined : evalScopeOf(file, context);
  const contract = scope?.contracts.get(provenParts.answer);
  if (scope?.kind !== 'agent' || contract === undefined || !isWhole(contract) || contract.isText) return undefined;
  return {
    title: scope.title,
    contract: contractOf(contract.output_schema, file, context),
    examples,
    schemaPlace: (path, message) => schemaPlace(contract, path, message),
  };
});

function isWhole(contract: Partial<Contract>): contract is Contract {
  return contract.output_schema !== undefined && contract.file !== undefined && contract.pointer !== undefined;
}

/** Each example where it is written; the example of a data set applies to many cases. */
function examplesIn(payload: Json | undefined): readonly Example[] {
  if (!isObject(payload)) return [];
  const owners = [...(Array.isArray(payload.cases) ? [{ value: payload, pointer: '' }] : []), ...casesIn(payload).flatMap(turnsIn)];
  return owners.flatMap(({ value, pointer }) =>
    value.expected === undefined ? [] : [{ value: value.expected, pointer: `${pointer}/expected` }],
  );
}

/** Whether only the compiler can decide if all examples fit. */
export function mayBeUnfit({ contract, examples }: ExampleAnswers): boolean {
  return examples.some(({ value }) => partsOf(contract, value).some((part) => fitsSimply(part.schema, part.value) !== true));
}

/** The first issue of each field. @returns issues with the path from the example */
export function* unfitValues(
  { contract, examples }: ExampleAnswers,
  { schemas }: RuleContext,
): Generator<{ example: Example; issue: Issue }> {
  const checks = new Map<Json, ValueCheck | undefined>();
  const checkOf = (schema: JsonObject): ValueCheck | undefined => {
    if (!checks.has(schema)) {
      const standalone = contract.standalone(schema);
      const compiled = standalone && schemas?.compile(standalone);
      // A schema that cannot be compiled is reported by output-schema-invalid.
      checks.set(schema, compiled?.ok ? compiled.check : undefined);
    }
    return checks.get(schema);
  };
  for (const example of examples) {
    for (const { schema, value, path } of partsOf(contract, example.value)) {
      if (!isObject(schema) || fitsSimply(schema, value) === true) continue;
      const isSure = judgesEachPlace(schema) || !hasFields(value);
      const issue = isSure ? checkOf(schema)?.(value).find(({ keyword }) => !requiringKeywords.has(keyword)) : undefined;
      if (issue !== undefined) yield { example, issue: { ...issue, path: path + issue.path } };
    }
  }
}

/** Keywords that require fields, which an example may leave out. */
const requiringKeywords: ReadonlySet<string> = new Set(['required', 'minProperties', 'dependentRequired', 'dependencies']);

interface Part {
  readonly schema: Json;
  readonly value: Json;
  /** Pointer from the example. */
  readonly path: string;
}

/** The parts to judge: each known field, so that a missing field does not affect the others, or else the whole answer. */
function partsOf({ fields, root }: OutputContract, value: Json): readonly Part[] {
  // A text answer, for an expectation with "text" or a judge.
  if (typeof value === 'string') return [];
  if (!isObject(value) || !fields.complete) return [{ schema: root, value, path: '' }];
  return Object.entries(value).flatMap(([name, part]) => {
    const schema = Object.hasOwn(fields.properties, name) ? fields.properties[name] : undefined;
    return schema === undefined ? [] : [{ schema, value: part, path: pointerOf(name) }];
  });
}

function hasFields(value: Json): boolean {
  return Array.isArray(value) ? value.some(hasFields) : isObject(value);
}

/** Fields that no answer has, with their pointers; none where the schema allows others or may define them elsewhere. */
export function* unknownFields({ contract, examples }: ExampleAnswers): Generator<{ pointer: string; name: string }> {
  const { additional, complete, patterned, properties } = contract.fields;
  if (!complete || patterned || additional === true || isObject(additional)) return;
  for (const { value, pointer } of examples) {
    if (!isObject(value)) continue;
    for (const name of Object.keys(value)) if (!Object.hasOwn(properties, name)) yield { pointer: pointer + pointerOf(name), name };
  }
}
