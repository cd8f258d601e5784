import type { ConfigFile } from '../config/configFile.js';
import type { Issue } from '../errors.js';
import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import type { Report, Rule, RuleContext } from './rule.js';
import { type ContractField, findField, inheritancePointer } from './support/contractField.js';
import { issueWords } from './support/issueWords.js';
import { rememberLarge } from './support/largeSchema.js';
import { findOutputFields, type OutputFields } from './support/outputFields.js';
import { surelyFits } from './support/surelyFits.js';
import { visitSchemas } from './support/visitSchemas.js';

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
    return judged !== undefined && (hasDoubt(judged, judged.given) || hasDoubt(judged, judged.written));
  },
  check(file, context, report) {
    const judged = findJudged(file, context);
    if (judged === undefined || context.schemas === undefined) return;
    if (hasDoubt(judged, judged.given)) checkGiven(judged, { file, context, report });
    if (hasDoubt(judged, judged.written)) checkWritten(judged, { file, context, report });
  },
};

interface Judged {
  readonly root: JsonObject;
  readonly fields: OutputFields;
  readonly schema: ContractField;
  readonly defaults: ContractField | undefined;
  /** `defaults`, and the `default` of each property in the file's own schema: field to value. */
  readonly given: JsonObject;
  readonly written: JsonObject;
}

interface Means {
  readonly file: ConfigFile;
  readonly context: RuleContext;
  readonly report: Report;
}

function findJudged(file: ConfigFile, context: RuleContext): Judged | undefined {
  const schema = findField(file, context, 'output_schema');
  if (schema === undefined || !isObject(schema.value)) return undefined;
  const fields = findOutputFields(schema.value);
  if (fields === undefined) return undefined;
  const defaults = findField(file, context, 'defaults');
  // Both from one other file: the finding is that file's own.
  const isTheirs = defaults !== undefined && !defaults.own && !schema.own && defaults.file === schema.file;
  const given = isTheirs || !isObject(defaults?.value) ? none : defaults.value;
  return { root: schema.value, fields, schema, defaults, given, written: schema.own ? writtenDefaults(schema.value) : none };
}

const none: JsonObject = {};

const writtenDefaults = rememberLarge((root): JsonObject => {
  const { properties } = findOutputFields(root) ?? { properties: none };
  let written: Record<string, Json> | undefined;
  for (const field in properties) {
    const property = properties[field];
    if (!isObject(property) || !Object.hasOwn(property, 'default')) continue;
    written ??= Object.create(null) as Record<string, Json>;
    written[field] = property.default as Json;
  }
  return written ?? none;
});

/** Whether any value is not plainly legal. Fields that the schema lacks are default-unknown-field's. */
function hasDoubt({ fields }: Judged, values: JsonObject): boolean {
  for (const field in values) {
    if (Object.hasOwn(fields.properties, field) && !surelyFits(fields.properties[field] as Json, values[field] as Json)) return true;
  }
  return false;
}

function checkGiven(judged: Judged, { file, context, report }: Means): void {
  const { defaults, schema, fields } = judged;
  if (defaults === undefined) return;
  for (const { field, path, text, data } of findUnfit(judged, judged.given, inDefaults, context)) {
    const there = `${schema.pointer}${fields.pointer}${pointerOf(field)}`;
    report({
      pointer: defaults.own ? `/defaults${path}` : inheritancePointer(file, context, defaults),
      message: text,
      related: [
        ...(defaults.own ? [] : [{ file: defaults.file, pointer: `${defaults.pointer}${path}`, message: 'The default is given here.' }]),
        { file: schema.file, pointer: there, target: 'key', message: `${JSON.stringify(field)} is described here.` },
      ],
      data,
    });
  }
}

function checkWritten(judged: Judged, { context, report }: Means): void {
  const { schema, fields } = judged;
  for (const { field, path, text, data } of findUnfit(judged, judged.written, inProperty, context)) {
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

/** Words for an issue of a field's default, which is `given[field]`. */
type Describe = (field: string, issue: Issue, given: JsonObject) => ReturnType<typeof issueWords>;

const inDefaults: Describe = (_field, issue, given) => issueWords('defaults', issue, given);

const inProperty: Describe = (field, issue, given) => {
  const path = issue.path.slice(pointerOf(field).length);
  return issueWords(`The default of ${JSON.stringify(field)}`, { ...issue, path }, given[field] as Json);
};

/** The first issue of each field, so that one wrong default is one finding. Fields are judged one by one: a broken one hides no other. */
function findUnfit({ root, fields }: Judged, values: JsonObject, describe: Describe, { schemas }: RuleContext): readonly Unfit[] {
  const unfit: Unfit[] = [];
  const whole = fieldsOnly(root, fields.properties);
  for (const field in values) {
    const property = Object.hasOwn(fields.properties, field) ? fields.properties[field] : undefined;
    const value = values[field] as Json;
    if (property === undefined || surelyFits(property, value)) continue;
    const compiled = schemas?.compile(hasReference(property) ? whole : fieldsOnly(dialectOf(root), single(field, property)));
    // A schema that cannot be compiled is output-schema-invalid's.
    if (compiled?.ok !== true) continue;
    const given = single(field, value);
    const issue = compiled.check(given).find(({ path }) => path !== '' && !hasVariable(valueAt(given, path)));
    if (issue === undefined) continue;
    const { text, nearest } = describe(field, issue, given);
    const replacement = nearest === undefined ? {} : { replacement: nearest, text: JSON.stringify(nearest) };
    unfit.push({ field, path: issue.path, text, data: { field, keyword: issue.keyword, ...replacement } });
  }
  return unfit;
}

function hasReference(schema: Json): boolean {
  return visitSchemas(schema, (part) => part.$ref !== undefined || part.$dynamicRef !== undefined || part.$recursiveRef !== undefined);
}

function dialectOf({ $schema }: JsonObject): JsonObject {
  return $schema === undefined ? none : { $schema };
}

/** `{[field]: value}` for any field, `__proto__` included. */
function single(field: string, value: Json): JsonObject {
  return Object.fromEntries([[field, value]]);
}

/** What a variable stands for is known only when the config is used. */
function hasVariable(value: Json | undefined): boolean {
  return typeof value === 'string' && value.includes('${');
}

/** The schema without all that is about the answer as a whole, such as `required`. */
function fieldsOnly(root: JsonObject, properties: JsonObject): JsonObject {
  const kept: Record<string, Json> = { properties };
  for (const keyword of ['$schema', '$id', '$defs', 'definitions'] as const) if (root[keyword] !== undefined) kept[keyword] = root[keyword];
  return kept;
}
