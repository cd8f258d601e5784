import type { ConfigFile } from '../config/configFile.js';
import type { Finding, Severity } from '../finding.js';
import { isObject } from '../json.js';
import type { MaybePromise } from '../ports.js';
import type { RuleCode } from './codes.js';
import { rules as allRules } from './index.js';
import type { Report, Rule, RuleContext } from './rule.js';
import { ruleNameFindings } from './ruleNames.js';

/**
 * Everything the rules find in one file, in the order of the rules; nothing for a file that is something else. Text rules run on every
 * file, value rules on JSON objects (of other JSON values only `schema` speaks). `$ignore` and the severities of agentstack.json apply.
 * A promise only when a rule asks for the schema compiler and the context has none.
 *
 * @throws an error naming rule and file when a rule throws, which is a bug of that rule
 */
export function checkFile(file: ConfigFile, context: RuleContext, rules: readonly Rule[] = allRules): MaybePromise<Finding[]> {
  if (file.foreign) return [];
  if (context.schemas === undefined && needsSchemas(file, context, rules)) {
    return withSchemas(context).then((complete) => run(file, complete, rules));
  }
  return run(file, context, rules);
}

/** The same context with the schema compiler, which is loaded only now. */
export async function withSchemas(context: RuleContext): Promise<RuleContext> {
  const { loadSchemaCompiler } = await import('../config/loadSchemaCompiler.js');
  return { ...context, schemas: await loadSchemaCompiler() };
}

/** Whether any rule that would run on this file asks for the schema compiler. */
export function needsSchemas(file: ConfigFile, context: RuleContext, rules: readonly Rule[] = allRules): boolean {
  return rules.some((rule) => rule.needsSchemas !== undefined && applies(rule, file, context) && rule.needsSchemas(file, context));
}

function run(file: ConfigFile, context: RuleContext, rules: readonly Rule[]): Finding[] {
  const findings: Finding[] = [];
  for (const rule of rules) {
    if (!applies(rule, file, context)) continue;
    try {
      rule.check(file, context, reporter(rule, file, context, findings));
    } catch (cause) {
      throw new Error(`The rule ${rule.code} failed on ${file.path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }
  findings.push(...ruleNameFindings(file));
  return findings;
}

function applies(rule: Rule, file: ConfigFile, context: RuleContext): boolean {
  if (rule.kinds !== 'all' && !rule.kinds.includes(file.identity.kind)) return false;
  if (rule.on === 'value' && !isObject(file.value) && !(rule.code === 'schema' && file.value !== undefined)) return false;
  return file.ignore.get(rule.code) !== true && setSeverity(rule.code, context) !== 'off';
}

function reporter(rule: Rule, file: ConfigFile, context: RuleContext, findings: Finding[]): Report {
  const ignored = file.ignore.get(rule.code);
  const severity = setSeverity(rule.code, context);
  return (found) => {
    if (Array.isArray(ignored) && ignored.some((pointer) => found.pointer === pointer || found.pointer.startsWith(`${pointer}/`))) return;
    findings.push({
      ...found,
      code: rule.code,
      severity: (severity as Severity | undefined) ?? found.severity ?? rule.severity,
      file: file.path,
    });
  };
}

function setSeverity(code: RuleCode, { project }: RuleContext): Severity | 'off' | undefined {
  const { rules } = project.settings;
  return Object.hasOwn(rules, code) ? rules[code] : undefined;
}
