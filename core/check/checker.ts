import type { ConfigFile } from '../config/configFile.js';
import type { ProjectSettings } from '../config/projectSettings.js';
import type { Finding, Severity } from '../finding.js';
import { isObject, valueAt } from '../json.js';
import type { Kind } from '../kinds.js';
import { isEnforced } from '../rules/enforced.js';
import { foreignFile } from '../rules/foreignFile.js';
import type { Report, Rule, RuleContext } from '../rules/rule.js';
import { ruleNameFindings } from '../rules/ruleNames.js';
import { coverSecrets, looksLikeSecret, maskSecret, mayHoldSecret } from '../secrets/secretPatterns.js';
import { withSchemas, withTokenizer } from './ruleContext.js';

/** The rules of a project, ready to run on one file after another. */
export interface Checker {
  /**
   * The findings in a file, in rule order. Where a rule needs something missing from the context, the function that loads it: call `check`
   * again with the context that it returns.
   */
  check(file: ConfigFile, context: RuleContext): Finding[] | Missing;
}

/** Adds to a context something that takes time or memory to load and that few files need. */
export type Missing = (context: RuleContext) => Promise<RuleContext>;

/** A rule that runs on files of a kind, and its severity in the settings; `off` where only findings that a run enforces are reported. */
interface Planned {
  readonly rule: Rule;
  readonly severity: Severity | 'off' | undefined;
}

/** Determines once per kind which rules run and how their findings are reported. */
export function createChecker(rules: readonly Rule[], settings: Pick<ProjectSettings, 'rules'>): Checker {
  const plans = new Map<Kind, readonly Planned[]>();
  return {
    check(file, context) {
      const { kind } = file.identity;
      const plan = plans.get(kind) ?? planOf(kind, rules, settings);
      plans.set(kind, plan);
      const findings = run(file, context, file.foreign === undefined ? plan : plan.filter(({ rule }) => rule === foreignFile));
      return typeof findings === 'function' || findings.length === 0 ? findings : hideSecrets(file, findings);
    },
  };
}

function planOf(kind: Kind, rules: readonly Rule[], settings: Pick<ProjectSettings, 'rules'>): readonly Planned[] {
  return rules.flatMap((rule) => {
    const severity = Object.hasOwn(settings.rules, rule.code) ? settings.rules[rule.code] : undefined;
    const isSilent = severity === 'off' && !isEnforced({ code: rule.code, severity: 'error' }, kind);
    return isSilent || (rule.kinds !== 'all' && !rule.kinds.includes(kind)) ? [] : [{ rule, severity }];
  });
}

function run(file: ConfigFile, context: RuleContext, plan: readonly Planned[]): Finding[] | Missing {
  const findings: Finding[] = [];
  // One function for all rules of the file: they run one after the other, and nearly all have nothing to report.
  let current: Planned | undefined;
  const add = (reported: Parameters<Report>[0], mayEnforce: boolean) => {
    const { rule, severity } = current as Planned;
    const finding = { ...reported, code: rule.code, severity: reported.severity ?? rule.severity, file: file.path };
    const isSilenced = severity === 'off' || isIgnored(file, rule.code, finding.pointer);
    if (mayEnforce && isEnforced(finding, file.identity.kind)) {
      const isChanged = isSilenced || (severity !== undefined && severity !== 'error');
      findings.push(isChanged ? { ...finding, message: `${finding.message} ${refusedAnyway}` } : finding);
    } else if (!isSilenced) findings.push(severity === undefined ? finding : { ...finding, severity });
  };
  const report: Report = (finding) => add(finding, true);
  for (current of plan) {
    const { rule } = current;
    if (!applies(rule, file)) continue;
    try {
      if (context.schemas === undefined && rule.needsSchemas?.(file, context)) return withSchemas;
      const model = rule.needsTokenizer?.(file, context);
      if (model !== undefined) return (before) => withTokenizer(before, model);
      rule.check(file, context, report);
    } catch (cause) {
      add(unjudged(rule, cause), false);
    }
  }
  const nameFindings = ruleNameFindings(file);
  return nameFindings.length === 0 ? findings : findings.concat(nameFindings);
}

const refusedAnyway = 'Neither "$ignore" nor "rules" silences this: a run refuses it, or does not do what it says.';

/** The finding for a rule that threw: the rule found the file neither right nor wrong. */
function unjudged({ code }: Rule, cause: unknown): Parameters<Report>[0] {
  const words = cause instanceof Error ? cause.message : String(cause);
  return {
    pointer: '',
    severity: 'error',
    message: `The rule ${code} could not judge this file: ${words}. This is a fault of Agent Stack; all other rules were applied. To go on without it, turn it off under "rules" in agentstack.json.`,
    data: { stack: cause instanceof Error ? (cause.stack ?? '') : '' },
  };
}

function applies(rule: Rule, { value }: ConfigFile): boolean {
  return rule.on === 'text' || isObject(value) || (rule.code === 'schema' && value !== undefined);
}

function isIgnored({ ignore }: ConfigFile, code: string, pointer: string): boolean {
  const places = ignore.get(code);
  if (places === undefined || places === true) return places === true;
  return places.some((place) => pointer === place || pointer.startsWith(`${place}/`));
}

/**
 * The findings of a file with no secret in any message: rules quote keys and values, and one of them may be a secret. What
 * `secret-in-plain-text` found by the name of its key alone is hidden wherever else it is quoted.
 */
function hideSecrets(file: ConfigFile, findings: Finding[]): Finding[] {
  if (findings.length === 0 || !mayHoldSecret(file.text)) return findings;
  const secrets = findings.flatMap((finding) => secretOf(file, finding) ?? []);
  const clean = (text: string) => {
    const masked = secrets.reduce((masking, secret) => masking.replaceAll(secret, maskSecret(secret)), text);
    return looksLikeSecret(masked) === undefined ? masked : coverSecrets(masked);
  };
  return findings.map((finding) => ({
    ...finding,
    message: clean(finding.message),
    ...(finding.related && { related: finding.related.map((place) => ({ ...place, message: clean(place.message) })) }),
    ...(finding.data && { data: JSON.parse(clean(JSON.stringify(finding.data))) }),
  }));
}

function secretOf(file: ConfigFile, { code, pointer, within }: Finding): string | undefined {
  if (code !== 'secret-in-plain-text' || within === undefined) return undefined;
  const value = valueAt(file.value, pointer);
  return typeof value === 'string' ? value.slice(within.start, within.end) : undefined;
}
