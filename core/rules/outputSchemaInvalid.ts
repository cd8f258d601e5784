import { isObject, type Json, type JsonObject, pointerOf, valueAt } from '../json.js';
import { didYouMean, nearestNames } from '../names.js';
import { findPlaceProblems } from '../schema/ajvInput.js';
import { metaSchemaErrors } from '../schema/kindValidators.js';
import type { OutputContract } from '../schema/outputContract.js';
import type { SchemaError } from '../schema/types.js';
import { quoted } from '../words.js';
import { schemasOf } from './facts/agentContract.js';
import { explainSchemaErrors } from './facts/schemaErrors.js';
import type { Report, Rule } from './rule.js';

/**
 * A schema that is not valid JSON Schema, describes no object, or has a dangling `$ref`: nothing can be checked with it. Also for `input_schema`
 * and the parameters of tools; the schemas of an MCP server are for its author to correct.
 */
export const outputSchemaInvalid: Rule = {
  code: 'output-schema-invalid',
  severity: 'error',
  kinds: ['agent', 'persona', 'system', 'orchestration', 'settings', 'lock'],
  on: 'value',
  check(file, context, reportFault) {
    for (const { contract, at, report } of schemasOf(file, context, reportFault)) {
      const errors = metaSchemaErrors(contract.root, contract.dialect);
      if (errors.length > 0) {
        const inFile = errors.map((error) => ({ ...error, pointer: at + wrongMember(contract.root, error) }));
        for (const finding of explainSchemaErrors(file, inFile)) report(finding);
      } else checkPlaces(contract, at, report);
      if (!errors.some(({ pointer }) => pointer === '/type')) checkRoot(contract, at, report);
    }
  },
};

const fieldAt = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1);

/** The unknown type in a list of types, where the whole list was refused. */
function wrongMember(schema: JsonObject, { pointer, keyword, params }: SchemaError): string {
  const value = keyword === 'enum' ? valueAt(schema, pointer) : undefined;
  const { allowedValues: allowed } = params;
  if (!Array.isArray(value) || !Array.isArray(allowed)) return pointer;
  const index = value.findIndex((member) => !allowed.includes(member));
  return index < 0 ? pointer : `${pointer}/${index}`;
}

function checkRoot(contract: OutputContract, at: string, report: Report): void {
  const field = fieldAt(at);
  const place = contract.follow({ schema: contract.root, pointer: '' });
  // A `$ref` to nothing is reported at the `$ref`.
  if (place === undefined || !isObject(place.schema)) return;
  const { type } = place.schema;
  const isObjectType = type === 'object' || (Array.isArray(type) && type.length === 1 && type[0] === 'object');
  if (isObjectType || (type === undefined && field !== 'output_schema')) return;
  if (type === undefined) {
    report({
      pointer: at + place.pointer,
      target: 'key',
      message: `${field} does not describe an object. Add "type": "object".`,
      data: { keyword: 'type', missing: 'type', value: 'object' },
    });
    return;
  }
  const what = { output_schema: 'An answer', input_schema: 'A payload' }[field] ?? 'The input of a tool';
  report({
    pointer: `${at}${place.pointer}/type`,
    message: `${what} is always an object, but the root of ${field} has the type ${quoted(type)}. Write "object".`,
    data: { keyword: 'type', replacement: 'object', text: '"object"' },
  });
}

/** Reports what the compiler would refuse: dangling references, and schemas that are too large. Patterns are left to pattern-unsupported. */
function checkPlaces({ root, dialect, places }: OutputContract, at: string, report: Report): void {
  for (const { pointer, message } of findPlaceProblems(places, dialect).problems) {
    const reference = valueAt(root, pointer);
    const nearest = typeof reference === 'string' ? nearestDefinitions(root, reference) : [];
    const keyword = pointer.slice(pointer.lastIndexOf('/') + 1);
    report({
      pointer: at + pointer,
      message: `${keyword === '' ? fieldAt(at) : keyword} ${message}.${didYouMean(nearest)}`,
      data: { keyword, nearest },
    });
  }
}

/** References to definitions whose names resemble the last part of a dangling reference. */
function nearestDefinitions(root: JsonObject, reference: string): string[] {
  const wanted = reference.slice(reference.lastIndexOf('/') + 1);
  return (['$defs', 'definitions'] as const).flatMap((keyword) => {
    const definitions: Json | undefined = root[keyword];
    if (!isObject(definitions) || Object.hasOwn(definitions, wanted)) return [];
    return nearestNames(wanted, Object.keys(definitions), 1).map((name) => `#${pointerOf(keyword, name)}`);
  });
}
