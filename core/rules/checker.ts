import type { ConfigFile } from '../config/configFile.js';
import type { Kind } from '../config/kinds.js';
import type { ProjectSettings } from '../config/projectSettings.js';
import type { Finding, Severity } from '../finding.js';
import { isObject } from '../json.js';
import type { Report, Rule, RuleContext } from './rule.js';
import { ruleNameFindings } from './ruleNames.js';

/** The rules of a project, ready to be run on one file after the other. */
export interface Checker {
  /** Everything found in a file, in the order of the rules. The context holds the schema compiler if `needsSchemas` says so. */
  check(file: ConfigFile, context: RuleContext): Finding[];
  /** Whether any rule that would run on this file asks for the schema compiler. */
  needsSchemas(file: ConfigFile, context: RuleContext): boolean;
}

/** A rule that runs on files of a kind, and the severity the settings give it. */
interface Planned {
  readonly rule: Rule;
  readonly severity: Severity | undefined;
}

/** Works out once what is the same for all files: which rules run on which kind, and how their findings are reported. */
export function createChecker(rules: readonly Rule[], settings: Pick<ProjectSettings, 'rules'>): Checker {
  const plans = new Map<Kind, readonly Planned[]>();
  const planFor = ({ identity: { kind } }: ConfigFile) => {
    let plan = plans.get(kind);
    if (plan === undefined) {
      plan = planOf(kind, rules, settings);
      plans.set(kind, plan);
    }
    return plan;
  };
  return {
    check(file, context) {
      return file.foreign ? [] : run(file, context, planFor(file));
    },
    needsSchemas(file, context) {
      if (file.foreign) return false;
      return planFor(file).some(({ rule }) => rule.needsSchemas !== undefined && applies(rule, file) && rule.needsSchemas(file, context));
    },
  };
}

function planOf(kind: Kind, rules: readonly Rule[], settings: Pick<ProjectSettings, 'rules'>): readonly Planned[] {
  return rules.flatMap((rule) => {
    const severity = Object.hasOwn(settings.rules, rule.code) ? settings.rules[rule.code] : undefined;
    return severity === 'off' || (rule.kinds !== 'all' && !rule.kinds.includes(kind)) ? [] : [{ rule, severity }];
  });
}

function run(file: ConfigFile, context: RuleContext, plan: readonly Planned[]): Finding[] {
  const findings: Finding[] = [];
  // One function for all rules of the file: they run one after the other, and nearly all have nothing to report.
  let current: Planned | undefined;
  const report: Report = (found) => {
    const { rule, severity } = current as Planned;
    if (isIgnored(file, rule.code, found.pointer)) return;
    findings.push({ ...found, code: rule.code, severity: severity ?? found.severity ?? rule.severity, file: file.path });
  };
  for (current of plan) {
    const { rule } = current;
    if (!applies(rule, file)) continue;
    try {
      rule.check(file, context, report);
    } catch (cause) {
      throw new Error(`The rule ${rule.code} failed on ${file.path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }
  findings.push(...ruleNameFindings(file));
  return findings;
}

function applies(rule: Rule, { value }: ConfigFile): boolean {
  return rule.on === 'text' || isObject(value) || (rule.code === 'schema' && value !== undefined);
}

function isIgnored({ ignore }: ConfigFile, code: string, pointer: string): boolean {
  const places = ignore.get(code);
  if (places === undefined || places === true) return places === true;
  return places.some((place) => pointer === place || pointer.startsWith(`${place}/`));
}
