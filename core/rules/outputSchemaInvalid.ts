import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { findPlaceProblems } from '../schema/ajvInput.js';
import { metaSchemaErrors } from '../schema/kindValidators.js';
import type { OutputContract } from '../schema/outputContract.js';
import type { SchemaError } from '../schema/types.js';
import { quoted } from '../words.js';
import { contractOf } from './facts/agentContract.js';
import { explainSchemaErrors } from './facts/schemaErrors.js';
import type { Report, Rule } from './rule.js';

/**
 * A schema that is not valid JSON Schema, describes no object, or refers to nowhere: nothing can be checked with it. `input_schema` is
 * held to the same.
 */
export const outputSchemaInvalid: Rule = {
  code: 'output-schema-invalid',
  severity: 'error',
  kinds: ['agent', 'persona'],
  on: 'value',
  check(file, context, report) {
    if (!isObject(file.value)) return;
    for (const field of ['output_schema', 'input_schema'] as const) {
      const schema = file.value[field];
      // Anything but an object is the schema rule's.
      if (!isObject(schema)) continue;
      const contract = contractOf(schema, file, context);
      const errors = metaSchemaErrors(schema, contract.dialect);
      if (errors.length > 0) {
        const inFile = errors.map((error) => ({ ...error, pointer: `/${field}${wrongMember(schema, error)}` }));
        for (const finding of explainSchemaErrors(file, inFile)) report(finding);
      } else checkPlaces(contract, field, report);
      if (!errors.some(({ pointer }) => pointer === '/type')) checkRoot(contract, field, report);
    }
  },
};

type Field = 'output_schema' | 'input_schema';

/** Of a list of types the one that is none, where the list as a whole was refused. */
function wrongMember(schema: JsonObject, { pointer, keyword, params }: SchemaError): string {
  const value = keyword === 'enum' ? valueAt(schema, pointer) : undefined;
  const { allowedValues: allowed } = params;
  if (!Array.isArray(value) || !Array.isArray(allowed)) return pointer;
  const index = value.findIndex((member) => !allowed.includes(member));
  return index < 0 ? pointer : `${pointer}/${index}`;
}

function checkRoot(contract: OutputContract, field: Field, report: Report): void {
  const place = contract.follow({ schema: contract.root, pointer: '' });
  // A `$ref` to nothing is reported at the `$ref`.
  if (place === undefined || !isObject(place.schema)) return;
  const { type } = place.schema;
  const isObjectType = type === 'object' || (Array.isArray(type) && type.length === 1 && type[0] === 'object');
  if (isObjectType || (type === undefined && field === 'input_schema')) return;
  if (type === undefined) {
    report({
      pointer: `/${field}${place.pointer}`,
      target: 'key',
      message: `${field} does not say that it describes an object. Add "type": "object".`,
      data: { keyword: 'type', missing: 'type', value: 'object' },
    });
    return;
  }
  const what = field === 'output_schema' ? 'An answer' : 'A payload';
  report({
    pointer: `/${field}${place.pointer}/type`,
    message: `${what} is always an object, but the root of ${field} has the type ${quoted(type)}. Write "object".`,
    data: { keyword: 'type', replacement: 'object', text: '"object"' },
  });
}

/** What the compiler would refuse: references to nothing, and schemas that are too large. Patterns are pattern-unsupported's. */
function checkPlaces({ root, dialect, places }: OutputContract, field: Field, report: Report): void {
  for (const { pointer, message } of findPlaceProblems(places, dialect).problems) {
    const reference = valueAt(root, pointer);
    const nearest = typeof reference === 'string' ? nearestDefinitions(root, reference) : [];
    const keyword = pointer.slice(pointer.lastIndexOf('/') + 1);
    report({
      pointer: `/${field}${pointer}`,
      message: `${keyword === '' ? field : keyword} ${message}.${didYouMean(nearest)}`,
      data: { keyword, nearest },
    });
  }
}

/** References to definitions whose names look like the last part of a reference that leads nowhere. */
function nearestDefinitions(root: JsonObject, reference: string): string[] {
  const wanted = reference.slice(reference.lastIndexOf('/') + 1);
  return (['$defs', 'definitions'] as const).flatMap((keyword) => {
    const named: Json | undefined = root[keyword];
    if (!isObject(named) || Object.hasOwn(named, wanted)) return [];
    return nearestNames(wanted, Object.keys(named), 1).map((name) => `#${pointerOf(keyword, name)}`);
  });
}
