import type { AnyRuleCode, Severity } from '../../core/finding.js';
import { rules } from '../../core/generated/rules.js';
import { didYouMean, nearestNames } from '../../core/names.js';
import { toolRuleFacts } from '../../core/otherTools/index.js';
import { allRuleCodes as ruleCodes } from '../../core/rules/ruleNames.js';
import { toSafeJson } from '../../core/visibleText.js';
import { type Cli, example, type GlobalOptions, readOptions, UsageError, type VerbSetup } from '../cli.js';
import { findRulePage } from '../rulePage.js';
import { renderMarkdown } from '../terminal/markdown.js';

export const explain: VerbSetup = (command, cli) => {
  command
    .argument('[code]', 'code of a rule, as check prints it (default: list them all)')
    .addHelpText('after', () => example(cli, ['explain', 'explain enums-match-schema', 'explain schema-portability --json']))
    .action(async (code: string | undefined) => {
      const { json } = readOptions<GlobalOptions>(cli, command);
      await (code === undefined ? listRules(cli, json) : explainRule(cli, code, json));
    });
};

async function explainRule({ terminal, name }: Cli, code: string, json: boolean | undefined) {
  if (!isRuleCode(code)) {
    throw new UsageError(
      `There is no rule ${JSON.stringify(code)}.${didYouMean(nearestNames(code, ruleCodes))} \`${name} explain\` lists them all.`,
    );
  }
  const page = await findRulePage(code);
  if (page === undefined) throw new Error(`docs/rules/${code}.md is missing from this installation`);
  if (json) terminal.print(toSafeJson({ code, severity: severityOf(code), summary: page.summary, page: page.text }));
  else terminal.print(renderMarkdown(page.text, terminal.out, terminal.columns));
}

async function listRules({ terminal, name }: Cli, json: boolean | undefined) {
  const entries = await Promise.all(
    ruleCodes.map(async (code) => ({ code, severity: severityOf(code), summary: (await findRulePage(code))?.summary ?? '' })),
  );
  if (json) {
    terminal.print(toSafeJson({ rules: entries }));
    return;
  }
  const { cyan, dim } = terminal.out;
  const width = Math.max(...ruleCodes.map((code) => code.length));
  const room = terminal.columns - width - 10;
  for (const { code, severity, summary } of entries) {
    const short = summary.length > room ? `${summary.slice(0, room - 1).trimEnd()}…` : summary;
    terminal.print(`${cyan(code.padEnd(width))} ${dim(severity.padEnd(7))} ${short}`);
  }
  terminal.print(`\n\`${name} explain CODE\` shows one of them. Severities can be changed in agentstack.json: {"rules": {"CODE": "off"}}.`);
}

function isRuleCode(code: string): code is AnyRuleCode {
  return (ruleCodes as readonly string[]).includes(code);
}

function severityOf(code: AnyRuleCode): Severity {
  return [...rules, ...toolRuleFacts].find((rule) => rule.code === code)?.severity ?? 'warning';
}
