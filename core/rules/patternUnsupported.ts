import { isObject, type Json, pointerOf } from '../json.js';
import type { Rule } from './rule.js';
import { isPlainPattern } from './support/plainPattern.js';
import { isPlainSchema } from './support/plainSchema.js';
import { sought } from './support/schemaCensus.js';
import { seekSchemas } from './support/visitSchemas.js';
import { shown } from './support/words.js';

/**
 * A regular expression that the linear-time engine refuses, or that is none. Patterns run on what models and users write, so no engine is
 * used that a text could keep busy.
 */
export const patternUnsupported: Rule = {
  code: 'pattern-unsupported',
  severity: 'error',
  kinds: ['agent', 'persona', 'orchestration'],
  on: 'value',
  needsSchemas: ({ value }) => visitPatterns(value, (pattern) => !isPlainPattern(pattern)),
  check({ value }, { schemas }, report) {
    if (schemas === undefined) return;
    visitPatterns(value, (pattern, pointer, target) => {
      if (isPlainPattern(pattern)) return false;
      const compiled = schemas.compile({ pattern });
      if (compiled.ok) return false;
      const reason = compiled.problems.map(({ message }) => message).join('; ');
      report({ pointer: pointer(), target, message: `The regular expression ${shown(pattern)} ${reason}.`, data: { pattern, reason } });
      return false;
    });
  },
};

type VisitPattern = (pattern: string, pointer: () => string, target: 'key' | 'value') => boolean;

/** Every regular expression of a file: of its schemas, and of its conditions with `matches`. True when a visit says so, and ends there. */
function visitPatterns(value: Json | undefined, visit: VisitPattern): boolean {
  if (!isObject(value)) return false;
  return (
    visitSchemaPatterns(value.output_schema, 'output_schema', visit) ||
    visitSchemaPatterns(value.input_schema, 'input_schema', visit) ||
    visitConditions(value.execution_plan, ['execution_plan'], visit) ||
    visitConditions(value.teams, ['teams'], visit)
  );
}

function visitSchemaPatterns(schema: Json | undefined, field: string, visit: VisitPattern): boolean {
  if (isObject(schema) && isPlainSchema(schema)) return false;
  return seekSchemas(
    sought.pattern,
    schema,
    (part, path) => {
      const { pattern, patternProperties } = part;
      if (typeof pattern === 'string' && visit(pattern, () => pointerOf(...path, 'pattern'), 'value')) return true;
      if (!isObject(patternProperties)) return false;
      for (const name in patternProperties) if (visit(name, () => pointerOf(...path, 'patternProperties', name), 'key')) return true;
      return false;
    },
    [field],
  );
}

/** Conditions may stand anywhere in a plan or a team's routing. */
function visitConditions(value: Json | undefined, path: readonly (string | number)[], visit: VisitPattern): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isObject(value) && value.operator === 'matches' && typeof value.value === 'string') {
    if (visit(value.value, () => pointerOf(...path, 'value'), 'value')) return true;
  }
  for (const [key, inner] of Object.entries(value)) if (visitConditions(inner, [...path, key], visit)) return true;
  return false;
}
