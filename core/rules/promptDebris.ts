import { promptTexts } from '../generated/fields.js';
import { isObject, type JsonObject, pointerOf } from '../json.js';
import { quoted } from '../words.js';
import type { Report, Rule } from './rule.js';
import { findDebris } from './support/debris.js';

/** Left-over generation text in what is sent to a model: elisions, end marks, notes to oneself, unfilled blanks, chat tokens, fences. */
export const promptDebris: Rule = {
  code: 'prompt-debris',
  severity: 'warning',
  kinds: ['agent', 'persona', 'llm', 'prompt', 'system'],
  on: 'value',
  check({ value, identity }, _context, report) {
    if (!isObject(value)) return;
    checkFragment(value, [], report);
    if (identity.kind !== 'system') return;
    for (const section of ['agent_defaults', 'persona_defaults']) checkFragment(value[section], [section], report);
    for (const section of ['agents', 'llms']) {
      const fragments = value[section];
      if (!isObject(fragments)) continue;
      for (const [name, fragment] of Object.entries(fragments)) checkFragment(fragment, [section, name], report);
    }
  },
};

function checkFragment(fragment: unknown, path: readonly string[], report: Report): void {
  if (!isObject(fragment)) return;
  for (const field of promptTexts) {
    const text = (fragment as JsonObject)[field];
    if (typeof text !== 'string') continue;
    for (const { start, end, kind, message } of findDebris(text)) {
      report({
        pointer: pointerOf(...path, field),
        within: { start, end },
        message: `${message}: ${quoted(text.slice(start, end))}.`,
        data: { kind, start, end },
      });
    }
  }
}
