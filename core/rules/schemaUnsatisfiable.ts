import type { Json, JsonObject } from '../json.js';
import { compiledKeywords, findContradictions } from '../schema/contradictions.js';
import { fitsSimply } from '../schema/simpleSchema.js';
import { contractOf, schemasOf } from './facts/agentContract.js';
import { schemasIn } from './facts/agentFragments.js';
import type { Rule } from './rule.js';

/**
 * Keywords of one schema that no value meets together, such as an `enum` of texts with `"type": "integer"`: every answer is refused. A value
 * that is listed and refused, and null that only one of `type` and `enum` allows, are reported as warnings.
 */
export const schemaUnsatisfiable: Rule = {
  code: 'schema-unsatisfiable',
  severity: 'error',
  kinds: ['agent', 'persona', 'system', 'orchestration', 'settings', 'lock'],
  on: 'value',
  needsSchemas: (file, context) =>
    schemasIn(file).some(({ schema }) => contractOf(schema, file, context).schemas.some((part) => isCompiled(part.schema))),
  check(file, context, reportContradiction) {
    const { schemas } = context;
    const fits = (schema: JsonObject, value: Json): boolean | undefined => {
      const compiled = compiledKeywords.some((name) => Object.hasOwn(schema, name)) ? schemas?.compile(schema) : undefined;
      return compiled?.ok ? compiled.check(value).length === 0 : fitsSimply(schema, value);
    };
    for (const { contract, at, report } of schemasOf(file, context, reportContradiction)) {
      for (const { schema, pointer } of contract.schemas) {
        for (const { pointer: inner, message, isWhole, type, lacksNull, bounds } of findContradictions(schema, fits)) {
          const isList = isWhole && schema.type === 'array' && type !== undefined;
          const advice = isList ? ' Move the values into "items".' : type === undefined ? '' : ` Change the type to "${type}".`;
          const severity = isWhole ? 'error' : 'warning';
          const data = {
            ...(type !== undefined && { type }),
            ...(isList && { into: 'items' }),
            ...(lacksNull && { lacksNull }),
            ...(bounds && { low: bounds[0], high: bounds[1] }),
          };
          report({ pointer: at + pointer + inner, severity, message: message + advice, ...(Object.keys(data).length > 0 && { data }) });
        }
      }
    }
  },
};

/** Whether values are listed beside a keyword that only the compiled schema judges. */
function isCompiled(schema: JsonObject): boolean {
  return (Object.hasOwn(schema, 'enum') || Object.hasOwn(schema, 'const')) && compiledKeywords.some((name) => Object.hasOwn(schema, name));
}
