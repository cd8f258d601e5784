import { needsProverTools, teamProofsOf } from './facts/routingProofs.js';
import type { Rule } from './rule.js';

/** A rule that can never match: earlier rules match everything it would, or its condition contradicts itself or the outputs of the tasks. */
export const routingShadowed: Rule = {
  code: 'routing-shadowed',
  severity: 'warning',
  kinds: ['orchestration'],
  on: 'value',
  needsSchemas: needsProverTools,
  check(file, context, report) {
    for (const { team, proof, isFaulty } of teamProofsOf(file, context)) {
      for (const [index, rule] of proof.rules.entries()) {
        // A faulty comparison has a finding of its own.
        if (rule.verdict === 'possible' || isFaulty(index)) continue;
        const by = rule.verdict === 'shadowed' ? rule.by : [];
        report({
          pointer: team.pointer + rule.pointer,
          ...(by.length > 0 && {
            related: by.map((earlier) => ({
              file: file.path,
              pointer: `${team.pointer}/routing/rules/${earlier}/condition`,
              message: by.length === 1 ? 'This rule matches all of it.' : 'This rule matches a part of it.',
            })),
          }),
          message: messageFor(by),
          data: { team: team.id, rule: index, by },
        });
      }
    }
  },
};

function messageFor(by: readonly number[]): string {
  if (by.length === 0)
    return 'This rule never matches: its condition contradicts itself or the possible outputs of the tasks. Correct it or remove the rule.';
  const numbers = by.map((rule) => rule + 1);
  const last = numbers.pop();
  const others = numbers.length > 0 ? `the rules ${numbers.join(', ')} and ${last} match` : `rule ${last} matches`;
  return `This rule never matches: ${others} all of it before. Move it up, narrow ${numbers.length > 0 ? 'them' : 'that one'}, or remove it.`;
}
