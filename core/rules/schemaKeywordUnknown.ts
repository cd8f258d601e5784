import { didYouMean } from '../names.js';
import { findIdleKeywords } from '../schema/schemaKeywords.js';
import { isEssential, misspeltKeywords, schemasOf } from './facts/agentContract.js';
import type { Rule } from './rule.js';

/**
 * A key of a JSON Schema without effect: a misspelt keyword, which every provider ignores, or a keyword for another type. Where it hides the
 * fields of the schema, the rules about fields wait until it is corrected.
 */
export const schemaKeywordUnknown: Rule = {
  code: 'schema-keyword-unknown',
  severity: 'warning',
  gravest: 'error',
  kinds: ['agent', 'persona', 'system', 'orchestration', 'settings', 'lock'],
  on: 'value',
  check(file, context, reportKeyword) {
    for (const { contract, at, report } of schemasOf(file, context, reportKeyword)) {
      for (const misspelt of misspeltKeywords(contract)) {
        report({
          pointer: at + misspelt.pointer,
          target: 'key',
          ...(isEssential(misspelt) && { severity: 'error' }),
          message: `${JSON.stringify(misspelt.key)} is not a keyword of JSON Schema, so it has no effect.${didYouMean(misspelt.nearest)}`,
          data: { nearest: misspelt.nearest },
        });
      }
      for (const { schema, pointer } of contract.schemas)
        for (const { keyword, message, type } of findIdleKeywords(schema, contract.dialect))
          report({ pointer: `${at}${pointer}/${keyword}`, target: 'key', message, ...(type && { data: { type } }) });
    }
  },
};
