import { argumentsIn, expectationsIn } from '../config/caseParts.js';
import type { ConfigFile } from '../config/configFile.js';
import { isObject, type Json, type JsonObject, pointerOf } from '../json.js';
import type { OutputContract } from '../schema/outputContract.js';
import { quoted } from '../words.js';
import { contractOf } from './facts/agentContract.js';
import { schemasIn } from './facts/agentFragments.js';
import type { Rule, RuleContext } from './rule.js';

/**
 * A regular expression that is invalid, or that the linear-time engine refuses. Patterns run on text by models and users, so no engine is
 * used that a text could block.
 */
export const patternUnsupported: Rule = {
  code: 'pattern-unsupported',
  severity: 'error',
  kinds: ['agent', 'persona', 'system', 'orchestration', 'payload', 'settings', 'lock'],
  on: 'value',
  needsSchemas: (file, context) => visitPatterns(file, context, () => true),
  check(file, context, report) {
    const { schemas } = context;
    if (schemas === undefined) return;
    visitPatterns(file, context, (pattern, pointer, target) => {
      const compiled = schemas.compile({ pattern });
      if (compiled.ok) return false;
      const reason = compiled.problems.map(({ message }) => message).join('; ');
      const severity = file.identity.kind === 'lock' ? 'info' : 'error';
      report({
        pointer: pointer(),
        target,
        severity,
        message: `The regular expression ${quoted(pattern)} ${reason}.`,
        data: { pattern, reason },
      });
      return false;
    });
  },
};

type VisitPattern = (pattern: string, pointer: () => string, target: 'key' | 'value') => boolean;

/** Visits every regular expression in the schemas and the `matches` conditions of a file. Ends, with true, at the first visit that returns true. */
function visitPatterns(file: ConfigFile, context: RuleContext, visit: VisitPattern): boolean {
  const { value } = file;
  if (!isObject(value)) return false;
  if (file.identity.kind === 'payload') return visitExpectations(value, visit);
  return (
    schemasIn(file).some(({ schema, pointer }) => visitSchemaPatterns(contractOf(schema, file, context), pointer, visit)) ||
    visitConditions(value.execution_plan, ['execution_plan'], visit) ||
    visitConditions(value.teams, ['teams'], visit)
  );
}

function visitSchemaPatterns({ schemas }: OutputContract, field: string, visit: VisitPattern): boolean {
  for (const { schema: part, pointer } of schemas) {
    const { pattern, patternProperties } = part;
    const at = field + pointer;
    if (typeof pattern === 'string' && visit(pattern, () => `${at}/pattern`, 'value')) return true;
    if (!isObject(patternProperties)) continue;
    for (const name in patternProperties) if (visit(name, () => `${at}${pointerOf('patternProperties', name)}`, 'key')) return true;
  }
  return false;
}

/** The expectations of a payload, read as they are judged. */
function visitExpectations(payload: JsonObject, visit: VisitPattern): boolean {
  return expectationsIn(payload)
    .flatMap((part) => [part, ...argumentsIn(part)])
    .some(({ value, pointer }) => {
      return value.operator === 'matches' && typeof value.value === 'string' && visit(value.value, () => `${pointer}/value`, 'value');
    });
}

/** Conditions may be anywhere in a plan or a team's routing. */
function visitConditions(value: Json | undefined, path: readonly (string | number)[], visit: VisitPattern): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (isObject(value) && value.operator === 'matches' && typeof value.value === 'string') {
    if (visit(value.value, () => pointerOf(...path, 'value'), 'value')) return true;
  }
  for (const [key, inner] of Object.entries(value)) if (visitConditions(inner, [...path, key], visit)) return true;
  return false;
}
