import type { ConfigFile } from '../config/configFile.js';
import type { Finding } from '../finding.js';
import { rules as allRules } from '../generated/rules.js';
import type { MaybePromise } from '../ports.js';
import type { Rule, RuleContext } from '../rules/rule.js';
import { type Checker, createChecker } from './checker.js';

/**
 * All findings of the rules in one file, in rule order; none for a file that is not a config file. Text rules run on every
 * file, value rules on JSON objects (other JSON values are reported by `schema` alone). `$ignore` and the severities of agentstack.json apply.
 * Returns a promise only when a rule needs something missing from the context.
 * A rule that throws has a bug; the finding then is that it could not judge the file.
 */
export function checkFile(file: ConfigFile, context: RuleContext, rules: readonly Rule[] = allRules): MaybePromise<Finding[]> {
  const checker = createChecker(rules, context.project.settings);
  const result = checker.check(file, context);
  return typeof result === 'function' ? checkLoading(checker, file, context).then(({ findings }) => findings) : result;
}

/** The findings in a file, and the context with everything that was loaded for them. */
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
