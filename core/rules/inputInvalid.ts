import { casesIn } from '../config/caseParts.js';
import type { ConfigFile } from '../config/configFile.js';
import { ConfigInvalidError, type Issue } from '../errors.js';
import { isObject, type Json, listOf, pointerOf, segmentsOf, valueAt } from '../json.js';
import { parentPointer } from '../jsonText/locate.js';
import { didYouMean, nearestNames } from '../names.js';
import { createPayloadCheck } from '../prompt/payloadCheck.js';
import { messageOf } from '../schema/ajvMessages.js';
import type { SchemaCompiler } from '../schema/schemaCompiler.js';
import { quoted } from '../words.js';
import type { Report, Rule, RuleContext } from './rule.js';
import { type GivenInput, givenInputs, type Taker } from './support/givenInputs.js';
import { placeOf } from './support/layers.js';
import { findOpenPlaces, isCertain, judgesEachPlace } from './support/openPlaces.js';

/**
 * A payload, or the input of a task or step, that its agent or skill refuses. This is the check that a run makes. Where the input has templates,
 * only faults that no value of theirs can mend are reported. A payload belongs to every version of its agent, so one version that accepts it is
 * enough.
 */
export const inputInvalid: Rule = {
  code: 'input-invalid',
  severity: 'error',
  kinds: ['payload', 'orchestration', 'agent'],
  on: 'value',
  needsSchemas: (file, context) => givenInputs(file, context).some(({ takers }) => takers.some(asksForSomething)),
  check(file, context, report) {
    reportWrongKeys(file, context, report);
    const { schemas } = context;
    if (schemas === undefined) return;
    for (const given of givenInputs(file, context)) {
      const [newest, ...older] = given.takers;
      if (newest === undefined) continue;
      const issues = issuesOf(given, newest, schemas);
      if (issues.length === 0 || older.some((agent) => issuesOf(given, agent, schemas).length === 0)) continue;
      reportIssues(issues, given, newest, inFile(file, given, report));
    }
  },
};

/** What an agent is given stands under `input`, and what an orchestration is given under `context`. */
function reportWrongKeys({ identity, value }: ConfigFile, { project }: RuleContext, report: Report): void {
  const { kind, agent: name } = identity;
  if (kind !== 'payload' || name === undefined) return;
  const isAgent = project.versions(name).length > 0;
  if (!isAgent && !project.ids('orchestration').has(name)) return;
  const [key, wrong] = isAgent ? ['input', 'context'] : ['context', 'input'];
  for (const part of casesIn(value)) {
    if (part.value[wrong] === undefined || part.value[key] !== undefined) continue;
    const what = isAgent ? 'an agent' : 'an orchestration';
    const message = `${name} is ${what}, so what it is given belongs under ${quoted(key)}. Rename the key.`;
    report({ pointer: `${part.pointer}/${wrong}`, target: 'key', message, data: { agent: name, replacement: key } });
  }
}

/** What is wrong in the plan of a persona is told where the agent names the persona, and has its fix in the persona. */
function inFile(file: ConfigFile, { plan }: GivenInput, report: Report): Report {
  if (plan === undefined || plan.fragment.file === file.path) return report;
  return ({ pointer, message }) => report({ ...placeOf(file, { ...plan, pointer }, 'The input is given here.'), message });
}

function asksForSomething({ input_keys, input_schema }: Taker): boolean {
  return (input_keys ?? []).length > 0 || input_schema !== undefined;
}

function issuesOf({ value, isTemplate }: GivenInput, agent: Taker, schemas: SchemaCompiler): readonly Issue[] {
  const open = isTemplate ? findOpenPlaces(value) : new Map();
  // A template in place of the whole input.
  if (open.has('')) return [];
  const isSure = open.size === 0 || judgesEachPlace(agent.input_schema);
  try {
    const issues = createPayloadCheck(agent, schemas)(value);
    return issues.filter((issue) => (isSure ? isCertain(issue, open) : issue.keyword === 'input_keys'));
  } catch (error) {
    // output-schema-invalid says what is wrong with the schema.
    if (error instanceof ConfigInvalidError) return [];
    throw error;
  }
}

