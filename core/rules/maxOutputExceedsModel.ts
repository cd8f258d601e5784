import { placeOf } from './facts/layers.js';
import { findModelUse, findWrittenNumber, isProfilesOwn, modelWords } from './facts/modelUse.js';
import type { Rule } from './rule.js';

/** More output tokens than the model can give; the provider refuses such a request. */
export const maxOutputExceedsModel: Rule = {
  code: 'max-output-exceeds-model',
  severity: 'warning',
  kinds: ['agent', 'llm'],
  on: 'value',
  check(file, context, report) {
    const use = findModelUse(file, context);
    const limit = use?.facts?.max_output_tokens;
    if (use === undefined || limit === undefined) return;
    const setting = findWrittenNumber(use, 'max_output_tokens');
    if (setting === undefined || setting.value <= limit || isProfilesOwn(file, use, setting)) return;
    report({
      ...placeOf(file, setting, 'max_output_tokens is given here.'),
      message: `max_output_tokens is ${setting.value}, but ${modelWords(use)} gives at most ${limit}.`,
      data: { limit, nearest: [limit], model: use.facts?.name, source: use.facts?.source },
    });
  },
};
