import type { ConfigFile } from '../config/configFile.js';
import type { Finding } from '../finding.js';
import { rules as allRules } from '../generated/rules.js';
import type { MaybePromise } from '../ports.js';
import type { Rule, RuleContext } from '../rules/rule.js';
import { type Checker, createChecker } from './checker.js';

/**
 * Everything the rules find in one file, in the order of the rules; nothing for a file that is something else. Text rules run on every
 * file, value rules on JSON objects (of other JSON values only `schema` speaks). `$ignore` and the severities of agentstack.json apply.
 * A promise only when a rule asks for something the context has not got.
 * A rule that throws has a bug: that it could not judge the file is its finding.
 */
export function checkFile(file: ConfigFile, context: RuleContext, rules: readonly Rule[] = allRules): MaybePromise<Finding[]> {
  const checker = createChecker(rules, context.project.settings);
  const result = checker.check(file, context);
  return typeof result === 'function' ? checkLoading(checker, file, context).then(({ findings }) => findings) : result;
}

/** Everything found in a file, and the context with all that had to be loaded for it. */
export async function checkLoading(
  checker: Checker,
  file: ConfigFile,
  context: RuleContext,
): Promise<{ readonly findings: Finding[]; readonly context: RuleContext }> {
  for (let complete = context; ; ) {
    const result = checker.check(file, complete);
    if (typeof result !== 'function') return { findings: result, context: complete };
    complete = await result(complete);
  }
}
