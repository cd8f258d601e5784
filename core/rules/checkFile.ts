import type { ConfigFile } from '../config/configFile.js';
import type { Finding } from '../finding.js';
import type { MaybePromise } from '../ports.js';
import { loadPatterns } from '../routing/patterns.js';
import { createChecker } from './checker.js';
import { rules as allRules } from './index.js';
import type { Rule, RuleContext } from './rule.js';

/**
 * Everything the rules find in one file, in the order of the rules; nothing for a file that is something else. Text rules run on every
 * file, value rules on JSON objects (of other JSON values only `schema` speaks). `$ignore` and the severities of agentstack.json apply.
 * A promise only when a rule asks for the schema compiler and the context has none.
 *
 * @throws an error naming rule and file when a rule throws, which is a bug of that rule
 */
export function checkFile(file: ConfigFile, context: RuleContext, rules: readonly Rule[] = allRules): MaybePromise<Finding[]> {
  const checker = createChecker(rules, context.project.settings);
  return checker.check(file, context) ?? withSchemas(context).then((complete) => checker.check(file, complete) ?? []);
}

/** The same context with the schema compiler and the engine of regular expressions, which are loaded only now. */
export async function withSchemas(context: RuleContext): Promise<RuleContext> {
  const { loadSchemaCompiler } = await import('../config/loadSchemaCompiler.js');
  const [schemas, patterns] = await Promise.all([loadSchemaCompiler(), loadPatterns()]);
  return { ...context, schemas, patterns };
}
