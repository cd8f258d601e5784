import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import type { Report, Rule } from './rule.js';
import { rememberLarge } from './support/largeSchema.js';
import { isPlainSchema } from './support/plainSchema.js';
import { resolveRef } from './support/resolveRef.js';
import { sought } from './support/schemaCensus.js';
import { type Path, seekSchemas } from './support/visitSchemas.js';

/** A field that `required` asks for and `properties` does not define: usually a misspelling, and nothing says what it should hold. */
export const requiredUndefined: Rule = {
  code: 'required-undefined',
  severity: 'error',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, _context, report) {
    if (!isObject(file.value)) return;
    checkSchema(file.value.output_schema, 'output_schema', report);
    checkSchema(file.value.input_schema, 'input_schema', report);
  },
};

function checkSchema(root: Json | undefined, field: string, report: Report): void {
  if (!isObject(root) || isPlainSchema(root)) return;
  for (const { pointer, ...found } of findUndefined(root)) report({ ...found, pointer: `/${field}${pointer}` });
}

type Found = Parameters<Report>[0];

/** With pointers from the schema. */
const findUndefined = rememberLarge((root): readonly Found[] => {
  const found: Found[] = [];
  seekSchemas(sought.required, root, (schema, path, keyword) => {
    // A part of a combination speaks of the same object as the schema around it, so both are judged together, from there.
    if (keyword !== undefined && combining.has(keyword)) return;
    if (!isPlainlyDefined(schema, path)) checkObject(root, schema, path, (one) => found.push(one));
  });
  return found;
});

/** The clean case, told without a search: nothing is combined here, and all that is required is defined right beside it. */
function isPlainlyDefined(schema: JsonObject, path: Path): boolean {
  for (const keyword in schema) if (combining.has(keyword)) return false;
  const { required, properties } = schema;
  if (!Array.isArray(required)) return true;
  // Below the root, `required` without `properties` is a legal way to say "has these".
  if (!isObject(properties)) return path.length > 0 || required.length === 0;
  for (const name of required) if (typeof name === 'string' && !Object.hasOwn(properties, name)) return false;
  return true;
}

function checkObject(root: JsonObject, schema: JsonObject, path: Path, report: Report): void {
  const names = new ObjectNames(root);
  names.add(schema, pointerOf(...path), true);
  if (names.open || (names.defined.size === 0 && path.length > 0)) return;
  for (const { name, pointer } of names.required) {
    if (names.defined.has(name)) continue;
    const nearest = names.defined.size > mostCompared ? [] : nearestNames(name, names.defined);
    report({
      pointer,
      message: `required asks for ${JSON.stringify(name)}, which properties does not define.${didYouMean(nearest)}`,
      data: { name, nearest },
    });
  }
}

/** Of more names the nearest are not looked for: for each of as many wrong ones it would take long. */
const mostCompared = 1_000;

/** All that a schema and the parts combined with it say about the names of one object. */
class ObjectNames {
  readonly defined = new Set<string>();
  readonly required: { readonly name: string; readonly pointer: string }[] = [];
  /** A `$ref` to nowhere, or `patternProperties`: every name may be defined. */
  open = false;
  private readonly seen = new Set<JsonObject>();
  private readonly root: JsonObject;

  constructor(root: JsonObject) {
    this.root = root;
  }

  /** @param judged whether what `required` asks for here is looked into: not behind a `$ref`, which is judged where it stands */
  add(schema: Json | undefined, pointer: string, judged: boolean): void {
    if (!isObject(schema) || this.seen.has(schema)) return;
    this.seen.add(schema);
    if (schema.patternProperties !== undefined) this.open = true;
    if (isObject(schema.properties)) for (const name in schema.properties) this.defined.add(name);
    if (judged && Array.isArray(schema.required)) {
      schema.required.forEach((name: Json, index) => {
        if (typeof name === 'string') this.required.push({ name, pointer: `${pointer}/required/${index}` });
      });
    }
    for (const keyword in schema) if (combining.has(keyword)) this.addCombined(schema[keyword], keyword, `${pointer}/${keyword}`, judged);
  }

  private addCombined(value: Json | undefined, keyword: string, pointer: string, judged: boolean): void {
    if (keyword === '$ref') {
      const target = typeof value === 'string' ? resolveRef(this.root, value) : undefined;
      if (target === undefined) this.open = true;
      else this.add(target.schema, '', false);
    } else if (Array.isArray(value)) {
      value.forEach((part: Json, index) => {
        this.add(part, `${pointer}/${index}`, judged);
      });
    } else if (keyword === 'dependentSchemas' && isObject(value)) {
      for (const name in value) this.add(value[name], `${pointer}${pointerOf(name)}`, judged);
    } else this.add(value, pointer, judged && keyword !== 'not' && keyword !== 'if');
  }
}

const combining: ReadonlySet<string> = new Set(['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'not', 'dependentSchemas']);
