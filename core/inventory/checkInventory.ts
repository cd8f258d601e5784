import type { ProjectSettings } from '../config/projectSettings.js';
import type { AnyFinding, TextRange } from '../finding.js';
import { positionsIn } from '../jsonText/textPositions.js';
import { duplicateKey, mcpLists, toolRules, unreadable } from '../otherTools/index.js';
import type { Inventory, ToolFile, ToolRule } from '../otherTools/toolFiles.js';
import { coverSecrets, mayHoldSecret } from '../secrets/secretPatterns.js';
import { isRead } from './toolNames.js';

/**
 * What is wrong in the files of other tools, by file and place. A rule that fails is a finding itself, and ends no other rule.
 *
 * @param isWanted whether the findings of a file are wanted. Default: all are
 */
export function checkInventory(
  inventory: Inventory,
  rules: ProjectSettings['rules'],
  isWanted: (path: string) => boolean = () => true,
): readonly AnyFinding[] {
  return inventory.files.filter(({ path }) => isWanted(path)).flatMap((file) => checkToolFile(file, inventory, rules));
}

function checkToolFile(file: ToolFile, inventory: Inventory, severities: ProjectSettings['rules']): readonly AnyFinding[] {
  const findings: AnyFinding[] = [];
  const place = placerOf(file);
  const isConfig = mcpLists.some(({ path }) => path === file.path);
  const say = ({ code, severity }: Pick<ToolRule, 'code' | 'severity'>, message: string, range: TextRange) => {
    const chosen = severities[code] ?? severity;
    if (chosen === 'off' || isConfig) return;
    findings.push({ code, severity: chosen, message, file: file.path, pointer: '', ...place(range) });
  };
  if (file.problem !== undefined) say(unreadable, file.problem.message, file.problem.range);
  if (!isRead(file)) return findings;
  for (const { message, range } of file.source.duplicates ?? []) say(duplicateKey, message, range);
  for (const rule of toolRules) {
    if ((rule.tool !== 'any' && rule.tool !== file.tool) || (isConfig && rule.isConfigRule)) continue;
    const severity = severities[rule.code];
    if (severity === 'off') continue;
    try {
      rule.check(file, inventory, ({ pointer, target, range, message, related = [], ...reported }) => {
        findings.push({
          code: rule.code,
          severity: severity ?? reported.severity ?? rule.severity,
          message: visible(message),
          file: file.path,
          pointer,
          ...(target !== undefined && { target }),
          ...place(range ?? file.source.rangeOf(pointer, target)),
          ...(related.length > 0 && {
            related: related.map(({ file: other, pointer, message }) => {
              const { line, column, range } = placerOf(other)(other.source?.rangeOf(pointer, 'key') ?? { start: 0, end: 0 });
              return { file: other.path, pointer, message: visible(message), line, column, range };
            }),
          }),
        });
      });
    } catch (cause) {
      findings.push(unjudged(rule, cause, file, place));
    }
  }
  return findings.sort((left, right) => left.range.start - right.range.start || (left.code < right.code ? -1 : 1));
}

type Placed = Pick<AnyFinding, 'range' | 'line' | 'column' | 'end_line' | 'end_column'>;

function placerOf({ text = '' }: ToolFile): (range: TextRange) => Placed {
  const positionOf = positionsIn(text);
  return (range) => {
    const start = positionOf(range.start);
    const end = positionOf(range.end);
    return { range, line: start.line, column: start.column, end_line: end.line, end_column: end.column };
  };
}

/** Messages quote what is written, which may be a secret. */
export function visible(message: string): string {
  return mayHoldSecret(message) ? coverSecrets(message) : message;
}

function unjudged({ code }: ToolRule, cause: unknown, file: ToolFile, place: (range: TextRange) => Placed): AnyFinding {
  const words = cause instanceof Error ? cause.message : String(cause);
  return {
    code,
    severity: 'error',
    message: visible(
      `The rule ${code} could not judge this file: ${words}. This is a fault of Agent Stack; all other rules were applied. To go on without it, turn it off under "rules" in agentstack.json.`,
    ),
    file: file.path,
    pointer: '',
    ...place({ start: 0, end: 0 }),
    data: { stack: cause instanceof Error ? (cause.stack ?? '') : '' },
  };
}
