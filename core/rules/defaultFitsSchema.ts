import type { ConfigFile } from '../config/configFile.js';
import type { Issue } from '../errors.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import { fitsSimply } from '../schema/simpleSchema.js';
import {
  type AgentContract,
  areInheritedTogether,
  type ContractField,
  findAgentContract,
  findField,
  inheritancePointer,
} from './facts/agentContract.js';
import { issueWords } from './facts/issueWords.js';
import type { CheckArguments, Rule, RuleContext } from './rule.js';

/**
 * A default that its own schema refuses, in `defaults` or as `default` of a property: it is filled in before the answer is validated,
 * so every answer that leaves the field out would fail.
 */
export const defaultFitsSchema: Rule = {
  code: 'default-fits-schema',
  severity: 'error',
  kinds: ['agent', 'persona'],
  on: 'value',
  needsSchemas(file, context) {
    const judged = findJudged(file, context);
    return judged !== undefined && (hasDoubt(judged, judged.entries) || hasDoubt(judged, judged.inline));
  },
  check(file, context, report) {
    const judged = findJudged(file, context);
    if (judged === undefined || context.schemas === undefined) return;
    if (hasDoubt(judged, judged.entries)) checkGiven(judged, { file, context, report });
    if (hasDoubt(judged, judged.inline)) checkWritten(judged, { file, context, report });
  },
};

interface Judged {
  readonly agentContract: AgentContract;
  readonly defaults: ContractField | undefined;
  /** `defaults`, and the `default` of each property in the file's own schema: field to value. */
  readonly entries: JsonObject;
  readonly inline: JsonObject;
}

function findJudged(file: ConfigFile, context: RuleContext): Judged | undefined {
  const agentContract = findAgentContract(file, context);
  if (agentContract === undefined) return undefined;
  const { schema, fields } = agentContract;
  const defaults = findField(file, context, 'defaults');
  const ownDefaults = defaults !== undefined && isObject(defaults.value) && !areInheritedTogether(defaults, schema) ? defaults.value : {};
  return { agentContract, defaults, entries: ownDefaults, inline: schema.isOwn ? writtenDefaults(fields.properties) : {} };
}

function writtenDefaults(properties: JsonObject): JsonObject {
  const written = Object.entries(properties).flatMap(([field, property]): [string, Json][] =>
    isObject(property) && property.default !== undefined ? [[field, property.default]] : [],
  );
  return Object.fromEntries(written);
}

/** Whether only the compiler can decide if all values fit. Fields that the schema lacks are reported by default-unknown-field. */
function hasDoubt({ agentContract }: Judged, values: JsonObject): boolean {
  const { properties } = agentContract.fields;
  return Object.keys(values).some((field) => Object.hasOwn(properties, field) && fitsSimply(properties[field]!, values[field]!) !== true);
}

function checkGiven(judged: Judged, { file, context, report }: CheckArguments): void {
  const { defaults, agentContract } = judged;
  const { schema, fields } = agentContract;
  if (defaults === undefined) return;
  for (const { field, path, text, data } of findUnfit(judged, judged.entries, inDefaults, context)) {
    const there = `${schema.pointer}${fields.pointer}${pointerOf(field)}`;
    report({
      pointer: defaults.isOwn ? `/defaults${path}` : inheritancePointer(file, context, defaults),
      message: text,
      related: [
        ...(defaults.isOwn ? [] : [{ file: defaults.file, pointer: `${defaults.pointer}${path}`, message: 'The default is given here.' }]),
        { file: schema.file, pointer: there, target: 'key', message: `${JSON.stringify(field)} is described here.` },
      ],
      data,
    });
  }
}

function checkWritten(judged: Judged, { context, report }: CheckArguments): void {
  const { schema, fields } = judged.agentContract;
  for (const { field, path, text, data } of findUnfit(judged, judged.inline, inProperty, context)) {
    const inside = path.slice(pointerOf(field).length);
    report({ pointer: `${schema.pointer}${fields.pointer}${pointerOf(field, 'default')}${inside}`, message: text, data });
  }
}

interface Unfit {
  readonly field: string;
  /** From the object of all defaults. */
  readonly path: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Describes an issue of a field's default, which is `defaults[field]`. */
type Describe = (field: string, issue: Issue, defaults: JsonObject) => ReturnType<typeof issueWords>;

const inDefaults: Describe = (_field, issue, defaults) => issueWords('defaults', issue, defaults);

const inProperty: Describe = (field, issue, defaults) => {
  const path = issue.path.slice(pointerOf(field).length);
  return issueWords(`The default of ${JSON.stringify(field)}`, { ...issue, path }, defaults[field] as Json);
};

/** The first issue of each field, so that one wrong default is one finding. Fields are judged one by one: a broken one hides no other. */
function findUnfit({ agentContract }: Judged, values: JsonObject, describe: Describe, { schemas }: RuleContext): readonly Unfit[] {
  const { contract, fields } = agentContract;
  const unfit: Unfit[] = [];
  for (const field in values) {
    const property = Object.hasOwn(fields.properties, field) ? fields.properties[field] : undefined;
    const value = values[field] as Json;
    if (property === undefined || fitsSimply(property, value) === true) continue;
    const standalone = isObject(property) ? contract.standalone(property) : { not: {} };
    const compiled = standalone && schemas?.compile(standalone);
    // A schema that cannot be compiled is reported by output-schema-invalid.
    if (compiled?.ok !== true) continue;
    const issue = compiled.check(value).find(({ path }) => !hasVariable(valueAt(value, path)));
    if (issue === undefined) continue;
    const path = `${pointerOf(field)}${issue.path}`;
    const { text, nearest } = describe(field, { ...issue, path }, values);
    const replacement = nearest === undefined ? {} : { replacement: nearest, text: JSON.stringify(nearest) };
    const fitting = issue.path === '' ? fittingValues(property, value).filter((other) => compiled.check(other).length === 0) : [];
    unfit.push({ field, path, text, data: { field, keyword: issue.keyword, ...replacement, fitting } });
  }
  return unfit;
}

/** The value of a variable is known only at run time. */
function hasVariable(value: Json | undefined): boolean {
  return typeof value === 'string' && value.includes('${');
}

/** Replacements for a value that the schema refuses, the likeliest first; to be checked, since other keywords may forbid them. */
function fittingValues(schema: Json, value: Json): readonly Json[] {
  if (!isObject(schema)) return [];
  if (schema.const !== undefined) return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum;
  const types: readonly Json[] = Array.isArray(schema.type) ? schema.type : [schema.type ?? ''];
  return types.flatMap((type) => ofType(type, value, [schema.minimum, schema.maximum]));
}

function ofType(type: Json, value: Json, limits: readonly (Json | undefined)[]): readonly Json[] {
  switch (type) {
    case 'number':
    case 'integer': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      const near = typeof number === 'number' && Number.isFinite(number) ? [type === 'integer' ? Math.round(number) : number] : [];
      return [...near, ...limits.filter((limit) => typeof limit === 'number')];
    }
    case 'boolean':
      return String(value).toLowerCase() === 'false' ? [false] : String(value).toLowerCase() === 'true' ? [true] : [true, false];
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
    case 'array':
      return Array.isArray(value) ? [] : [[value], []];
    case 'null':
      return [null];
    default:
      return [];
  }
}