function reportIssues(issues: readonly Issue[], given: GivenInput, agent: Taker, report: Report): void {
  const missing = missingKeys(given.value, agent);
  const unknown = unknownKeys(given.value, agent);
  const misspelt = new Set<string>();
  for (const key of missing) {
    const [meant] = nearestNames(key, unknown);
    if (meant !== undefined) misspelt.add(pointerOf(meant));
    reportMissing(key, meant, given, agent, report);
  }
  const told = new Set(missing.map((missingProperty) => messageOf('required', { missingProperty })));
  for (const issue of issues) {
    const isTold = issue.keyword === 'input_keys' || misspelt.has(issue.path) || (issue.path === '' && told.has(issue.message));
    if (!isTold) reportIssue(issue, given, agent.title, report);
  }
}

function reportIssue({ path, keyword, message, allowed }: Issue, { value, pointer }: GivenInput, agent: string, report: Report): void {
  const isExtra = keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
  report({
    pointer: placeIn(value, pointer, path),
    ...(isExtra && { target: 'key' }),
    message: `${agent} refuses this input: ${message.endsWith('.') ? message : `${quoted(segmentsOf(path).at(-1) ?? 'it')} ${message}.`}`,
    data: { agent, keyword, ...(allowed && { allowed }) },
  });
}

/** A key that is missing, at the key that was probably meant to be it. */
function reportMissing(missing: string, meant: string | undefined, { pointer }: GivenInput, agent: Taker, report: Report): void {
  const id = agent.title;
  const fault = `${id} needs the key ${quoted(missing)}`;
  if (meant !== undefined) {
    const message = `${fault}, and nothing asks for ${quoted(meant)}.${didYouMean([missing])}`;
    report({ pointer: pointer + pointerOf(meant), target: 'key', message, data: { agent: id, missing, replacement: missing } });
    return;
  }
  report({
    pointer,
    target: 'key',
    message: `${fault}, which is missing here.`,
    data: { agent: id, missing, value: sampleOf(missing, agent) },
  });
}

/** Keys that the agent asks for by name, those of its schema's root included. */
function missingKeys(value: Json, { input_keys = [], input_schema }: Taker): readonly string[] {
  if (!isObject(value)) return [];
  const required = listOf(input_schema?.required).filter((key): key is string => typeof key === 'string');
  return [...new Set([...input_keys, ...required])].filter((key) => !Object.hasOwn(value, key));
}

/** The pointer in the file; of what is missing, the value around it. */
function placeIn(value: Json, pointer: string, path: string): string {
  let place = path;
  while (place !== '' && valueAt(value, place) === undefined) place = parentPointer(place) ?? '';
  return pointer + place;
}

function unknownKeys(value: Json, { input_keys = [], input_schema }: Taker): readonly string[] {
  const properties = input_schema?.properties;
  const known = new Set([...input_keys, ...(isObject(properties) ? Object.keys(properties) : [])]);
  return isObject(value) ? Object.keys(value).filter((key) => !known.has(key)) : [];
}

/** What may stand under a missing key until its author says more. */
function sampleOf(key: string, { input_schema }: Taker): Json {
  const schema = isObject(input_schema?.properties) ? input_schema.properties[key] : undefined;
  if (!isObject(schema)) return '';
  const [given] = [schema.default, schema.const, ...listOf(schema.enum), ...listOf(schema.examples)].filter((one) => one !== undefined);
  if (given !== undefined) return given;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  const byType: Readonly<Record<string, Json>> = {
    object: {},
    array: [],
    number: schema.minimum ?? 0,
    integer: schema.minimum ?? 0,
    boolean: false,
  };
  return typeof type === 'string' && Object.hasOwn(byType, type) ? (byType[type] ?? '') : '';
}
