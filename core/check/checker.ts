import type { ConfigFile } from '../config/configFile.js';
import type { ProjectSettings } from '../config/projectSettings.js';
import type { Finding, Severity } from '../finding.js';
import { isObject } from '../json.js';
import type { Kind } from '../kinds.js';
import type { RuleCode } from '../rules/codes.js';
import type { Report, Rule, RuleContext } from '../rules/rule.js';
import { ruleNameFindings } from '../rules/ruleNames.js';
import { hideSecrets } from '../rules/support/hideSecrets.js';
import { contractRules, isPlainContract } from '../rules/support/plainContract.js';
import { isPlainSetup, setupRules } from '../rules/support/plainSetup.js';
import { isPlainText, textRules } from '../rules/support/plainText.js';
import { withSchemas, withTokenizer } from './loadMissing.js';

/** The rules of a project, ready to be run on one file after the other. */
export interface Checker {
  /**
   * Everything found in a file, in the order of the rules. Where a rule asks for something the context has not got, what loads it: to be called
   * again with the context that comes out of it.
   */
  check(file: ConfigFile, context: RuleContext): Finding[] | Missing;
}

/** The same context with something in it that takes time or memory to load, and that few files need. */
export type Missing = (context: RuleContext) => Promise<RuleContext>;

/** A rule that runs on files of a kind, and the severity the settings give it. */
interface Planned {
  readonly rule: Rule;
  readonly severity: Severity | undefined;
  /** The aspects of a file that leave the rule nothing to say when all of them are in order; 0 for a rule that always has to look. */
  readonly about: number;
}

/** What one look at a file can tell to be in order, each a bit: most rules on most files need not be called. */
const aspects = { syntax: 1, schema: 2, contract: 4, setup: 8, text: 16 } as const;

/** Rules about what parsing has found already, and about what is nearly always as plain as can be. */
const subjects: ReadonlyMap<RuleCode, number> = new Map<RuleCode, number>([
  ['json-syntax', aspects.syntax],
  ['json-comment', aspects.syntax],
  ['trailing-comma', aspects.syntax],
  ['duplicate-key', aspects.syntax],
  ['schema', aspects.schema],
  ['unknown-property', aspects.schema],
  ['foreign-name', aspects.schema],
  ['misplaced-property', aspects.schema],
  ['limit-invalid', aspects.contract | aspects.setup],
  ...[...contractRules].map((code): [RuleCode, number] => [code, aspects.contract]),
  ...[...setupRules].map((code): [RuleCode, number] => [code, aspects.setup]),
  ...[...textRules].map((code): [RuleCode, number] => [code, aspects.text]),
]);

function aspectsInOrder(file: ConfigFile, context: RuleContext): number {
  return (
    (file.syntax.length === 0 ? aspects.syntax : 0) |
    (file.schemaErrors.length === 0 ? aspects.schema : 0) |
    (isPlainContract(file, context) ? aspects.contract : 0) |
    (isPlainSetup(file, context) ? aspects.setup : 0) |
    (isPlainText(file) ? aspects.text : 0)
  );
}

/** Works out once what is the same for all files: which rules run on which kind, and how their findings are reported. */
export function createChecker(rules: readonly Rule[], settings: Pick<ProjectSettings, 'rules'>): Checker {
  const plans = new Map<Kind, Plan>();
  return {
    check(file, context) {
      if (file.foreign) return [];
      const { kind } = file.identity;
      let plan = plans.get(kind);
      if (plan === undefined) {
        plan = new Plan(planOf(kind, rules, settings));
        plans.set(kind, plan);
      }
      const inOrder = aspectsInOrder(file, context);
      const findings = run(file, context, plan.rulesFor(file, inOrder));
      // Of a plain text it is known already that it holds no secret.
      return typeof findings === 'function' || findings.length === 0 || (inOrder & aspects.text) !== 0
        ? findings
        : hideSecrets(file, findings);
    },
  };
}

/** The rules of one kind of file, and which of them are left for a file when those are out that cannot have anything to say. */
class Plan {
  private readonly all: readonly Planned[];
  /** By the file's form and the aspects in order. */
  private readonly left: (readonly Planned[] | undefined)[] = [];

  constructor(all: readonly Planned[]) {
    this.all = all;
  }

  rulesFor(file: ConfigFile, inOrder: number): readonly Planned[] {
    const { value } = file;
    const form = isObject(value) ? 0 : value === undefined ? 1 : 2;
    const state = inOrder * 3 + form;
    this.left[state] ??= this.all.filter(({ rule, about }) => (about === 0 || (about & inOrder) !== about) && applies(rule, file));
    return this.left[state];
  }
}

function planOf(kind: Kind, rules: readonly Rule[], settings: Pick<ProjectSettings, 'rules'>): readonly Planned[] {
  return rules.flatMap((rule) => {
    const severity = Object.hasOwn(settings.rules, rule.code) ? settings.rules[rule.code] : undefined;
    return severity === 'off' || (rule.kinds !== 'all' && !rule.kinds.includes(kind))
      ? []
      : [{ rule, severity, about: subjects.get(rule.code) ?? 0 }];
  });
}

function run(file: ConfigFile, context: RuleContext, plan: readonly Planned[]): Finding[] | Missing {
  const findings: Finding[] = [];
  // One function for all rules of the file: they run one after the other, and nearly all have nothing to report.
  let current: Planned | undefined;
  const report: Report = (found) => {
    const { rule, severity } = current as Planned;
    if (isIgnored(file, rule.code, found.pointer)) return;
    findings.push({ ...found, code: rule.code, severity: severity ?? found.severity ?? rule.severity, file: file.path });
  };
  try {
    for (current of plan) {
      const { rule } = current;
      if (context.schemas === undefined && rule.needsSchemas?.(file, context)) return withSchemas;
      const model = rule.needsTokenizer?.(file, context);
      if (model !== undefined) return (before) => withTokenizer(before, model);
      rule.check(file, context, report);
    }
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The rule ${current?.rule.code} failed on ${file.path}: ${words}`, { cause });
  }
  const ofNames = ruleNameFindings(file);
  return ofNames.length === 0 ? findings : findings.concat(ofNames);
}

function applies(rule: Rule, { value }: ConfigFile): boolean {
  return rule.on === 'text' || isObject(value) || (rule.code === 'schema' && value !== undefined);
}

function isIgnored({ ignore }: ConfigFile, code: string, pointer: string): boolean {
  const places = ignore.get(code);
  if (places === undefined || places === true) return places === true;
  return places.some((place) => pointer === place || pointer.startsWith(`${place}/`));
}
