import type { ConfigFile } from '../config/configFile.js';
import type { JsonObject } from '../json.js';
import { didYouMean } from '../names.js';
import { findIdleKeywords } from '../schema/schemaKeywords.js';
import { contractOf, isEssential, misspeltKeywords } from './facts/agentContract.js';
import { schemasIn } from './facts/agentFragments.js';
import type { Report, Rule, RuleContext } from './rule.js';

/**
 * A key of a JSON Schema without effect: a misspelt keyword, which every provider ignores, or a keyword for another type. Where it hides the
 * fields of the schema, the rules about fields wait until it is corrected.
 */
export const schemaKeywordUnknown: Rule = {
  code: 'schema-keyword-unknown',
  severity: 'warning',
  kinds: ['agent', 'persona', 'system', 'orchestration', 'settings', 'lock'],
  on: 'value',
  check(file, context, report) {
    for (const { schema, pointer, isForeign } of schemasIn(file)) {
      const reportFault: Report = isForeign ? (finding) => report({ ...finding, severity: 'info' }) : report;
      checkSchema(schema, pointer, { file, context, report: reportFault });
    }
  },
};

interface Means {
  readonly file: ConfigFile;
  readonly context: RuleContext;
  readonly report: Report;
}

function checkSchema(schema: JsonObject, at: string, { file, context, report }: Means): void {
  for (const misspelt of misspeltKeywords(schema, file, context)) {
    const { key, pointer, nearest } = misspelt;
    report({
      pointer: at + pointer,
      target: 'key',
      ...(isEssential(misspelt) && { severity: 'error' }),
      message: `${JSON.stringify(key)} is not a keyword of JSON Schema, so it has no effect.${didYouMean(nearest)}`,
      data: { nearest },
    });
  }
  const { schemas, dialect } = contractOf(schema, file, context);
  for (const { schema: part, pointer } of schemas) {
    for (const { keyword, message, type } of findIdleKeywords(part, dialect)) {
      report({ pointer: `${at}${pointer}/${keyword}`, target: 'key', message, ...(type && { data: { type } }) });
    }
  }
}
